/** The edited questions of a conversation in one window. Each edit is in the box of one page, or waits for a page. */
import type { Editing, Unsent } from './unsent.ts';

/** Identifies a page. */
export type Page = object;

export interface BoxedEdit {
  readonly edit: Editing;
  /**
   * The page that has the edit in its box, or had it last. Undefined if the edit was stored before the window opened, or couldn't
   * be sent.
   */
  readonly page: Page | undefined;
  /** Whether that page still shows the conversation. */
  readonly isOpen: boolean;
}

/** An edit that waits for a page. */
export const toFree = (edit: Editing): BoxedEdit => ({ edit, page: undefined, isOpen: false });

export interface BoxChange {
  /** Undefined if no page made the change. Then the next edit waits for a page. */
  readonly page: Page | undefined;
  /** Whether the page shows the conversation. It doesn't if the change comes late. */
  readonly isOpen: boolean;
  /** The id of the question that was edited in the box until now. Undefined if the page had no box. */
  readonly before: string | undefined;
  /** The edit in the box now. Undefined if the box was closed. */
  readonly next: Editing | undefined;
  /** Whether an edit belongs to a question, which is given by the id of any of its versions. */
  isAt(edit: Editing, exchangeId: string | undefined): boolean;
}

/**
 * The edited questions after the box of a page has changed. The page replaces its own edit, or one without a page that was given
 * to it. Edits of other pages stay, even of the same question, and so do edits that the page doesn't know.
 */
export function withBox(
  edits: readonly BoxedEdit[],
  { page, isOpen, before, next, isAt }: BoxChange,
): readonly BoxedEdit[] {
  const own = page && edits.find((one) => one.page === page);
  const isOwnBefore = own !== undefined && isAt(own.edit, before);
  const isKnown = isOwnBefore || (own !== undefined && isAt(own.edit, next?.exchangeId));
  const isReplaced = (one: BoxedEdit) =>
    one === own
      ? isKnown
      : one.page === undefined && ((!isOwnBefore && isAt(one.edit, before)) || isSame(one.edit, next));
  const kept = edits.filter((one) => !isReplaced(one)).map((one) => (one === own ? toFree(one.edit) : one));
  return next === undefined ? kept : [...kept, { edit: next, page, isOpen }];
}

/**
 * The edited questions after a page has opened the conversation. A page with an edit keeps it. Another page gets the last edit
 * whose page no longer shows the conversation.
 *
 * @param isShown whether a version of the edited question is shown, so that there is a place for the box
 * @returns `left` has the other edits whose page doesn't show the conversation. A page has only one box, so users wouldn't find
 * them.
 */
export function withOpened(
  edits: readonly BoxedEdit[],
  page: Page,
  isShown: (edit: Editing) => boolean,
): { readonly edits: readonly BoxedEdit[]; readonly left: readonly BoxedEdit[] } {
  const free = edits.filter((one) => !one.isOpen || one.page === page);
  const shown = free.filter(({ edit }) => isShown(edit));
  const given = shown.find((one) => one.page === page) ?? shown.at(-1);
  const opened = edits.map((one) => {
    if (one === given) return { edit: one.edit, page, isOpen: true };
    return free.includes(one) ? toFree(one.edit) : one;
  });
  return { edits: opened, left: opened.filter(({ isOpen }) => !isOpen) };
}

/** The edited questions after a page was closed, or shows another conversation. */
export const withLeft = (edits: readonly BoxedEdit[], page: Page): readonly BoxedEdit[] =>
  edits.map((one) => (one.page === page ? { ...one, isOpen: false } : one));

/** The edit in the box of a page. */
export const boxOf = (edits: readonly BoxedEdit[], page: Page): Editing | undefined =>
  edits.find((one) => one.page === page && one.isOpen)?.edit;

/** The edits in the form in which they are stored. */
export const toUnsentEdits = (edits: readonly BoxedEdit[]): Pick<Unsent, 'editing' | 'otherEdits'> => ({
  editing: edits.at(-1)?.edit,
  otherEdits: edits.slice(0, -1).map(({ edit }) => edit),
});

/** All stored edits. The latest one is last. */
export const fromUnsentEdits = ({
  editing,
  otherEdits,
}: Pick<Unsent, 'editing' | 'otherEdits'>): readonly Editing[] =>
  editing === undefined ? otherEdits : [...otherEdits, editing];

const isSame = (one: Editing, other: Editing | undefined): boolean =>
  one.exchangeId === other?.exchangeId && one.text === other.text;
