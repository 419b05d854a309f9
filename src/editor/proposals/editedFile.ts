/** Places edits in a file, as a proposal for it. */
import type { Origin } from '../../conversation/question.ts';
import { placeEdits, replaceSpan, type UnplacedEditReason } from '../../review/edits/editPlacement.ts';
import type { ProposedEdit } from '../../review/edits/proposalAnswer.ts';
import { type FileProposal, toFileProposal } from '../../review/proposals/proposal.ts';
import { leavesMarker } from '../../text/conflicts.ts';
import { findMissingCell } from '../workspace/notebookTexts.ts';
import {
  type AskedLines,
  findAskedSpan,
  findChangedSpan,
  isAboutConflict,
  wholeAnswerTo,
} from './askedFile.ts';
import type { TargetFile } from './proposalFiles.ts';

/**
 * The proposal for a file with edits.
 *
 * @param origin the first lines of the question
 * @param more the other lines of the question, also those of other files
 */
export function toEdited(
  target: TargetFile,
  edits: readonly ProposedEdit[],
  origin: AskedLines | undefined,
  more: readonly AskedLines[] = [],
): FileProposal {
  const isIn = ({ uri }: Origin) => uri === target.uri.toString();
  const lines = origin && isIn(origin) ? origin : undefined;
  const asked = lines && findAskedSpan(target.text, lines);
  if (target.unread !== undefined) return toUnplaced(target, edits, target.unread);
  // No file is created at the URI of a missing cell.
  const isMissing = findMissingCell(target.uri) !== undefined || edits.some(({ find }) => find !== '');
  if (!target.exists && isMissing) return toUnplaced(target, edits, 'file-missing');
  // A new file without text has no lines to review.
  if (!target.exists && edits.every(({ replace }) => replace === ''))
    return toUnplaced(target, edits.slice(0, 1), 'no-text');
  const whole = origin === undefined ? undefined : wholeAnswerTo(edits, origin);
  if (whole !== undefined && asked !== undefined)
    return toProposal(target, replaceSpan(target.text, asked, whole, target.lineEnd), asked);
  const here = [...(lines ? [lines] : []), ...more.filter(isIn)];
  const placeOf = (one: AskedLines) => findAskedSpan(target.text, one) ?? findChangedSpan(target.text, one);
  const all = here.flatMap((one) => placeOf(one) ?? []);
  const sent = here.find((one) => findAskedSpan(target.text, one) === undefined)?.whole;
  const { after, unplaced } = placeEdits(target.text, edits, all, target.lineEnd, sent);
  if (asked !== undefined && origin && isAboutConflict(origin) && leavesMarker(target.text, after))
    return toUnplaced(target, edits, 'marker-left');
  return toProposal(target, after, all.length === 1 ? all[0] : undefined, unplaced);
}

export const toUnplaced = (
  target: TargetFile,
  edits: readonly ProposedEdit[],
  reason: UnplacedEditReason,
): FileProposal =>
  toProposal(
    target,
    target.text,
    undefined,
    edits.map((edit) => ({ edit, reason })),
  );

export function toProposal(
  { uri, label, exists, text, lineEnd }: TargetFile,
  after: string,
  asked: FileProposal['asked'],
  unplaced: FileProposal['unplaced'] = [],
): FileProposal {
  return toFileProposal({
    uri: uri.toString(),
    label,
    isNew: !exists,
    before: text,
    after,
    asked,
    unplaced,
    lineEnd,
  });
}
