/** Edited questions that are not sent, as the database has them: with the window that they are of. */
import * as v from 'valibot';
import type { Editing, Unsent } from '../conversation/unsent.ts';
import type { Decoder, Fields } from '../validation/decode.ts';

/** Which window wrote it. */
export interface Owner {
  /** Empty when the window was closed. */
  readonly window: string;
  readonly pid: number;
  /** Until when the window is sure to be open, in epoch milliseconds. Earlier versions didn't write it. */
  readonly until?: number;
}

export type OwnedEdit = Editing & Owner;

export interface StoredEdits {
  /** The one that was edited last in any window. */
  readonly editing: OwnedEdit | undefined;
  /** The others of all windows. */
  readonly otherEdits: readonly OwnedEdit[];
}

export const otherEdit: Decoder<OwnedEdit> = v.object({
  exchangeId: v.string(),
  text: v.string(),
  window: v.string(),
  pid: v.number(),
  until: v.exactOptional(v.number()),
} satisfies Fields<OwnedEdit>);

/** An earlier version of the extension has written no owner. */
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
 * The edits that a window opens a conversation with: its own, and those that windows left which no longer run. Without any, it
 * opens with the one that another window edits.
 *
 * @param isThere whether the window of an edit, which is another one, runs still
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
 * The edits after a window has written: it replaces the texts that it has written itself, and what it has got from windows that
 * no longer run. What another window has written stays beside that, also of the same question, until that window gives it up.
 *
 * @param parts those that the window has changed
 * @param before what the window had before; undefined if it replaces what is stored
 * @param isThere whether the window of an edit, which is another one, runs still
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
  // It is in the box of another window, or this one has never had it.
  const isOthers =
    last !== undefined &&
    !isOwn(last) &&
    (isThere(last) || (before !== undefined && !isSameEdit(before.editing, last)));
  const others = stored.otherEdits.filter(
    (one) => !isOwn(one) && (isThere(one) || before?.otherEdits.some((had) => isSameEdit(had, one)) !== true),
  );
  const had = stored.otherEdits.filter(isOwn);
  // What this window edits, while another one has edited a question since.
  const aside = isChanged ? [] : had.filter((one) => isSameEdit(one, before?.editing));
  const own = 'otherEdits' in parts ? parts.otherEdits : before?.otherEdits;
  return {
    editing,
    otherEdits: [
      // First, because the window opens with the box of it.
      ...(isChanged && isOthers ? [last] : []),
      ...others,
      ...aside,
      ...(own?.map((one) => ({ ...toEditing(one), ...owner })) ?? had.filter((one) => !aside.includes(one))),
    ],
  };
}
