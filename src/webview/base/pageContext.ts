/** What all templates of the chat can read and do. */
import type { WebviewMessage } from '../../panel/webviewMessages.ts';
import type { PanelWord } from '../../panel/words.ts';

export interface PageContext {
  /** Posts to the conversation that is shown, or to another one. */
  readonly post: (message: WebviewMessage, conversationId?: string) => void;
  readonly word: (key: PanelWord, ...values: readonly (string | number)[]) => string;
  /** Whether a disclosure is open. Returns `otherwise` until the user opens or closes it. */
  readonly isOpen: (id: string, otherwise: boolean) => boolean;
  readonly toggle: (id: string, otherwise: boolean) => void;
  /** Epoch milliseconds on the host's clock, which also sets the times of turns. */
  readonly now: () => number;
  /** Renders a text, with links for the paths in it that exist. */
  readonly paths: (text: string) => unknown;
}
