/**
 * A simple model of a document under review, with which the real code is compared. The model follows tags of lines and never
 * compares two texts, so it shares nothing with the real code.
 */
import assert from 'node:assert/strict';
import type { Proposal } from '../../../src/review/proposals/proposal.ts';
import { checkProposal, checkUnchanged } from './checks.ts';
import {
  areBeside,
  hasAccepted,
  hunksOf,
  isDecided,
  isReplaced,
  type KnownProposal,
  lastLines,
  type Moment,
  placeOf,
  type Remembered,
  rangeOf,
  renew,
  toCreated,
  toKnown,
  toMoment,
} from './knownHunks.ts';
import { type Change, type LineEnd, type Lines, textOf, withChange } from './lines.ts';

export interface ReviewModel {
  text(): string;
  lines(): Lines;
  end(): LineEnd;
  exists(): boolean;
  /** The document was changed by typing. */
  typed(changes: readonly Change[]): void;
  /** The document has different lines, by a change of the complete text or while it was closed. */
  replaced(lines: Lines, closed: boolean): void;
  endsChanged(): void;
  canGo(direction: -1 | 1): boolean;
  /** Undo or redo. */
  went(direction: -1 | 1): void;
  /** A manual change that restores the text before the last step. */
  proposed(proposal: Proposal, texts: readonly string[]): void;
  rejected(proposal: Proposal, ids: ReadonlySet<string>): void;
  /** The rejected hunks of a proposal are under review again. */
  restored(proposal: Proposal): void;
  accepted(proposal: Proposal, ids: ReadonlySet<string>): void;
  forgetHistory(): void;
  deleted(): void;
  /** Someone else created the file, with these lines. */
  created(lines: Lines): void;
  /** The lines of the file when it was deleted; none if it was never there. */
  deletedLines(): Lines;
  /** Compares the shown hunks with the model. */
  check(proposals: readonly Proposal[]): void;
}

export interface ModelStart {
  readonly lines: Lines;
  readonly lineEnd: LineEnd;
  readonly unique: boolean;
  readonly exists: boolean;
}

export function createReviewModel({ lines: start, lineEnd, unique, exists }: ModelStart): ReviewModel {
  let history: Moment[] = [toMoment(start, lineEnd)];
  let at = 0;
  let known: readonly KnownProposal[] = [];
  /** The required states, if the text is that of an earlier step. */
  let expected: ReadonlyMap<string, Remembered> | undefined;

  let closed: ReadonlySet<string> = new Set();

  /** All texts that the document has had. */
  const texts = new Set<string>([textOf(start, lineEnd)]);

  /** The document at the time when its file was deleted or would have been deleted. Undefined while the file exists. */
  let gone: Moment | undefined = exists ? undefined : toMoment([], lineEnd);

  const now = (): Moment => history[at] as Moment;
  const text = () => textOf(now().lines, now().end);

  function push(lines: Lines, end: LineEnd, unseen: boolean): void {
    now().unseen = unseen;
    const isAgain = texts.has(textOf(lines, end));
    texts.add(textOf(lines, end));
    // It isn't known which of equal lines led to the same text as before, and hunks are where they were in it.
    if (!unique && isAgain)
      for (const proposal of known) for (const hunk of proposal.hunks.values()) hunk.rank = undefined;
    history = [...history.slice(0, at + 1), toMoment(lines, end)];
    at += 1;
    expected = undefined;
  }

  /** After an unobserved change, a hunk must be found again only between the same lines. */
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

  /** The document is opened again or replaced by another one, so its undo history is empty. */
  function open(lines: Lines, end: LineEnd): void {
    history = [toMoment(lines, end)];
    at = 0;
    expected = undefined;
  }

  /** The file exists again, with these lines. */
  function appear(lines: Lines, end: LineEnd): void {
    losePlaces((gone ?? now()).lines, lines);
    gone = undefined;
    open(lines, end);
  }

  /** Accepting a new file creates it. */
  function create(owner: KnownProposal, lines: Lines, end: LineEnd): void {
    appear(lines, end);
    owner.isNew = false;
    owner.weak = false;
    for (const hunk of owner.hunks.values()) hunk.lost = false;
  }

  return {
    text,
    lines: () => now().lines,
    end: () => now().end,
    exists: () => gone === undefined,
    deletedLines: () => gone?.lines ?? [],
    typed(changes) {
      const { lines, end } = now();
      const descending = changes.toSorted((a, b) => b.offset - a.offset);
      const next = descending.reduce((all, change) => withChange(all, change, end), lines);
      // Where the text is the same, nobody can say which of equal lines are new.
      push(textOf(next, end) === text() ? lines : next, end, false);
    },
    replaced(lines, closed) {
      const { lines: before, end } = now();
      if (closed) open(lines, endOfOpened(lines, end));
      else push(lines, end, true);
      losePlaces(before, lines);
    },
    endsChanged() {
      const { lines, end } = now();
      // Positions in texts with the earlier line ends are dropped.
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
      assert.equal(file.isNew, gone !== undefined, 'a file that exists is not new');
      assert.equal(file.before, text(), 'the proposal is for the current text');
      if (file.isNew) now().end = '\n';
      assert.ok(
        texts.includes(file.after),
        `proposed ${JSON.stringify(file.after)}, meant ${JSON.stringify(texts)}`,
      );
      known = [...known, toKnown(proposal.id, file, now())];
    },
    rejected(proposal, ids) {
      for (const { hunk, state } of hunksOf(proposal)) {
        const mine = known.find(({ id }) => id === proposal.id)?.hunks.get(hunk.id);
        if (mine !== undefined && ids.has(hunk.id) && state !== 'accepted') mine.rejected = true;
      }
    },
    restored(proposal) {
      expected = undefined;
      closed = new Set([...closed].filter((id) => id !== proposal.id));
      const owner = known.find(({ id }) => id === proposal.id);
      for (const { hunk, state } of hunksOf(proposal)) {
        const mine = owner?.hunks.get(hunk.id);
        if (owner === undefined || mine === undefined || state !== 'rejected') continue;
        // The text may have changed unobserved since the hunk was rejected, and the states in other texts are dropped.
        owner.weak = true;
        mine.rejected = false;
        mine.lost = true;
        for (const moment of history) moment.states.delete(`${proposal.id} ${hunk.id}`);
      }
    },
    accepted(proposal, ids) {
      const { lines, end } = now();
      const owner = known.find(({ id }) => id === proposal.id);
      const chosen = isReplaced(proposal)
        ? []
        : hunksOf(proposal).filter(({ hunk, state }) => ids.has(hunk.id) && state === 'open');
      if (chosen.length === 0 || (gone !== undefined && owner?.isNew !== true)) return;
      let next = lines;
      for (const one of chosen.toReversed()) {
        const mine = owner?.hunks.get(one.hunk.id);
        assert.ok(owner && mine);
        if (mine.atEnd) mine.after = lastLines(mine.after, one.hunk.after.endsWith('\n'));
        if (mine.wasAccepted) renew(owner, mine, end);
        const { from, to } = rangeOf(one, lines, end);
        next = [...next.slice(0, from + mine.lead), ...mine.after.slice(mine.lead), ...next.slice(to)];
      }
      if (owner?.isNew) create(owner, next, end);
      else push(next, end, false);
      expected = new Map(
        chosen.map(({ hunk }) => [
          `${proposal.id} ${hunk.id}`,
          { state: 'accepted', lost: false, from: undefined },
        ]),
      );
    },
    forgetHistory() {
      // The document of the new name is read from the disk.
      history = [{ ...now(), end: endOfOpened(now().lines, now().end), states: new Map() }];
      at = 0;
    },
    deleted() {
      gone = now();
      open([], gone.end);
    },
    created(lines) {
      appear(lines, endOfOpened(lines, (gone ?? now()).end));
    },
    check(proposals) {
      const moment = now();
      const shown = proposals.filter((one) => !isReplaced(one) && !closed.has(one.id));
      if (gone === undefined)
        known = known.map((mine) =>
          toCreated(mine, shown.find(({ id }) => id === mine.id)?.files[0], moment),
        );
      for (const proposal of shown) {
        const mine = known.find(({ id }) => id === proposal.id);
        if (mine === undefined) continue;
        if (gone !== undefined && !mine.isNew) checkUnchanged(mine, proposal, gone);
        else checkProposal(mine, proposal, moment, expected, unique);
      }
      for (const proposal of proposals.filter((one) => !isReplaced(one)))
        for (const { hunk, state, from } of hunksOf(proposal)) {
          // For a proposal that isn't followed, only the rejected hunks are known, in this text and from now on.
          const mine = known.find(({ id }) => id === proposal.id)?.hunks.get(hunk.id);
          // In a proposal that isn't followed, the user can type the lines of a rejected hunk, too, which is open when they are gone.
          if (state === 'accepted' && mine !== undefined) [mine.rejected, mine.wasAccepted] = [false, true];
          if (closed.has(proposal.id) && state !== 'rejected') continue;
          moment.states.set(`${proposal.id} ${hunk.id}`, { state, lost: mine?.lost ?? false, from });
        }
      // Only the last proposal that was accepted, and those beside it, are still followed, because they may be undone.
      const decided = proposals.filter((one) => !isReplaced(one) && isDecided(one));
      const accepted = decided.filter(hasAccepted);
      const last = accepted.at(-1);
      const followed = accepted.filter((one) => last !== undefined && (one === last || areBeside(one, last)));
      closed = new Set(decided.filter((one) => !followed.includes(one)).map(({ id }) => id));
    },
  };
}

/** A document without a line end is opened with that of the system. */
const endOfOpened = (lines: Lines, end: LineEnd): LineEnd => (lines.some(({ ended }) => ended) ? end : '\n');
