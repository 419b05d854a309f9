/** Commands of the extension host to a page, such as to reveal a place. They wait until the page is ready. */
import type { FoundPlace } from '../conversations/conversationSearch.ts';
import type { PanelChannel } from './panelChannel.ts';
import type { PanelPosts } from './panelPosts.ts';

/** A message that waits until the page is ready. */
export type PanelCommand =
  | { readonly type: 'focus' | 'refocus' | 'open-find' }
  | ({ readonly type: 'reveal' } & FoundPlace)
  | { readonly type: 'why'; readonly turnId: string | undefined; readonly words: string | undefined }
  | { readonly type: 'show-map'; readonly exchangeId: string; readonly turnId: string }
  | ({ readonly type: 'step'; readonly words?: string } & StepPlace);

/** A step of the reasoning of a turn, or the places of the answer that mention it. Steps count from 0. */
export interface StepPlace {
  readonly exchangeId: string;
  readonly turnId: string;
  readonly step: number;
  readonly part: 'reasoning' | 'answer';
}

export interface PanelCommands {
  /** Sends the command now, or when the page is ready. */
  send(command: PanelCommand): void;
  /** The page is ready: sends the waiting commands in their order. */
  ready(): void;
  /** A page that is still loading no longer takes the focus. */
  forgetFocus(): void;
}

export interface PanelCommandsDeps {
  readonly channel: Pick<PanelChannel, 'isOpen' | 'send'>;
  readonly posts: Pick<PanelPosts, 'reach'>;
}

export function createPanelCommands({ channel, posts }: PanelCommandsDeps): PanelCommands {
  let waiting: readonly PanelCommand[] = [];

  function send(command: PanelCommand): void {
    if (!channel.isOpen()) {
      waiting = [...waiting, command];
      return;
    }
    if ('exchangeId' in command) posts.reach(command.exchangeId);
    channel.send(command);
  }

  return {
    send,
    ready() {
      const all = waiting;
      waiting = [];
      all.forEach(send);
    },
    forgetFocus() {
      waiting = waiting.filter(({ type }) => type !== 'focus');
    },
  };
}
