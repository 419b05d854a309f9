/** What the panel's templates may read and do. */
import type { WebviewMessage } from '../panel/messages.ts';
import type { TurnText, TurnView } from '../panel/views.ts';
import type { PanelWord } from '../panel/words.ts';
import type { AutoScroll } from './autoScroll.ts';
import type { Mentions } from './mention.ts';

export interface Editing {
  readonly exchangeId: string;
  readonly text: string;
}

/** What templates may do. */
export interface AppContext {
  readonly post: (message: WebviewMessage) => void;
  readonly word: (key: PanelWord, ...values: readonly (string | number)[]) => string;
  /** Whether a disclosure is open; `otherwise` until the reader has touched it. */
  readonly isOpen: (id: string, otherwise: boolean) => boolean;
  readonly toggle: (id: string, otherwise: boolean) => void;
  /** The element that shows a text which grows. */
  readonly text: (kind: 'answer' | 'reasoning', turnId: string, text: string, ended: boolean) => HTMLElement;
  /** The element that shows an answer that was asked for as JSON, once it has ended. */
  readonly structured: (turn: TurnView & TurnText) => HTMLElement;
  /** Epoch milliseconds on the host's clock, by which turns are timed. */
  readonly now: () => number;
  readonly draft: () => string;
  readonly setDraft: (text: string) => void;
  readonly send: () => void;
  /** The question that is being asked in other words, if one is. */
  readonly editing: () => Editing | undefined;
  readonly edit: (next: Editing | undefined) => void;
  /** Begins to edit the last question; false when there is none. */
  readonly editLast: () => boolean;
  readonly mentions: Mentions;
  readonly autoScroll: Pick<AutoScroll, 'toEnd'>;
}
