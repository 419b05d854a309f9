/**
 * What must be true of a document under review. The model follows tags of lines and never compares two texts, so it
 * shares nothing with the code that it is compared with.
 */
import assert from 'node:assert/strict';
import type { AnchoredHunk, HunkState } from '../../../src/review/anchors.ts';
import type { FileProposal, Proposal } from '../../../src/review/proposal.ts';
import { type Change, freshLines, type LineEnd, type Lines, startsOf, textOf, withChange } from './lines.ts';

/** A hunk as the model knows it. */
interface KnownHunk {
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
  /** Its lines may only stand at the end of the document, because the last one has no line end. */
  readonly atEnd: boolean;
  rejected: boolean;
  wasAccepted: boolean;
  /** A change that nobody saw may have separated the hunk from its lines. */
  lost: boolean;
}

interface KnownProposal {
  readonly id: string;
  readonly hunks: Map<string, KnownHunk>;
  readonly rankOf: Map<number, number>;
  /** Equal lines can't be told apart after a change that nobody saw, so only texts are compared. */
  weak: boolean;
}

interface Remembered {
  readonly state: HunkState;
  readonly lost: boolean;
}

/** The document at one step of the undo history. */
interface Moment {
  lines: Lines;
  end: LineEnd;
  readonly states: Map<string, Remembered>;
  /** Whether the next step was a change of the complete text. */
  unseen: boolean;
}

export interface ReviewModel {
  text(): string;
  lines(): Lines;
  end(): LineEnd;
  /** The document was changed by typing. */
  typed(changes: readonly Change[]): void;
  /** The document has other lines, by a change of the complete text or while it was closed. */
  replaced(lines: Lines, closed: boolean): void;
  endsChanged(): void;
  canGo(direction: -1 | 1): boolean;
  /** Undo or redo. */
  went(direction: -1 | 1): void;
  /** The change that undoes the last step, made by hand. */
  proposed(proposal: Proposal, texts: readonly string[]): void;
  rejected(proposal: Proposal, ids: ReadonlySet<string>): void;
  accepted(proposal: Proposal, ids: ReadonlySet<string>): void;
  forgetHistory(): void;
  /** Compares what is shown with what is true. */
  check(proposals: readonly Proposal[]): void;
}

export function createReviewModel(start: Lines, lineEnd: LineEnd, unique: boolean): ReviewModel {
  let history: Moment[] = [{ lines: start, end: lineEnd, states: new Map(), unseen: false }];
  let at = 0;
  const known: KnownProposal[] = [];
  /** What the states must be now, because the text is one of an earlier step. */
  let expected: ReadonlyMap<string, Remembered> | undefined;

  let closed: ReadonlySet<string> = new Set();

  const now = (): Moment => history[at] as Moment;
  const text = () => textOf(now().lines, now().end);

  function push(lines: Lines, end: LineEnd, unseen: boolean): void {
    now().unseen = unseen;
    history = [...history.slice(0, at + 1), { lines, end, states: new Map(), unseen: false }];
    at += 1;
    expected = undefined;
  }

  /** After a change that nobody saw, a hunk must be found again only between the same lines. */
  function losePlaces(before: Lines, after: Lines): void {
    for (const proposal of known) {
      if (!unique) proposal.weak = true;
      for (const hunk of proposal.hunks.values()) {
        const [was, is] = [placeOf(before, hunk), placeOf(after, hunk)];
        const same =
          was !== undefined && is !== undefined && was.above === is.above && was.below === is.below;
        if (!same) hunk.lost = true;
      }
    }
  }

  return {
    text,
    lines: () => now().lines,
    end: () => now().end,
    typed(changes) {
      const { lines, end } = now();
      const descending = changes.toSorted((a, b) => b.offset - a.offset);
      push(
        descending.reduce((all, change) => withChange(all, change, end), lines),
        end,
        false,
      );
    },
    replaced(lines, closed) {
      const { lines: before, end } = now();
      push(lines, end, true);
      losePlaces(before, lines);
      if (closed) history = history.slice(at);
      if (closed) at = 0;
    },
    endsChanged() {
      const { lines, end } = now();
      // Positions in texts with the other line ends are forgotten.
      for (const moment of history) moment.states.clear();
      push(lines, end === '\n' ? '\r\n' : '\n', true);
    },
    canGo: (direction) => history[at + direction] !== undefined,
    went(direction) {
      const { lines } = now();
      const unseen = (history[direction === -1 ? at - 1 : at] as Moment).unseen;
      at += direction;
      expected = new Map(now().states);
      if (unseen || expected.size === 0) losePlaces(lines, now().lines);
      for (const proposal of known)
        for (const [id, hunk] of proposal.hunks) {
          const then = expected.get(`${proposal.id} ${id}`);
          if (then !== undefined) hunk.lost = then.lost;
        }
    },
    proposed(proposal, texts) {
      const [file] = proposal.files;
      if (file === undefined) return;
      assert.equal(file.before, text(), 'the proposal is for the current text');
      assert.ok(
        texts.includes(file.after),
        `proposed ${JSON.stringify(file.after)}, meant ${JSON.stringify(texts)}`,
      );
      known.push(toKnown(proposal.id, file, now()));
    },
    rejected(proposal, ids) {
      for (const { hunk, state } of hunksOf(proposal)) {
        const mine = known.find(({ id }) => id === proposal.id)?.hunks.get(hunk.id);
        if (mine !== undefined && ids.has(hunk.id) && state !== 'accepted') mine.rejected = true;
      }
    },
    accepted(proposal, ids) {
      const { lines, end } = now();
      const owner = known.find(({ id }) => id === proposal.id);
      const chosen = isReplaced(proposal)
        ? []
        : hunksOf(proposal).filter(({ hunk, state }) => ids.has(hunk.id) && state === 'open');
      if (chosen.length === 0) return;
      let next = lines;
      for (const one of chosen.toReversed()) {
        const mine = owner?.hunks.get(one.hunk.id);
        assert.ok(owner && mine);
        if (mine.wasAccepted) renew(owner, mine, end);
        const { from, to } = rangeOf(one, lines, end);
        next = [...next.slice(0, from + mine.lead), ...mine.after.slice(mine.lead), ...next.slice(to)];
      }
      push(next, end, false);
      expected = new Map(
        chosen.map(({ hunk }) => [`${proposal.id} ${hunk.id}`, { state: 'accepted', lost: false }]),
      );
    },
    forgetHistory() {
      history = [{ ...now(), states: new Map() }];
      at = 0;
    },
    check(proposals) {
      const moment = now();
      const shown = proposals.filter((one) => !isReplaced(one) && !closed.has(one.id));
      for (const proposal of shown) {
        const mine = known.find(({ id }) => id === proposal.id);
        if (mine === undefined) continue;
        checkProposal(mine, proposal, moment, expected, unique);
      }
      for (const proposal of shown)
        for (const { hunk, state } of hunksOf(proposal)) {
          const lost = known.find(({ id }) => id === proposal.id)?.hunks.get(hunk.id)?.lost ?? false;
          moment.states.set(`${proposal.id} ${hunk.id}`, { state, lost });
        }
      // Only the last proposal that was accepted is still followed, because that may be undone.
      const decided = proposals.filter((one) => !isReplaced(one) && isDecided(one));
      closed = new Set(decided.filter((one) => one !== decided.findLast(hasAccepted)).map(({ id }) => id));
    },
  };
}

const hunksOf = (proposal: Proposal): readonly AnchoredHunk[] => proposal.files[0]?.hunks ?? [];
const isReplaced = (proposal: Proposal): boolean => proposal.files[0]?.replacedBy !== undefined;
const isDecided = (proposal: Proposal): boolean =>
  hunksOf(proposal).every(({ state }) => state === 'accepted' || state === 'rejected');

const hasAccepted = (proposal: Proposal): boolean =>
  hunksOf(proposal).some(({ state }) => state === 'accepted');

/** The hunks of a new proposal: complete lines of the document, from the top, none touching another. */
function toKnown(id: string, file: FileProposal, { lines, end }: Moment): KnownProposal {
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
  return { id, hunks, rankOf, weak: false };
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
    lost: false,
  };
}

/** Lines that were deleted by undo are others when the hunk is accepted once more. */
function renew({ rankOf }: KnownProposal, hunk: KnownHunk, end: LineEnd): void {
  const added = freshLines(textOf(hunk.after.slice(hunk.lead), end));
  hunk.after = [...hunk.after.slice(0, hunk.lead), ...added];
  if (hunk.rank !== undefined) for (const { tag } of added) rankOf.set(tag, hunk.rank);
}

/** A change that had no place when it was proposed, and whose lines were typed since. */
const toLateHunk = (one: AnchoredHunk, moment: Moment): KnownHunk => toKnownHunk(one, undefined, moment);

/** The lines of a hunk's range. It must begin and end between two lines. */
function rangeOf({ from, to }: { readonly from: number; readonly to: number }, lines: Lines, end: LineEnd) {
  const starts = startsOf(lines, end);
  const [first, last] = [starts.indexOf(from), starts.lastIndexOf(to)];
  assert.ok(first !== -1 && last !== -1, 'a hunk begins and ends between two lines');
  return { from: first, to: last };
}

/** Where the lines before or after a hunk are complete and unchanged in the document. */
function placeOf(lines: Lines, hunk: KnownHunk) {
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

function checkProposal(
  mine: KnownProposal,
  proposal: Proposal,
  moment: Moment,
  expected: ReadonlyMap<string, Remembered> | undefined,
  unique: boolean,
): void {
  let stop = 0;
  for (const one of hunksOf(proposal)) {
    const hunk = mine.hunks.get(one.hunk.id) ?? toLateHunk(one, moment);
    mine.hunks.set(one.hunk.id, hunk);
    const name = `hunk ${one.hunk.id} is ${one.state}`;
    const then = expected?.get(`${proposal.id} ${one.hunk.id}`)?.state;
    // What was lost may be found on the way back.
    if (then !== undefined && (then !== 'stale' || one.state !== 'open')) {
      const wanted = hunk.rejected && then !== 'accepted' ? 'rejected' : then;
      assert.equal(one.state, wanted, `${name}, as in the same text before`);
    }
    // Of equal lines it can't be said which of them the user typed or deleted.
    const wasTyped = then === undefined && (one.state === 'accepted') !== hunk.wasAccepted;
    if (!unique && wasTyped) hunk.rank = undefined;
    if (one.state === 'open') {
      assert.ok(one.from >= stop, `${name} and doesn't overlap another`);
      stop = one.to;
      checkPlace(mine, hunk, one, 'before', moment, name);
    }
    if (one.state === 'accepted' && !hunk.wasAccepted) {
      checkPlace(mine, hunk, one, 'after', moment, name);
      hunk.wasAccepted = true;
    }
    // The user has typed what was rejected before.
    if (one.state === 'accepted') hunk.rejected = false;
    if (then === 'rejected') hunk.rejected = true;
    assert.equal(one.state === 'rejected', hunk.rejected, `${name}, rejected: ${hunk.rejected}`);
    if (!mine.weak && !hunk.lost) checkFound(hunk, one, moment, name);
  }
}

/** An open hunk must stand on its lines, between the lines that were above and below it. */
function checkPlace(
  mine: KnownProposal,
  hunk: KnownHunk,
  one: AnchoredHunk,
  which: 'before' | 'after',
  { lines, end }: Moment,
  name: string,
): void {
  assert.equal(textOf(lines, end).slice(one.from, one.to), one.hunk[which], `${name} where its lines are`);
  const { from, to } = rangeOf(one, lines, end);
  if (mine.weak || hunk.rank === undefined) return;
  for (const [index, { tag }] of lines.entries()) {
    const rank = mine.rankOf.get(tag);
    if (rank === undefined) continue;
    if (index < from) assert.ok(rank <= hunk.rank, `${name} above a line that was below it`);
    else if (index >= to) assert.ok(rank >= hunk.rank, `${name} below a line that was above it`);
    else assert.equal(rank, hunk.rank, `${name} on a line of others`);
  }
}

/** A hunk whose lines are there must not be lost. */
function checkFound(hunk: KnownHunk, one: AnchoredHunk, { lines }: Moment, name: string): void {
  const place = placeOf(lines, hunk);
  if (place === undefined) return;
  if (place.which === 'after') {
    assert.equal(one.state, 'accepted', `${name}, but its new lines are there`);
    return;
  }
  // Lines that were typed below the line above can be those that the hunk adds.
  const inserts = hunk.lead === hunk.before.length;
  if (inserts && hunk.wasAccepted && place.below !== hunk.below) return;
  const wanted = hunk.rejected ? 'rejected' : 'open';
  if (one.state !== 'accepted' || !inserts)
    assert.equal(one.state, wanted, `${name}, but its old lines are there`);
}
