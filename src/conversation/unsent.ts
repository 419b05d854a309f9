/** The parts of the message box beside the text of the draft: attachments, choices, and the question that is being edited. */
import { allExchanges } from './allExchanges.ts';
import { versionsOf } from './branches.ts';
import { type ContextItem, hasLines, toItemText } from './context/context.ts';
import type { Conversation } from './conversation.ts';
import type { AttachedImage } from './images/imagePlan.ts';
import { typedWords } from './shownQuestion.ts';

/** A question that is being edited, and its text so far. */
export interface Editing {
  readonly exchangeId: string;
  readonly text: string;
}

/** The user's choices for the messages of a conversation. They are kept after sending, and the last choice in any window counts. */
export interface Choices {
  /** The name of the preset. */
  readonly preset: string | undefined;
  /** The instructions of the project are left out. */
  readonly leavesOut: true | undefined;
}

export interface Unsent extends Choices {
  readonly images: readonly AttachedImage[];
  readonly context: readonly ContextItem[];
  /** The question that was edited last. A panel opens with its box. */
  readonly editing: Editing | undefined;
  /** Other edited questions of this window: in the box of another panel, or being sent. */
  readonly otherEdits: readonly Editing[];
}

type Attached = Pick<Unsent, 'images' | 'context'>;

export const NOTHING_CHOSEN: Choices = { preset: undefined, leavesOut: undefined };
export const NOTHING_UNSENT: Unsent = {
  images: [],
  context: [],
  editing: undefined,
  otherEdits: [],
  ...NOTHING_CHOSEN,
};

/**
 * The edit at the version of its question that is shown, which may have changed in another window. Undefined if no version is
 * shown.
 */
export function editingIn(conversation: Conversation, editing: Editing): Editing | undefined {
  const isEdited = ({ id }: { readonly id: string }) => id === editing.exchangeId;
  if (conversation.exchanges.some(isEdited)) return editing;
  const shown = conversation.exchanges.find(({ id }) => versionsOf(conversation, id).some(isEdited));
  return shown && { ...editing, exchangeId: shown.id };
}

export interface MovedEdit {
  /** The id of the question that was edited. */
  readonly from: string;
  /** The id of the version that is shown; undefined if there is none. */
  readonly to: string | undefined;
}

/** The edits whose question is shown in another version, or not at all, with the new places of their boxes. */
export function movedEdits(
  conversation: Conversation,
  { editing, otherEdits }: Pick<Unsent, 'editing' | 'otherEdits'>,
): readonly MovedEdit[] {
  // A deleted conversation is shown without its questions, and can be restored.
  if (conversation.exchanges.length === 0) return [];
  return [...(editing === undefined ? [] : [editing]), ...otherEdits].flatMap((edit) => {
    const to = editingIn(conversation, edit)?.exchangeId;
    return to === edit.exchangeId ? [] : [{ from: edit.exchangeId, to }];
  });
}

/** Whether an edit has a text that differs from that of its question. */
export function isWritten(conversation: Conversation, { exchangeId, text }: Editing): boolean {
  const question = allExchanges(conversation).find(({ id }) => id === exchangeId)?.question;
  return text.trim() !== '' && text !== (question && (typedWords(question)?.typed ?? question.text));
}

/**
 * The draft and the edit when a conversation is opened again. A page has one box for an edit. Edits without a box, and edits
 * whose question isn't shown anymore, go to the end of the draft, where the user finds them.
 */
export function reopenDraft(
  conversation: Conversation,
  draft: string,
  { editing, otherEdits }: Pick<Unsent, 'editing' | 'otherEdits'>,
): { readonly draft: string; readonly editing: Editing | undefined } {
  const edits = [...(editing === undefined ? [] : [editing]), ...otherEdits];
  const boxed = edits.find((edit) => editingIn(conversation, edit) !== undefined);
  const isBoxed = ({ exchangeId, text }: Editing) => exchangeId === boxed?.exchangeId && text === boxed.text;
  // A window that was killed may have stored the edit in the box a second time, as one that was being sent.
  const others = edits.filter((edit) => !isBoxed(edit));
  // Two windows can have stored the same edit.
  const isFirst = (edit: Editing, at: number) =>
    others.findIndex((one) => one.exchangeId === edit.exchangeId && one.text === edit.text) === at;
  const texts = others
    .filter((edit, at) => isFirst(edit, at) && isWritten(conversation, edit))
    .map(({ text }) => text);
  return {
    draft: withTexts(draft, texts),
    editing: boxed && editingIn(conversation, boxed),
  };
}

/** A draft with texts at its end. */
export const withTexts = (draft: string, texts: readonly string[]): string =>
  [draft, ...texts].filter((text) => text !== '').join('\n');

/**
 * The attachments after a window has changed `before` to `now` and finds `stored`, which another window may have changed:
 * everything that either has added, without anything that either has removed.
 */
export function mergeAttached(before: Attached, now: Attached, stored: Attached): Attached {
  return {
    images: mergeList(before.images, now.images, stored.images, ({ url }) => url),
    context: mergeList(before.context, now.context, stored.context, toPlace),
  };
}

/** Identifies an item, because each is attached once in a message. For lines and terminal output, the label isn't enough. */
const toPlace = (item: ContextItem): string => {
  const { kind, uri, label } = item;
  return JSON.stringify([kind, uri, label, hasLines(item) || kind === 'terminal' ? toItemText(item) : '']);
};

/** @param toKey identifies an item among the others, even after its text was read again */
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
