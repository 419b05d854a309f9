/**
 * Stores what the user writes in the message box of a page as the draft of its conversation, and tells the page which
 * messages were taken.
 */
import type { WebviewMessage } from '../../panel/webviewMessages.ts';
import type { Composers } from '../composer/composers.ts';
import type { DraftSync } from './draftSync.ts';
import type { PanelChannel } from './panelChannel.ts';

type Send = Extract<WebviewMessage, { type: 'send' }>;

export interface WrittenDrafts {
  /**
   * A message was sent. Its text stays the draft until it is taken: an input may be open for long, while the user writes in
   * another panel.
   */
  sent(text: string, conversationId: string, seen: number | undefined): void;
  /** A message was taken that is only a part of its draft. The rest becomes the draft, unless the draft has changed since. */
  leave(conversationId: string, { draft, rest }: Pick<Send, 'draft' | 'rest'>): void;
  /** The text of the box has changed. While the user types, others are told after a pause. */
  changed(
    message: Extract<WebviewMessage, { type: 'draft' | 'typed' }>,
    conversationId: string,
    seen: number | undefined,
  ): void;
  /** The user has stopped typing: the other panels now show the text. */
  typingEnded(): void;
  /**
   * Tells the page that a message was taken, so that it removes the text from its box. With `isKept`, the message wasn't
   * taken, and can be sent again.
   */
  take(conversationId: string, text: string, isKept?: boolean): void;
  /** The page has received all messages up to this number. */
  known(seen: number): void;
  /** Tells a page again about the messages that it has missed. By default, it is a new page, which has missed nothing. */
  retake(seen?: number): void;
}

export interface WrittenDraftsDeps {
  readonly composers: Pick<Composers, 'of' | 'changed'>;
  readonly drafts: Pick<DraftSync, 'written'>;
  readonly channel: Pick<PanelChannel, 'send' | 'isOpen'>;
}

interface Taken {
  readonly conversationId: string;
  readonly text: string;
  readonly isKept: boolean;
  /** The number of the message that told the page. */
  readonly number: number;
}

export function createWrittenDrafts({ composers, drafts, channel }: WrittenDraftsDeps): WrittenDrafts {
  /** Messages of the page that were taken or kept, until the page is known to have been told. */
  let taken: readonly Taken[] = [];
  /** The conversation in which the user is typing. Other panels are told after a pause. */
  let typingIn: string | undefined;

  function tell(conversationId: string): void {
    if (typingIn === conversationId) typingIn = undefined;
    composers.changed(conversationId);
  }

  function take(conversationId: string, text: string, isKept = false): void {
    const number = channel.send({ type: 'taken', conversationId, text, ...(isKept && { isKept }) });
    taken = [...taken, { conversationId, text, isKept, number }];
  }

  function known(seen: number): void {
    taken = taken.filter(({ number }) => number > seen);
  }

  return {
    sent(text, conversationId, seen) {
      const composer = composers.of(conversationId);
      const draft = drafts.written(conversationId, text, seen);
      if (draft === composer.draft && typingIn !== conversationId) return;
      // The page would take the old refusal for the result of this message.
      composer.refusal = undefined;
      composer.draft = draft;
      tell(conversationId);
    },
    leave(conversationId, { draft, rest }) {
      const composer = composers.of(conversationId);
      if (rest === undefined || composer.draft !== draft) return;
      composer.draft = rest;
      tell(conversationId);
    },
    changed({ type, text }, conversationId, seen) {
      const composer = composers.of(conversationId);
      const draft = drafts.written(conversationId, text, seen);
      // A refusal stays until the text changes.
      const wasRefused = draft !== composer.draft && composer.refusal !== undefined;
      if (wasRefused) composer.refusal = undefined;
      composer.draft = draft;
      if (type === 'typed' && channel.isOpen() && !wasRefused) typingIn = conversationId;
      else tell(conversationId);
    },
    typingEnded() {
      if (typingIn !== undefined) tell(typingIn);
    },
    take,
    known,
    retake(seen = Number.POSITIVE_INFINITY) {
      known(seen);
      const missed = taken;
      taken = [];
      for (const { conversationId, text, isKept } of missed) take(conversationId, text, isKept);
    },
  };
}
