/** Compares the hunks of a proposal with the model's data about them. */
import assert from 'node:assert/strict';
import type { AnchoredHunk } from '../../../src/review/hunks/anchors.ts';
import type { Proposal } from '../../../src/review/proposals/proposal.ts';
import {
  hunksOf,
  type KnownHunk,
  type KnownProposal,
  type Moment,
  placeOf,
  type Remembered,
  rangeOf,
  toLateHunk,
} from './knownHunks.ts';
import { textOf } from './lines.ts';

/** While its file is deleted, a proposal can only be rejected. */
export function checkUnchanged(mine: KnownProposal, proposal: Proposal, { states }: Moment): void {
  for (const { hunk, state } of hunksOf(proposal)) {
    const was = states.get(`${proposal.id} ${hunk.id}`)?.state;
    const wanted = mine.hunks.get(hunk.id)?.rejected ? 'rejected' : was;
    if (wanted !== undefined) assert.equal(state, wanted, `hunk ${hunk.id} of a deleted file is ${state}`);
  }
}

export function checkProposal(
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
    const was = expected?.get(`${proposal.id} ${one.hunk.id}`);
    const then = was?.state;
    // Lost hunks may be found again by undo.
    const isFound = then === 'stale' && one.state === 'open';
    if (then !== undefined && !isFound) {
      const wanted = hunk.rejected && then !== 'accepted' ? 'rejected' : then;
      assert.equal(one.state, wanted, `${name}, as in the same text before`);
      if (one.state === then) assert.equal(one.from, was?.from ?? one.from, `${name}, where it was before`);
    }
    // It isn't known which of several equal lines the user typed or deleted.
    const wasTyped = (then === undefined || isFound) && (one.state === 'accepted') !== hunk.wasAccepted;
    // It also isn't known on which of them a hunk is found again.
    const isBack = one.state === 'open' && hunk.wasStale;
    hunk.wasStale = one.state === 'stale';
    if (!unique && (wasTyped || isBack)) hunk.rank = undefined;
    if (one.state === 'open') {
      assert.ok(one.from >= stop, `${name} and doesn't overlap another`);
      stop = one.to;
      checkPlace(mine, hunk, one, 'before', moment, name);
    }
    if (one.state === 'accepted' && !hunk.wasAccepted) {
      checkPlace(mine, hunk, one, 'after', moment, name);
      hunk.wasAccepted = true;
    }
    // The user has typed the lines of a hunk that was rejected before.
    if (one.state === 'accepted') hunk.rejected = false;
    if (then === 'rejected') hunk.rejected = true;
    assert.equal(one.state === 'rejected', hunk.rejected, `${name}, rejected: ${hunk.rejected}`);
    if (!mine.weak && !hunk.lost) checkFound(hunk, one, moment, name);
  }
}

/** An open hunk must be at its original lines, between the lines that were above and below it. */
function checkPlace(
  mine: KnownProposal,
  hunk: KnownHunk,
  one: AnchoredHunk,
  which: 'before' | 'after',
  { lines, end }: Moment,
  name: string,
): void {
  const there = textOf(lines, end).slice(one.from, one.to);
  // Others can have come between the line above and the lines that are added.
  const skipped = which === 'after' && one.hunk.lead > 0 ? one.hunk.after.slice(0, one.hunk.lead) : '';
  const wanted = one.hunk[which].slice(skipped.length);
  assert.equal(skipped === '' ? there : there.slice(-wanted.length), wanted, `${name} where its lines are`);
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
  // Lines that were typed below the line above the hunk can be the lines that the hunk adds.
  const inserts = hunk.lead === hunk.before.length;
  if (inserts && hunk.wasAccepted && place.below !== hunk.below) return;
  const wanted = hunk.rejected ? 'rejected' : 'open';
  if (one.state !== 'accepted' || !inserts)
    assert.equal(one.state, wanted, `${name}, but its old lines are there`);
}
