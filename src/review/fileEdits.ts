/** What the parts of diffs do with one file: an answer can have several of them, in one block or in several. */
import { type UnplacedEdit, withLineEnd } from './editPlacement.ts';
import { withoutLastLineEnd } from './linePlaces.ts';
import type { ProposedEdit } from './proposalAnswer.ts';
import type { FileDiff } from './unifiedDiff.ts';

export interface FileEdits {
  readonly edits: readonly ProposedEdit[];
  /**
   * What has no place in any text: renaming, copying, deleting, another mode, contents that aren't text, and writing a file again
   * without all of its lines.
   */
  readonly unplaced: readonly UnplacedEdit[];
}

type Part = Pick<FileDiff, 'edits' | 'renaming' | 'others' | 'isCounted'>;

/**
 * The edits of a file by all parts that change it, in order. Deleting a file and creating it again is a way to write all of it,
 * so that is one edit; and none if the deleted lines are neither those of the file nor as many as their header says, or the new text has
 * unchanged lines.
 *
 * @param text the text of the file; undefined if it isn't known, or there is no such file
 */
export function toFileEdits(parts: readonly Part[], text: string | undefined): FileEdits {
  const edits: ProposedEdit[] = [];
  const unplaced: UnplacedEdit[] = [];
  const left = [...parts];
  for (let part = left.shift(); part !== undefined; part = left.shift()) {
    const created = part.renaming?.replace === '' && left[0] && hasText(left[0]) ? left.shift() : undefined;
    const rewriting = created && isNew(created) ? toRewriting(part, created, text) : undefined;
    edits.push(...(rewriting ? [rewriting] : created ? [] : part.edits));
    for (const edit of [...(part.others ?? []), ...(created?.others ?? [])])
      unplaced.push({ edit, reason: 'whole-file' });
    if (rewriting !== undefined) continue;
    unplaced.push(...(created?.edits ?? []).map((edit) => ({ edit, reason: 'file-exists' as const })));
    if (part.renaming !== undefined) unplaced.push({ edit: part.renaming, reason: 'whole-file' });
  }
  return { edits, unplaced };
}

/** Whether a part behind a deletion is the new text, also if some of its lines have lost their signs. */
const hasText = ({ edits, renaming }: Part): boolean =>
  renaming === undefined && edits.some(({ replace }) => replace !== '');

const isNew = ({ edits }: Part): boolean => edits.every(({ find }) => find === '');

function toRewriting(deletion: Part, creation: Part, text: string | undefined): ProposedEdit | undefined {
  const find = deletion.edits.map((edit) => edit.find).join('');
  const replace = creation.edits.map((edit) => edit.replace).join('');
  // Git leaves out the deleted lines with `--irreversible-delete`.
  if (text !== undefined && (find === '' || toBody(find) === toBody(text))) return { find: text, replace };
  return text === undefined || deletion.isCounted ? { find, replace } : undefined;
}

const toBody = (text: string): string => withoutLastLineEnd(withLineEnd(text, '\n'));
