/** The edited questions of a conversation in one window: each is in the box of a page, or in none. */
import type { Editing, Unsent } from './unsent.ts';

/** Identifies a page. */
export type Page = object;

export interface BoxedEdit {
  readonly edit: Editing;
  /** The page that has it in its box. Undefined for one that was not sent, or whose page was closed or shows another conversation. */
  readonly page: Page | undefined;
}

/**
 * The edited questions after the box of a page has changed. The page replaces what it had, or what it was given from no box. What
 * other pages have stays, also of the same question, and so does what the page doesn't know of.
 *
 * @param page undefined if the page shows another conversation by now
 * @param before the id of the question whose box it was until now; undefined if the page had none
 * @param next what is edited now; undefined if the box was closed
 */
export function withBox(
  edits: readonly BoxedEdit[],
  page: Page | undefined,
  before: string | undefined,
  next: Editing | undefined,
): readonly BoxedEdit[] {
  const own = page && edits.find((one) => one.page === page);
  const isKnown = own !== undefined && [before, next?.exchangeId].includes(own.edit.exchangeId);
  const given = own?.edit.exchangeId === before ? undefined : before;
  const isReplaced = (one: BoxedEdit) =>
    one === own
      ? isKnown
      : one.page === undefined && (one.edit.exchangeId === given || isSame(one.edit, next));
  const kept = edits
    .filter((one) => !isReplaced(one))
    .map((one) => (one === own ? { ...one, page: undefined } : one));
  return next === undefined ? kept : [...kept, { edit: next, page }];
}

/**
 * The edited questions after a page has opened the conversation. It keeps its own. Without one, it gets the last one that is in no
 * box. `texts` are those of the others in no box, for the message box: a page has one box, and nobody would find them.
 *
 * @param toShown the edit at the version of its question that is shown; undefined if there is no place for the box
 */
export function withOpened(
  edits: readonly BoxedEdit[],
  page: Page,
  toShown: (edit: Editing) => Editing | undefined,
): { readonly edits: readonly BoxedEdit[]; readonly texts: readonly string[] } {
  const mine = edits.filter((one) => one.page === undefined || one.page === page);
  const shown = mine.filter(({ edit }) => toShown(edit) !== undefined);
  const given = shown.find((one) => one.page === page) ?? shown.at(-1);
  return {
    edits: edits
      .filter((one) => !mine.includes(one) || one === given)
      .map((one) => (one === given ? { edit: toShown(one.edit) ?? one.edit, page } : one)),
    texts: mine.filter((one) => one !== given).map(({ edit }) => edit.text),
  };
}

/** The edited questions after a page was closed, or shows another conversation. */
export const withLeft = (edits: readonly BoxedEdit[], page: Page): readonly BoxedEdit[] =>
  edits.map((one) => (one.page === page ? { ...one, page: undefined } : one));

/** What a page shows in its box: its own, or else the one that was edited last on any page. */
export const boxOf = (edits: readonly BoxedEdit[], page: Page): Editing | undefined =>
  (edits.find((one) => one.page === page) ?? edits.at(-1))?.edit;

/** As they are kept. */
export const toUnsentEdits = (edits: readonly BoxedEdit[]): Pick<Unsent, 'editing' | 'otherEdits'> => ({
  editing: edits.at(-1)?.edit,
  otherEdits: edits.slice(0, -1).map(({ edit }) => edit),
});

const isSame = (one: Editing, other: Editing | undefined): boolean =>
  one.exchangeId === other?.exchangeId && one.text === other.text;
