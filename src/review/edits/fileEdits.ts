/** Combines the parts of diffs that change one file. An answer can have several parts for a file, in one block or in several. */
import { placeEdits, type UnplacedEdit, withLineEnd } from './editPlacement.ts';
import { withoutLastLineEnd } from './linePlaces.ts';
import type { ProposedEdit } from './proposalAnswer.ts';
import type { FileDiff } from './unifiedDiff.ts';

export interface FileEdits {
  readonly edits: readonly ProposedEdit[];
  /**
   * Changes that have no place in any text: renaming, copying, deleting, another mode, binary contents, and rewriting a file without
   * listing all of its lines.
   */
  readonly unplaced: readonly UnplacedEdit[];
}

type Part = Pick<FileDiff, 'edits' | 'renaming' | 'others' | 'isCounted'>;

/**
 * The edits of a file from all parts that change it, in order. Deleting a file and creating it again rewrites all of it, so this is
 * one edit. It is no edit if the deleted lines are neither those of the file nor as many as the header says, or if the new text has
 * unchanged lines. Later changes of a new text are applied to that text. If all lines are deleted in the end, earlier changes are
 * dropped.
 *
 * @param text the text of the file; undefined if it isn't known, or there is no such file
 */
export function toFileEdits(parts: readonly Part[], text: string | undefined): FileEdits {
  let edits: readonly ProposedEdit[] = [];
  /** The edit that gives the file all of its text. */
  let whole: ProposedEdit | undefined;
  const unplaced: UnplacedEdit[] = [];
  const left = [...parts];
  for (let part = left.shift(); part !== undefined; part = left.shift()) {
    const deletes = part.renaming?.replace === '';
    const now = deletes && edits.length > 0 ? textAfter(text, edits) : text;
    const created = deletes && left[0] && hasText(left[0]) ? left.shift() : undefined;
    const rewriting = created && toRewriting(part, created, text, now);
    if (rewriting !== undefined) {
      whole = rewriting.find === (text ?? '') ? rewriting : undefined;
      edits = whole ? [whole] : [...edits, rewriting];
    } else if (deletes && edits.length > 0 && isAll(part, [now, text])) {
      whole = undefined;
      edits = text ? [{ find: text, replace: '' }] : [];
    } else if (created === undefined) {
      const isFirst = !text && edits.length === 0;
      const fresh = isFirst ? newTextOf(part.edits) : whole && textAfter(whole.replace, part.edits);
      whole = fresh === undefined ? undefined : { find: whole?.find ?? '', replace: fresh };
      edits = whole ? [whole] : [...edits, ...part.edits];
    }
    for (const edit of [...(part.others ?? []), ...(created?.others ?? [])])
      unplaced.push({ edit, reason: 'whole-file' });
    if (rewriting !== undefined) continue;
    for (const edit of created?.edits ?? [])
      unplaced.push({ edit, reason: addsOnly(edit) ? 'file-exists' : 'overlaps' });
    if (part.renaming !== undefined) unplaced.push({ edit: part.renaming, reason: 'whole-file' });
  }
  return { edits, unplaced };
}

/** Whether a part behind a deletion is the new text of the file, also if some of its lines have lost their signs. */
const hasText = ({ edits, renaming }: Part): boolean =>
  renaming === undefined && edits.some(({ replace }) => replace !== '');

/**
 * Whether an edit only adds lines. In a new text, lines that have lost their signs are in `find` as well. Lines that really change
 * belong to the deletion.
 */
const addsOnly = ({ find, replace }: ProposedEdit): boolean => replace.includes(find);

/** The text with the edits applied; undefined if an edit has no place in it. */
function textAfter(text: string | undefined, edits: readonly ProposedEdit[]): string | undefined {
  const { after, unplaced } = placeEdits(text ?? '', edits);
  return unplaced.length === 0 ? after : undefined;
}

/** The text of a new file: its first edits add lines, and others change those. */
function newTextOf(edits: readonly ProposedEdit[]): string | undefined {
  const change = edits.findIndex(({ find }) => find !== '');
  const added = change === -1 ? edits : edits.slice(0, change);
  const text = added.map(({ replace }) => replace).join('');
  return text === '' ? undefined : textAfter(text, edits.slice(added.length));
}

/** Whether a deletion has all lines of one of these texts. */
function isAll({ edits }: Part, texts: readonly (string | undefined)[]): boolean {
  const lines = toBody(edits.map(({ find }) => find).join(''));
  return lines !== '' && texts.some((text) => text && toBody(text) === lines);
}

/** @param now the text after the parts above */
function toRewriting(
  deletion: Part,
  creation: Part,
  text: string | undefined,
  now: string | undefined,
): ProposedEdit | undefined {
  const find = deletion.edits.map((edit) => edit.find).join('');
  const replace = newTextOf(creation.edits);
  // Edits with readings were cut off, so this isn't all of the new text.
  if (replace === undefined || creation.edits.some(({ readings }) => readings)) return undefined;
  // Git leaves out the deleted lines with `--irreversible-delete`.
  if ((text !== undefined && find === '') || isAll(deletion, [text, now]))
    return { find: text ?? '', replace };
  return text === undefined || deletion.isCounted ? { find, replace } : undefined;
}

const toBody = (text: string): string => withoutLastLineEnd(withLineEnd(text, '\n'));
