/** The cards under an answer, and what their buttons do. */

/** An action of a card. The webview sends its name with the turn of the card, and the host runs it. */
export type CardAction =
  | 'retry'
  | 'retry-larger'
  | 'retry-without-format'
  | 'retry-without-effort'
  | 'continue'
  | 'use-suggested-model'
  | 'set-key'
  | 'add-route'
  | 'switch-route'
  | 'check-connection'
  | 'probe-route'
  | 'try-demo'
  | 'edit-routes'
  | 'edit-settings'
  | 'manage-trust'
  | 'show-log'
  | 'new-conversation'
  | 'export'
  | 'summarize'
  | 'omit-oldest-images'
  | 'smaller-images'
  | 'send-results'
  | 'omit-results'
  | 'omit-all-results'
  | 'repair'
  | 'edit-question'
  | 'restore';

/** Actions that send a request, immediately or after a new key was set. Only the last exchange of a conversation can do that. */
export const SENDING_ACTIONS: ReadonlySet<CardAction> = new Set([
  'retry',
  'retry-larger',
  'retry-without-format',
  'retry-without-effort',
  'continue',
  'use-suggested-model',
  'set-key',
  'smaller-images',
  'repair',
]);

export interface CardView {
  /** `problem` needs the user's attention and is an alert; `note` is a status. */
  readonly tone: 'problem' | 'note';
  readonly title: string;
  /** Paragraphs of plain text. */
  readonly body: readonly string[];
  /** Labels and values, such as the number of reasoning tokens and the cost. */
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly actions: readonly { readonly action: CardAction; readonly label: string }[];
  /** The message of the service, verbatim, in a disclosure. */
  readonly serviceWords: string | undefined;
  /** The disclosure is open at first, because only this message gives the reason. */
  readonly wordsFirst?: boolean;
}
