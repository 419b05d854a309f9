/** Merges the decisions on a proposal that is open in two windows. */
import { isDeepStrictEqual } from 'node:util';
import { type AnchoredHunk, rejectHunk, restoreHunk } from '../hunks/anchors.ts';
import { addedLinesOf } from '../hunks/hunks.ts';
import { NO_STEPS } from '../hunks/undoSteps.ts';
import { type FileProposal, hasOpenIn, isUndecidedHunk, type Proposal } from './proposal.ts';
import { isTrimmed } from './trimmedLines.ts';

/**
 * The proposal of this window, with the decisions that only the other window has made: hunks that were rejected or are under review
 * again, and files that were replaced. Returns the same object if there are none. Accepted hunks are found in the text of the file,
 * which both windows follow, if their lines are found.
 *
 * @param mine the proposal in this window
 * @param base the proposal when both windows last had the same
 * @param theirs the proposal in the other window
 */
export function withDecidedElsewhere(mine: Proposal, base: Proposal, theirs: Proposal): Proposal {
  const files = mine.files.map((file, at) =>
    withJoinedFile(file, fileIn(base, file, at), fileIn(theirs, file, at)),
  );
  return files.every((file, at) => file === mine.files[at]) ? mine : { ...mine, files };
}

/**
 * The proposal that this window writes over that of the other one. A file that this window hasn't changed since `base` stays as the
 * other window has it, for example accepted.
 *
 * @param base the proposal when both windows last had the same
 */
export function joinedWith(mine: Proposal, base: Proposal, theirs: Proposal): Proposal {
  const joined = withDecidedElsewhere(mine, base, theirs);
  const files = joined.files.map((file, at) => keptOf(file, at, mine, base, theirs) ?? file);
  return files.every((file, at) => file === joined.files[at]) ? joined : { ...joined, files };
}

/**
 * The new common base after this window has read the proposal of the other one. A file that this window hasn't changed is taken from
 * `next`, so that it still counts as unchanged.
 *
 * @param next the proposal in this window from now on
 */
export function baseAfter(mine: Proposal, base: Proposal, theirs: Proposal, next: Proposal): Proposal {
  const files = theirs.files.map((file, at) =>
    keptOf(file, at, mine, base, theirs) === undefined ? file : (placeIn(next, file, at) ?? file),
  );
  return files.every((file, at) => file === theirs.files[at]) ? theirs : { ...theirs, files };
}

/**
 * The file of the other window, if only that window has changed it. The URI of a cell is that of this window, because the cells can
 * have other numbers there.
 */
function keptOf(
  file: FileProposal,
  at: number,
  ...all: readonly [Proposal, Proposal, Proposal]
): FileProposal | undefined {
  const [mine, base, theirs] = all.map((one) => placeIn(one, file, at));
  const isChanged = (one: FileProposal | undefined) => !isDeepStrictEqual(toPlain(one), toPlain(base));
  if (base === undefined || theirs === undefined || isChanged(mine) || !isChanged(theirs)) return undefined;
  return isCellAddress(file.uri) ? { ...theirs, uri: file.uri, label: file.label } : theirs;
}

/** The same file in another version of the proposal: by its URI, a cell as in `fileIn`. */
const placeIn = (proposal: Proposal, file: FileProposal, at: number): FileProposal | undefined =>
  isCellAddress(file.uri) ? fileIn(proposal, file, at) : proposal.files.find(({ uri }) => uri === file.uri);

/** The stored form of a file, without the parts that each window creates anew. */
function toPlain(file: FileProposal | undefined): unknown {
  if (file === undefined) return undefined;
  const uri = isCellAddress(file.uri) ? '' : file.uri;
  return JSON.parse(JSON.stringify({ ...file, uri, label: '', steps: NO_STEPS }));
}

/**
 * The same file in another version of the proposal. If only one window knows that it was renamed, it is the file at the same index
 * with the same texts. A cell is that file first, because its URI can be that of another cell there, also of one with the same texts.
 */
function fileIn(
  { files }: Proposal,
  { uri, before, after }: FileProposal,
  at: number,
): FileProposal | undefined {
  const hasTexts = (one: FileProposal | undefined) => one?.before === before && one.after === after;
  const placed = hasTexts(files[at]) ? files[at] : undefined;
  return isCellAddress(uri)
    ? (placed ?? files.find((one) => one.uri === uri && hasTexts(one)))
    : (files.find((one) => one.uri === uri) ?? placed);
}

const isCellAddress = (uri: string): boolean => uri.startsWith('vscode-notebook-cell:');

/**
 * The hunk as accepted, if the other window has seen it accepted and the text shows it. The editor reports a save in the other
 * window as one change here, after which the lines of a hunk may not be told from others.
 *
 * @param place the hunk in the other window, if the texts are the same in both
 * @param isDone whether the text has the proposed lines at that place
 * @param text the text in this window: the other window may not have saved its text, and the user may have typed in these lines here
 */
function acceptedThere(
  one: AnchoredHunk,
  place: AnchoredHunk | undefined,
  isDone: (place: AnchoredHunk) => boolean,
  text: string,
): AnchoredHunk {
  const isStale = one.state === 'stale' && (place !== undefined || hasAdded(one, text));
  const isIn = isStale || (one.state === 'open' && place !== undefined && isDone(place));
  return isIn ? { ...(place ?? one), state: 'accepted' } : one;
}

/** Whether a text has the lines that a hunk adds. */
function hasAdded({ hunk }: AnchoredHunk, text: string): boolean {
  const added = addedLinesOf(hunk);
  return added !== '' && `\n${text}\n`.includes(`\n${added.replace(/\n$/, '')}\n`);
}

function withJoinedFile(
  mine: FileProposal,
  base: FileProposal | undefined,
  theirs: FileProposal | undefined,
): FileProposal {
  if (base === undefined || theirs === undefined) return mine;
  const hunkIn = ({ hunks }: FileProposal, { hunk }: AnchoredHunk) =>
    hunks.find((one) => one.hunk.id === hunk.id);
  const decided = (one: AnchoredHunk): AnchoredHunk => {
    const [was, now] = [hunkIn(base, one), hunkIn(theirs, one)];
    if (was === undefined || now === undefined) return one;
    // Compared with `was`, because the hunk can have been accepted and undone, or reverted, before it was rejected.
    if (now.state === 'rejected' && isUndecidedHunk(one) && was.state !== 'rejected') return rejectHunk(one);
    const isBack = one.state === 'rejected' && was.state === 'rejected' && now.state !== 'rejected';
    const here = isBack && !hasOpenIn(mine.hunks, one) ? restoreHunk(one, mine.text) : one;
    const place = mine.text === theirs.text && now.hunk.after === one.hunk.after ? now : undefined;
    // Only one window has known the later proposal that has put the original lines back when they came.
    const isPutBack = (found: AnchoredHunk) => found.putBack === true && was.putBack !== true;
    if (isPutBack(now) && here.state === 'open')
      return place ?? { ...here, state: 'accepted', putBack: true };
    if (isPutBack(here) && isUndecidedHunk(now)) return here;
    const isAccepted =
      now.state === 'accepted' && was.state !== 'accepted' && now.hunk.after === one.hunk.after;
    const timesIn = (text: string) => text.split(one.hunk.before).length;
    // A hunk that only deletes has no lines to look for, and equal lines beside its place can be the deleted ones or the user's. So
    // the number of times that its lines occur decides.
    const isDone = ({ hunk, from, to }: AnchoredHunk) =>
      from < to
        ? isTrimmed(mine.text.slice(from, to), hunk.after)
        : timesIn(mine.text) < timesIn(base.text) + (was.state === 'accepted' ? 1 : 0);
    // The old lines are back. They came together with other changes in this window, so the hunk stayed accepted here.
    const isUndone = place?.state === 'open' || (place?.state === 'stale' && was.state === 'accepted');
    if (here.state === 'accepted' && isUndone && !isDone(here)) return place;
    return isAccepted ? acceptedThere(here, place, isDone, mine.text) : here;
  };
  const hunks = mine.hunks.map(decided);
  const replacedBy = mine.replacedBy === base.replacedBy ? theirs.replacedBy : mine.replacedBy;
  const isSameList = (one: FileProposal['beside'], other: FileProposal['beside']) =>
    one?.join() === other?.join();
  const beside = isSameList(mine.beside, base.beside) ? theirs.beside : mine.beside;
  const isSame = replacedBy === mine.replacedBy && isSameList(beside, mine.beside);
  return isSame && hunks.every((one, at) => one === mine.hunks[at])
    ? mine
    : { ...mine, hunks, replacedBy, beside };
}
