/** What the templates of the panel can read and do. */
import type { WebviewMessage } from '../panel/messages.ts';
import type { TurnText, TurnView } from '../panel/views.ts';
import type { PanelWord } from '../panel/words.ts';
import type { AutoScroll } from './autoScroll.ts';
import type { Editing } from './editBox.ts';
import type { Mentions } from './mention.ts';

export interface AppContext {
  readonly post: (message: WebviewMessage) => void;
  readonly word: (key: PanelWord, ...values: readonly (string | number)[]) => string;
  /** Whether a disclosure is open. Returns `otherwise` until the user opens or closes it. */
  readonly isOpen: (id: string, otherwise: boolean) => boolean;
  readonly toggle: (id: string, otherwise: boolean) => void;
  /** The element that shows a streaming text. */
  readonly text: (kind: 'answer' | 'reasoning', turnId: string, text: string, ended: boolean) => HTMLElement;
  /** The element that shows a structured answer after it has ended. */
  readonly structured: (turn: TurnView & TurnText) => HTMLElement;
  /** Epoch milliseconds on the host's clock, which also sets the times of turns. */
  readonly now: () => number;
  readonly draft: () => string;
  readonly setDraft: (text: string) => void;
  readonly send: () => void;
  /** The question that is being edited, if any. */
  readonly editing: () => Editing | undefined;
  readonly edit: (next: Editing | undefined) => void;
  /** Starts editing the last question. Returns false when there is none. */
  readonly editLast: () => boolean;
  /** A text with links where it has paths that exist. */
  readonly paths: (text: string) => unknown;
  readonly mentions: Mentions;
  readonly autoScroll: Pick<AutoScroll, 'toEnd'>;
}
