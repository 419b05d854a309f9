/** What the templates of the transcript can read and do. */
import type { TurnText, TurnView } from '../../panel/views.ts';
import type { PageContext } from '../base/pageContext.ts';
import type { Editing } from '../composer/editBox.ts';

export interface TranscriptContext extends PageContext {
  /** The element that shows a streaming text. */
  readonly text: (kind: 'answer' | 'reasoning', turnId: string, text: string, ended: boolean) => HTMLElement;
  /** The element that shows an ended structured answer. */
  readonly structured: (turn: TurnView & TurnText) => HTMLElement;
  /** The map of a turn, if it is open. */
  readonly map: (exchangeId: string, turn: TurnView & TurnText) => unknown;
  /** The question that is being edited, if any. */
  readonly editing: () => Editing | undefined;
  readonly edit: (next: Editing | undefined) => void;
  /** Opens the edit box or, if the question is being edited already, focuses it. */
  readonly beginEdit: (next: Editing) => void;
  /** Posts the text of the edit box that waits for a pause. */
  readonly flushEdit: () => void;
}
