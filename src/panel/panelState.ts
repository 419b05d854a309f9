/** Everything that a page of the chat shows, as the host sends it at first. */
import type { Editing } from '../conversation/unsent.ts';
import type { Surroundings } from './surroundings.ts';
import type { ExchangeView } from './views.ts';
import type { PanelWord } from './words.ts';

export interface PanelState {
  readonly conversationId: string;
  /** The conversation that was opened on the page and can't be read yet. If the page is reloaded, it has to show this conversation. */
  readonly opened?: string;
  /** The number of exchanges before and after the exchanges that were sent. They are sent when the user navigates to them. */
  readonly earlier: number;
  readonly later: number;
  readonly exchanges: readonly ExchangeView[];
  readonly surroundings: Surroundings;
  readonly draft: string;
  /** The question that is being edited. */
  readonly editing: Editing | undefined;
  /** The questions that are edited in any panel, and of which another version is shown now: from their id to the id of that version. */
  readonly movedEdits?: readonly { readonly from: string; readonly to: string | undefined }[];
  /** The host's clock in epoch milliseconds; in a remote window, the host is another machine. */
  readonly now: number;
  /** Localized texts of the webview's controls. */
  readonly words: Readonly<Record<PanelWord, string>>;
}
