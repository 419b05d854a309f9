/** The state of the page, and its messages to the host. */

import type { HostMessage, PostedMessage } from '../../panel/hostMessages.ts';
import type { PanelState } from '../../panel/panelState.ts';
import { fillPlaceholders } from '../../panel/placeholders.ts';
import type { PageMessage, WebviewMessage } from '../../panel/webviewMessages.ts';
import type { PanelWord } from '../../panel/words.ts';
import { createUnreadTexts, type UnreadTexts } from '../composer/unreadTexts.ts';
import { foldPanel, type Panel } from './state.ts';

export interface Page {
  /** Undefined until the first snapshot. */
  panel(): PanelState | undefined;
  /**
   * Folds a message into the state, and returns the message in its full form. Returns `resync` if an earlier message was lost, and
   * `outdated` if this one came late or twice. The state is then unchanged.
   */
  fold(posted: PostedMessage): HostMessage | 'resync' | 'outdated';
  /** @param conversationId the conversation that the message is for; by default, the one that is shown */
  post(message: WebviewMessage, conversationId?: string): void;
  /** Texts that were posted, but that the host may not have read yet. */
  readonly unread: Pick<UnreadTexts, 'text' | 'edit'>;
  word(key: PanelWord, ...values: readonly (string | number)[]): string;
  /** Epoch milliseconds on the host's clock. */
  now(): number;
  /** The last text for screen readers. */
  announcement(): string;
  announce(text: string): void;
}

/** @param language of the words, as a tag such as `de` */
export function createPage(postMessage: (message: PageMessage) => void, language: string): Page {
  let state: Panel | undefined;
  /** How far this machine's clock is ahead of the host's. In milliseconds. */
  let clockOffset = 0;
  let announcement = '';
  const unread = createUnreadTexts();
  let sent = 0;
  return {
    panel: () => state?.panel,
    fold(posted) {
      const next = foldPanel(state, posted);
      if (next === 'resync' || next === 'outdated') return next;
      const { message } = next;
      state = next.state;
      if ('read' in message) unread.read(message.read ?? sent);
      if (message.type === 'snapshot') clockOffset = Date.now() - message.panel.now;
      return message;
    },
    unread,
    post(message, conversationId = state?.panel.conversationId) {
      unread.posted(message, conversationId, ++sent);
      postMessage({ message, conversationId, seen: state?.seq, number: sent });
    },
    word(key, ...values) {
      const text = state?.panel.words[key] ?? key;
      // A text without a translation is in English.
      return fillPlaceholders(text, language, values, undefined, text === key ? 'en' : language);
    },
    now: () => Date.now() - clockOffset,
    announcement: () => announcement,
    announce(text) {
      // Screen readers don't repeat the same text, such as when the next call to the same tool waits.
      announcement = text === announcement ? `${text}\u00a0` : text;
    },
  };
}
