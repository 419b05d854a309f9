/** A proposal that two windows have. */
import { isDeepStrictEqual } from 'node:util';
import { type AnchoredHunk, rejectHunk, restoreHunk } from '../hunks/anchors.ts';
import { addedLinesOf } from '../hunks/hunks.ts';
import { NO_STEPS } from '../hunks/undoSteps.ts';
import { type FileProposal, hasOpenIn, isUndecidedHunk, type Proposal } from './proposal.ts';

/**
 * What this window has, with the hunks rejected or under review again, and the files replaced, that only the other one has decided
 * so; the same object if there are none. What was accepted is in the text of the file, which both follow, if its lines are found.
 *
 * @param base what both had
 */
export function withDecidedElsewhere(mine: Proposal, base: Proposal, theirs: Proposal): Proposal {
  const files = mine.files.map((file, at) =>
    withJoinedFile(file, fileIn(base, file, at), fileIn(theirs, file, at)),
  );
  return files.every((file, at) => file === mine.files[at]) ? mine : { ...mine, files };
}

/**
 * What this window writes over what the other one has: a file of which it has changed nothing since both had it stays as the other
 * one has it, such as accepted.
 *
 * @param base what both had
 */
export function joinedWith(mine: Proposal, base: Proposal, theirs: Proposal): Proposal {
  const joined = withDecidedElsewhere(mine, base, theirs);
  const files = joined.files.map((file) => keptOf(file, mine, base, theirs) ?? file);
  return files.every((file, at) => file === joined.files[at]) ? joined : { ...joined, files };
}

/**
 * What both have from now on, after this window has read what the other one has. Of a file of which it has changed nothing, that is
 * what it has itself, so that it still counts as not changed.
 *
 * @param next what this window has from now on
 */
export function baseAfter(mine: Proposal, base: Proposal, theirs: Proposal, next: Proposal): Proposal {
  const files = theirs.files.map((file) =>
    keptOf(file, mine, base, theirs) === undefined ? file : (next.files.find(isAt(file)) ?? file),
  );
  return files.every((file, at) => file === theirs.files[at]) ? theirs : { ...theirs, files };
}

/** The file as the other window has it, if only that one has changed it. */
function keptOf({ uri }: FileProposal, ...all: readonly [Proposal, Proposal, Proposal]) {
  const [mine, base, theirs] = all.map(({ files }) => files.find(isAt({ uri })));
  const isChanged = (one: FileProposal | undefined) => !isDeepStrictEqual(toPlain(one), toPlain(base));
  return base !== undefined && !isChanged(mine) && isChanged(theirs) ? theirs : undefined;
}

const isAt =
  ({ uri }: Pick<FileProposal, 'uri'>) =>
  (file: FileProposal) =>
    file.uri === uri;

/** As it is stored, without what is made anew in each window. */
const toPlain = (file: FileProposal | undefined): unknown =>
  file && JSON.parse(JSON.stringify({ ...file, label: '', steps: NO_STEPS }));

/**
 * One that only one of the windows knows to be renamed is at the same place, with the same texts. A cell can have the address of
 * another one there.
 */
function fileIn(
  { files }: Proposal,
  { uri, before, after }: FileProposal,
  at: number,
): FileProposal | undefined {
  const hasTexts = (one: FileProposal | undefined) => one?.before === before && one.after === after;
  const isThere = (one: FileProposal) => one.uri === uri && (!isCellAddress(uri) || hasTexts(one));
  const placed = files[at];
  return files.find(isThere) ?? (hasTexts(placed) ? placed : undefined);
}

const isCellAddress = (uri: string): boolean => uri.startsWith('vscode-notebook-cell:');

/**
 * One that the other window has seen accepted. The editor reports all that is saved there as one change here, after which the lines
 * of a hunk may not be told from others.
 *
 * @param place where it is, if the texts are the same in both
 * @param isDone whether the text has its lines at that place
 * @param text the text here: it may not be saved there, or others may have been typed in its lines here
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
    // It can have been accepted and undone, or reverted, before that.
    if (now.state === 'rejected' && isUndecidedHunk(one) && was.state !== 'rejected') return rejectHunk(one);
    const isBack = one.state === 'rejected' && was.state === 'rejected' && now.state !== 'rejected';
    const here = isBack && !hasOpenIn(mine.hunks, one) ? restoreHunk(one, mine.text) : one;
    const isAccepted =
      now.state === 'accepted' && was.state !== 'accepted' && now.hunk.after === one.hunk.after;
    const place = mine.text === theirs.text && now.hunk.after === one.hunk.after ? now : undefined;
    const timesIn = (text: string) => text.split(one.hunk.before).length;
    // One that only deletes has no lines, and those beside its place can be the deleted ones or others of the user that are the same.
    const isDone = ({ hunk, from, to }: AnchoredHunk) =>
      from < to
        ? mine.text.slice(from, to) === hunk.after
        : timesIn(mine.text) < timesIn(base.text) + (was.state === 'accepted' ? 1 : 0);
    // Its old lines are there: they came together with others here, so that it stayed accepted.
    if (here.state === 'accepted' && place?.state === 'open' && !isDone(here)) return place;
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
