/** Stores unsent edits of questions, each with the window that it belongs to. */
import * as v from 'valibot';
import type { Editing, Unsent } from '../conversation/unsent.ts';
import type { Decoder, Fields } from '../validation/decode.ts';

/** The window that wrote an edit. */
export interface Owner {
  /** Empty when the window was closed. */
  readonly window: string;
  readonly pid: number;
  /** Until when the window is known to be open, in epoch milliseconds. Earlier versions didn't write this. */
  readonly until?: number;
}

export type OwnedEdit = Editing & Owner;

export interface StoredEdits {
  /** The latest edit in any window. */
  readonly editing: OwnedEdit | undefined;
  /** The other edits of all windows. */
  readonly otherEdits: readonly OwnedEdit[];
}

export const otherEdit: Decoder<OwnedEdit> = v.object({
  exchangeId: v.string(),
  text: v.string(),
  window: v.string(),
  pid: v.number(),
  until: v.exactOptional(v.number()),
} satisfies Fields<OwnedEdit>);

/** Earlier versions of the extension didn't write an owner. */
export const lastEdit: Decoder<OwnedEdit> = v.object({
  exchangeId: v.string(),
  text: v.string(),
  window: v.optional(v.string(), ''),
  pid: v.optional(v.number(), 0),
  until: v.exactOptional(v.number()),
} satisfies Fields<OwnedEdit>);

const isSameEdit = (one: Editing | undefined, other: Editing | undefined): boolean =>
  one?.exchangeId === other?.exchangeId && one?.text === other?.text;

const toEditing = ({ exchangeId, text }: Editing): Editing => ({ exchangeId, text });

/**
 * The edits that a window shows when it opens a conversation: its own, and those of windows that no longer run. If there are none,
 * the edit of another window.
 *
 * @param isThere whether the window of an edit, which is another one, still runs
 */
export function editsOf(
  { editing, otherEdits }: StoredEdits,
  { window }: Pick<Owner, 'window'>,
  isThere: (owner: Owner) => boolean,
): Pick<Unsent, 'editing' | 'otherEdits'> {
  const isFree = (one: Owner) => one.window === window || !isThere(one);
  const own = otherEdits.filter(isFree).map(toEditing);
  const isOpen = editing !== undefined && (isFree(editing) || own.length === 0);
  return { editing: isOpen ? toEditing(editing) : undefined, otherEdits: own };
}

/**
 * The stored edits after a window has written. The window replaces its own edits, and those that it took over from windows that no
 * longer run. Edits of another window stay beside them, also for the same question, until that window gives them up.
 *
 * @param parts the parts that the window has changed
 * @param before the edits that the window had before; undefined if it replaces the stored ones
 * @param isThere whether the window of an edit, which is another one, still runs
 */
export function withEdits(
  stored: StoredEdits,
  parts: Partial<Unsent>,
  before: Pick<Unsent, 'editing' | 'otherEdits'> | undefined,
  owner: Owner,
  isThere: (owner: Owner) => boolean,
): StoredEdits {
  const isOwn = (one: Owner) => one.window === owner.window;
  const isChanged =
    'editing' in parts && (before === undefined || !isSameEdit(before.editing, parts.editing));
  const last = stored.editing;
  const editing = isChanged ? parts.editing && { ...toEditing(parts.editing), ...owner } : last;
  // The latest edit is being written in another window, or this window has never shown it.
  const isOthers =
    last !== undefined &&
    !isOwn(last) &&
    (isThere(last) || (before !== undefined && !isSameEdit(before.editing, last)));
  const others = stored.otherEdits.filter(
    (one) => !isOwn(one) && (isThere(one) || before?.otherEdits.some((had) => isSameEdit(had, one)) !== true),
  );
  const had = stored.otherEdits.filter(isOwn);
  // The current edit of this window, if another window has edited a question since.
  const aside = isChanged ? [] : had.filter((one) => isSameEdit(one, before?.editing));
  const own = 'otherEdits' in parts ? parts.otherEdits : before?.otherEdits;
  return {
    editing,
    otherEdits: [
      // First, because the other window opens the conversation with it.
      ...(isChanged && isOthers ? [last] : []),
      ...others,
      ...aside,
      ...(own?.map((one) => ({ ...toEditing(one), ...owner })) ?? had.filter((one) => !aside.includes(one))),
    ],
  };
}
