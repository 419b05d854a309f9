/** What is in the message box besides the text of the draft, and the question that is being edited. */
import type { ContextItem } from './context.ts';
import { versionsOf } from './edits.ts';
import type { AttachedImage } from './imagePlan.ts';
import type { Conversation } from './turn.ts';

/** A question that is being edited, and its text so far. */
export interface Editing {
  readonly exchangeId: string;
  readonly text: string;
}

export interface Unsent {
  readonly images: readonly AttachedImage[];
  readonly context: readonly ContextItem[];
  readonly editing: Editing | undefined;
}

export const NOTHING_UNSENT: Unsent = { images: [], context: [], editing: undefined };

/**
 * The edit at the question that is shown in its place: another window may show another version of the question by now.
 * Undefined when no version of it is shown.
 */
export function editingIn(conversation: Conversation, editing: Editing): Editing | undefined {
  const isEdited = ({ id }: { readonly id: string }) => id === editing.exchangeId;
  if (conversation.exchanges.some(isEdited)) return editing;
  const shown = conversation.exchanges.find(({ id }) => versionsOf(conversation, id).some(isEdited));
  return shown && { ...editing, exchangeId: shown.id };
}

/**
 * The draft and the edit when a conversation is opened again. An edit whose question isn't shown anymore goes to the
 * end of the draft, where the user finds it.
 */
export function reopenDraft(
  conversation: Conversation,
  draft: string,
  editing: Editing | undefined,
): { readonly draft: string; readonly editing: Editing | undefined } {
  const shown = editing && editingIn(conversation, editing);
  if (editing === undefined || shown !== undefined) return { draft, editing: shown };
  return { draft: [draft, editing.text].filter((text) => text !== '').join('\n'), editing: undefined };
}
