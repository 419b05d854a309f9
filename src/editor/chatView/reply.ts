import type { Editing } from '../../conversation/unsent.ts';

/** The reply to the panel that sent a message. Changes of the conversation reach the panel separately. */
export interface Reply {
  /** The message was sent or queued, so the page clears its text box. */
  readonly taken?: boolean;
  /** Text that could not be sent and has no other place, to put into the message box. */
  readonly compose?: string;
  /** A question to edit in its place. */
  readonly edit?: Editing;
  /** The question of `edit` was edited in its place, and could not be sent. */
  readonly isReturned?: true;
  /** Words of an answer that the user chose to ask about. */
  readonly why?: { readonly turnId: string; readonly words: string } | undefined;
}
