/** Proposals in the model: the lines of each hunk, by the tags of the lines. */
import assert from 'node:assert/strict';
import type { AnchoredHunk, HunkState } from '../../../src/review/hunks/anchors.ts';
import type { FileProposal, Proposal } from '../../../src/review/proposals/proposal.ts';
import { freshLines, type LineEnd, type Lines, startsOf, textOf } from './lines.ts';

/** A hunk in the model. */
export interface KnownHunk {
  readonly before: readonly number[];
  after: Lines;
  /** Lines at the start of both that are the unchanged line above. */
  readonly lead: number;
  /**
   * The place of the hunk among the lines of the document that it was proposed for. Undefined if it can't be known: a
   * change found its place only later, or the user typed it among equal lines.
   */
  rank: number | undefined;
  readonly below: number | undefined;
  /** Its lines may only be at the end of the document, because the last line has no line end. */
  readonly atEnd: boolean;
  rejected: boolean;
  wasAccepted: boolean;
  /** It was outdated after the previous step. */
  wasStale: boolean;
  /** An unobserved change may have separated the hunk from its lines. */
  lost: boolean;
}

export interface KnownProposal {
  readonly id: string;
  readonly hunks: Map<string, KnownHunk>;
  readonly rankOf: Map<number, number>;
  /** The file didn't exist when the hunk was proposed, and still doesn't. */
  isNew: boolean;
  /** Equal lines can't be told apart after an unobserved change, so only texts are compared. */
  weak: boolean;
}

export interface Remembered {
  readonly state: HunkState;
  readonly lost: boolean;
  /** The offset of the hunk in characters. Undefined if only its state is known. */
  readonly from: number | undefined;
}

/** The document at one step of the undo history. */
export interface Moment {
  lines: Lines;
  end: LineEnd;
  readonly states: Map<string, Remembered>;
  /** Whether the next step was a change of the complete text. */
  unseen: boolean;
}

export const toMoment = (lines: Lines, end: LineEnd): Moment => ({
  lines,
  end,
  states: new Map(),
  unseen: false,
});

export const hunksOf = (proposal: Proposal): readonly AnchoredHunk[] => proposal.files[0]?.hunks ?? [];
export const areBeside = (one: Proposal, other: Proposal): boolean =>
  one.files[0]?.beside?.includes(other.id) === true || other.files[0]?.beside?.includes(one.id) === true;

export const isReplaced = (proposal: Proposal): boolean => proposal.files[0]?.replacedBy !== undefined;
export const isDecided = (proposal: Proposal): boolean =>
  hunksOf(proposal).every(({ state }) => state === 'accepted' || state === 'rejected');

export const hasAccepted = (proposal: Proposal): boolean =>
  hunksOf(proposal).some(({ state }) => state === 'accepted');

/** The hunks of a new proposal: complete lines of the document, from the top, none touching another. */
export function toKnown(id: string, file: FileProposal, { lines, end }: Moment): KnownProposal {
  const rankOf = new Map(lines.map(({ tag }, index) => [tag, index]));
  const hunks = new Map<string, KnownHunk>();
  let stop = 0;
  for (const one of file.hunks) {
    const { from, to } = rangeOf(one, lines, end);
    assert.ok(from >= stop, 'hunks are from the top');
    stop = to;
    const rank = from === to ? from - 0.5 : from;
    const hunk = toKnownHunk(one, rank, { lines, end });
    for (const tag of hunk.before) rankOf.set(tag, rank);
    for (const { tag } of hunk.after) rankOf.set(tag, rank);
    hunks.set(one.hunk.id, hunk);
  }
  return { id, hunks, rankOf, isNew: file.isNew, weak: false };
}

/** A proposed new file that another program created: its hunks are the differences between the two texts. */
export function toCreated(
  known: KnownProposal,
  file: FileProposal | undefined,
  moment: Moment,
): KnownProposal {
  if (file === undefined) return known;
  const text = textOf(moment.lines, moment.end);
  // One that was created empty gets them when text is written into it.
  const isFilled = file.createdEmpty === true && file.hunks.every(({ state }) => state === 'open');
  if (!known.isNew && isFilled && file.before === text) return toKnown(known.id, file, moment);
  if (!known.isNew || file.hunks.every(({ state }) => state === 'rejected')) return known;
  assert.equal(file.isNew, false, 'the file exists');
  const proposed = [...known.hunks.values()].flatMap(({ after }) => after);
  assert.equal(file.after.replaceAll('\r\n', '\n'), textOf(proposed, '\n'), 'the proposed text');
  if (file.hunks.some(({ state }) => state === 'accepted')) return { ...known, isNew: false };
  assert.equal(file.before, text, 'the hunks are for the text of the new file');
  return toKnown(known.id, file, moment);
}

function toKnownHunk(
  one: AnchoredHunk,
  rank: number | undefined,
  { lines, end }: Pick<Moment, 'lines' | 'end'>,
): KnownHunk {
  const { hunk, state } = one;
  assert.equal(state, 'open');
  assert.equal(
    textOf(lines, end).slice(one.from, one.to),
    hunk.before,
    'the hunk has the lines of the document',
  );
  const { from, to } = rangeOf(one, lines, end);
  const lead = freshLines(hunk.after.slice(0, hunk.lead)).length;
  const added = freshLines(hunk.after);
  assert.equal(textOf(added, end), hunk.after, 'the line ends are those of the document');
  return {
    before: lines.slice(from, to).map(({ tag }) => tag),
    after: [...lines.slice(from, from + lead), ...added.slice(lead)],
    lead,
    rank,
    below: lines[to]?.tag,
    atEnd: [hunk.before, hunk.after].some((some) => some !== '' && !some.endsWith('\n')),
    rejected: false,
    wasAccepted: false,
    wasStale: false,
    lost: false,
  };
}

/** The lines of a hunk at the end of a document that meanwhile got its last line end, or lost it again by undo. */
export const lastLines = (lines: Lines, ended: boolean): Lines =>
  lines.map((line, index) => (index === lines.length - 1 ? { ...line, ended } : line));

/** When a hunk is accepted again, its lines get new tags, because undo deleted the earlier lines. */
export function renew({ rankOf }: KnownProposal, hunk: KnownHunk, end: LineEnd): void {
  const added = freshLines(textOf(hunk.after.slice(hunk.lead), end));
  hunk.after = [...hunk.after.slice(0, hunk.lead), ...added];
  if (hunk.rank !== undefined) for (const { tag } of added) rankOf.set(tag, hunk.rank);
}

/** A change that had no place when it was proposed, and whose lines were typed later. */
export const toLateHunk = (one: AnchoredHunk, moment: Moment): KnownHunk =>
  toKnownHunk(one, undefined, moment);

/** The lines of a hunk's range. It must begin and end between two lines. */
export function rangeOf(
  { from, to }: { readonly from: number; readonly to: number },
  lines: Lines,
  end: LineEnd,
) {
  const starts = startsOf(lines, end);
  const [first, last] = [starts.indexOf(from), starts.lastIndexOf(to)];
  assert.ok(first !== -1 && last !== -1, 'a hunk begins and ends between two lines');
  return { from: first, to: last };
}

/** Where the lines before or after a hunk are complete and unchanged in the document. */
export function placeOf(lines: Lines, hunk: KnownHunk) {
  const tags = lines.map(({ tag }) => tag);
  const find = (wanted: readonly number[], which: 'before' | 'after') => {
    const from = wanted.length === 0 ? -1 : tags.indexOf(wanted[0] as number);
    const whole = from !== -1 && wanted.every((tag, index) => tags[from + index] === tag);
    const to = from + wanted.length;
    if (!whole || (hunk.atEnd && to !== lines.length)) return undefined;
    return { which, above: tags[from - 1], below: tags[to] };
  };
  const after = find(
    hunk.after.map(({ tag }) => tag),
    'after',
  );
  if (after !== undefined && hunk.after.length > hunk.lead) return after;
  return find(hunk.before, 'before');
}
