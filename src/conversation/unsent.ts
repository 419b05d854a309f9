/** What is in the message box besides the text of the draft, what is chosen in it, and the question that is being edited. */
import type { ContextItem } from './context/context.ts';
import type { Conversation } from './conversation.ts';
import { versionsOf } from './edits.ts';
import type { AttachedImage } from './images/imagePlan.ts';

/** A question that is being edited, and its text so far. */
export interface Editing {
  readonly exchangeId: string;
  readonly text: string;
}

/** What the user chose for the messages of a conversation. Sending keeps it, and the last choice of any window counts. */
export interface Choices {
  /** The name of the preset. */
  readonly preset: string | undefined;
  /** The instructions of the project are left out. */
  readonly leavesOut: true | undefined;
}

export interface Unsent extends Choices {
  readonly images: readonly AttachedImage[];
  readonly context: readonly ContextItem[];
  readonly editing: Editing | undefined;
}

export const NOTHING_CHOSEN: Choices = { preset: undefined, leavesOut: undefined };
export const NOTHING_UNSENT: Unsent = { images: [], context: [], editing: undefined, ...NOTHING_CHOSEN };

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

/**
 * What is kept when a window changed `before` to `now` and finds `stored`, which another window may have changed: what
 * either has added, without what either has removed. The question that is being edited is that of the last change. What
 * is chosen is not merged, but written as it is chosen.
 */
export function mergeUnsent(before: Unsent, now: Unsent, stored: Unsent): Unsent {
  return {
    images: mergeList(before.images, now.images, stored.images, ({ url }) => url),
    context: mergeList(before.context, now.context, stored.context, toPlace),
    editing: isSame(before.editing, now.editing) ? stored.editing : now.editing,
    preset: now.preset,
    leavesOut: now.leavesOut,
  };
}

/** The same place is attached once in a message. */
const toPlace = ({ kind, uri, label }: ContextItem): string => JSON.stringify([kind, uri, label]);

/** @param toKey what tells an item from the others, also after its text was read again */
function mergeList<Item>(
  before: readonly Item[],
  now: readonly Item[],
  stored: readonly Item[],
  toKey: (item: Item) => string,
): readonly Item[] {
  if (isSame(before, stored)) return now;
  const had = new Map(before.map((item) => [toKey(item), item]));
  const has = new Map(now.map((item) => [toKey(item), item]));
  const kept = stored
    .filter((item) => has.has(toKey(item)) || !had.has(toKey(item)))
    .map((item) => {
      const own = has.get(toKey(item));
      return own === undefined || isSame(own, had.get(toKey(item))) ? item : own;
    });
  const keys = new Set(stored.map(toKey));
  return [...kept, ...now.filter((item) => !keys.has(toKey(item)) && !had.has(toKey(item)))];
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
