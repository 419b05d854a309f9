import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  baseAfter,
  joinedWith,
  withDecidedElsewhere,
} from '../../../../src/review/proposals/decidedElsewhere.ts';
import { withPlacedAgain } from '../../../../src/review/proposals/placedAgain.ts';
import {
  type FileProposal,
  type Proposal,
  toFileProposal,
  withRejected,
  withRestored,
} from '../../../../src/review/proposals/proposal.ts';
import { withChanges, withText } from '../../../../src/review/proposals/proposalTextChanges.ts';

const CELL = 'vscode-notebook-cell:/a.ipynb#W0sc2No';
const OTHER = 'vscode-notebook-cell:/a.ipynb#W1sc2No';

const fileOf = (uri: string, before: string) =>
  toFileProposal({ uri, label: uri, isNew: false, before, after: 'now\n', asked: undefined, unplaced: [] });

const proposalOf = (...files: Proposal['files']): Proposal => ({
  ...{ id: 'p', turnId: 't', conversationId: 'c', createdAt: 0 },
  ...{ trouble: undefined, revises: undefined, files },
});

describe('A hunk in a cell that another window has rejected', () => {
  it('is not one of another cell, which has that address in this window', () => {
    const file = fileOf(CELL, 'theirs\n');
    const rejected = withRejected(file, new Set(file.hunks.map(({ hunk }) => hunk.id)));
    const mine = proposalOf(fileOf(CELL, 'mine\n'), fileOf(OTHER, 'theirs\n'));
    const [base, theirs] = [file, rejected].map((one) => proposalOf(fileOf(OTHER, 'mine\n'), one));
    assert.ok(base && theirs);
    const joined = withDecidedElsewhere(mine, base, theirs);
    assert.deepEqual(
      joined.files.map(({ uri, hunks }) => [uri, hunks[0]?.state]),
      [
        [CELL, 'open'],
        [OTHER, 'rejected'],
      ],
    );
  });
});

describe('Hunks in two cells that have other numbers in another window', () => {
  const THIRD = 'vscode-notebook-cell:/a.ipynb#W2sc2No';
  const accepted = (file: FileProposal) =>
    withChanges(file, [{ offset: 0, removed: file.text.length, inserted: file.after }], file.after);
  const statesOf = ({ files }: Proposal) =>
    files.map(({ uri, label, before, hunks }) => [uri, label, before, hunks[0]?.state]);
  const [first, second] = [fileOf(CELL, 'first\n'), fileOf(OTHER, 'second\n')];
  const base = proposalOf(first, second);
  const theirs = proposalOf(accepted(fileOf(OTHER, 'first\n')), fileOf(THIRD, 'second\n'));
  const joined = [
    [CELL, CELL, 'first\n', 'accepted'],
    [OTHER, OTHER, 'second\n', 'open'],
  ];

  it('are each written with those of the same cell there, under the URIs of this window', () => {
    assert.deepEqual(statesOf(joinedWith(proposalOf(accepted(first), second), base, theirs)), joined);
    // A cell that only the other window has changed.
    assert.deepEqual(statesOf(joinedWith(base, base, theirs)), joined);
    // The cells were numbered anew in this window since both had the same.
    const before = proposalOf(fileOf(THIRD, 'first\n'), fileOf(CELL, 'second\n'));
    assert.deepEqual(statesOf(joinedWith(base, before, theirs)), joined);
  });

  it('are each written with those of the same cell there, also if both cells have the same text', () => {
    const [one, other] = [fileOf(CELL, 'same\n'), fileOf(OTHER, 'same\n')];
    const there = proposalOf(accepted(fileOf(OTHER, 'same\n')), fileOf(THIRD, 'same\n'));
    const states = statesOf(joinedWith(proposalOf(one, other), proposalOf(one, other), there));
    assert.deepEqual(states, [
      [CELL, CELL, 'same\n', 'accepted'],
      [OTHER, OTHER, 'same\n', 'open'],
    ]);
  });

  it('count as unchanged in this window only if those of the same cell are', () => {
    const next = withDecidedElsewhere(base, base, theirs);
    const after = baseAfter(base, base, theirs, next);
    assert.deepEqual(
      after.files.map(({ before, hunks }) => [before, hunks[0]?.state]),
      [
        ['first\n', 'open'],
        ['second\n', 'open'],
      ],
    );
  });
});

describe('A hunk that another window has decided', () => {
  const [before, after] = ['a\nb\nc\nd\ne\n', 'a\nB\nc\nd\ne\n'];
  const proposed = toFileProposal({
    ...{ uri: 'file:///a', label: 'a', isNew: false, before, after, asked: undefined, unplaced: [] },
  });
  const to = (file: FileProposal, offset: number, removed: number, inserted: string) => {
    const text = file.text.slice(0, offset) + inserted + file.text.slice(offset + removed);
    return withChanges(file, [{ offset, removed, inserted }], text);
  };
  const joined = (...files: readonly [FileProposal, FileProposal, FileProposal]) => {
    const [mine, base, theirs] = files.map((one) => proposalOf(one));
    assert.ok(mine && base && theirs);
    return withDecidedElsewhere(mine, base, theirs).files[0]?.hunks.map(({ state }) => state);
  };

  it('is rejected here as well if both had it accepted before, and that was undone', () => {
    const accepted = to(proposed, 2, 2, 'B\n');
    const undone = to(accepted, 2, 2, 'b\n');
    const rejected = withRejected(undone, new Set(['0']));
    assert.deepEqual(joined(undone, accepted, rejected), ['rejected']);
  });

  it('is accepted here as well if its lines were saved together with others beside them', () => {
    const theirs = to(to(proposed, 2, 2, 'B\n'), 4, 2, 'C\nB\n');
    // The editor reports one change, in which they are twice.
    const mine = to(proposed, 2, 4, 'B\nC\nB\n');
    assert.deepEqual([theirs.text, theirs.hunks[0]?.state], [mine.text, 'accepted']);
    assert.equal(mine.hunks[0]?.state, 'stale');
    assert.deepEqual(joined(mine, proposed, theirs), ['accepted']);
    // It may have been rejected in both before, or more was typed there since.
    const rejected = [mine, proposed].map((one) => withRejected(one, new Set(['0'])));
    assert.deepEqual(joined(rejected[0] ?? mine, rejected[1] ?? proposed, theirs), ['accepted']);
    assert.deepEqual(joined(mine, proposed, to(theirs, 0, 0, 'Y\n')), ['accepted']);
  });

  it('is not accepted here while its lines are not in the text, because others were typed in their place', () => {
    const typed = to(proposed, 2, 2, 'a bb c\n');
    assert.equal(typed.hunks[0]?.state, 'stale');
    assert.deepEqual(joined(typed, proposed, to(proposed, 2, 2, 'B\n')), ['stale']);
    assert.deepEqual(joined(to(proposed, 2, 2, 'bB\n'), proposed, to(proposed, 2, 2, 'B\n')), ['stale']);
    const shorter = toFileProposal({ ...proposed, after: 'a\nc\nd\ne\n' });
    assert.deepEqual(joined(to(shorter, 2, 2, 'bb\n'), shorter, to(shorter, 2, 2, '')), ['stale']);
  });

  it('is open in both if its old lines were saved together with others beside them, and it stayed accepted in one of them', () => {
    const accepted = to(proposed, 2, 2, 'B\n');
    const open = to(to(accepted, 2, 2, 'b\n'), 4, 0, 'b\n');
    // The editor reports one change, in which they are twice.
    const stayed = to(accepted, 2, 2, 'b\nb\n');
    assert.deepEqual([stayed.text, stayed.hunks[0]?.state], [open.text, 'accepted']);
    assert.deepEqual(joined(stayed, accepted, open), ['open']);
    assert.deepEqual(joined(open, proposed, stayed), ['open']);
    // The user has changed its lines since.
    const typed = to(accepted, 2, 2, 'BB\n');
    assert.deepEqual(joined(typed, accepted, typed), ['accepted']);
    assert.deepEqual(joined(accepted, accepted, open), ['accepted'], 'the text is another one here');
  });

  it('is accepted in both if it only deletes, and the same lines below it were taken for the deleted ones in one of them', () => {
    const shorter = toFileProposal({ ...proposed, after: 'a\nc\nd\ne\n' });
    const typed = to(shorter, 4, 0, 'b\n');
    const theirs = to(typed, 2, 2, '');
    // The editor reports the smallest change.
    const mine = to(typed, 4, 2, '');
    assert.deepEqual([mine.text, mine.hunks[0]?.state], [theirs.text, 'open']);
    assert.equal(theirs.hunks[0]?.state, 'accepted');
    assert.deepEqual(joined(mine, typed, theirs), ['accepted']);
    assert.deepEqual(joined(theirs, typed, mine), ['accepted']);
  });

  it('is open in both if it only deletes, and its lines were saved again together with others below them', () => {
    const shorter = toFileProposal({ ...proposed, after: 'a\nc\nd\ne\n' });
    const accepted = to(shorter, 2, 2, '');
    const open = to(to(accepted, 2, 0, 'b\n'), 4, 0, 'b\n');
    // The editor reports one change, in which they are twice.
    const stayed = to(accepted, 2, 0, 'b\nb\n');
    assert.deepEqual([stayed.text, stayed.hunks[0]?.state], [open.text, 'accepted']);
    assert.equal(open.hunks[0]?.state, 'open');
    assert.deepEqual(joined(stayed, accepted, open), ['open']);
    assert.deepEqual(joined(open, shorter, stayed), ['open']);
  });

  it('is accepted here as well if its lines have lost the white space at their ends since', () => {
    const longer = toFileProposal({ ...proposed, after: 'a\nb\nB \nc\nd\ne\n' });
    const theirs = to(to(longer, 4, 0, 'B \n'), 5, 1, '');
    const mine = to(longer, 4, 0, 'B\n');
    assert.deepEqual([mine.text, mine.hunks[0]?.state], [theirs.text, 'open']);
    assert.deepEqual(joined(mine, longer, theirs), ['accepted']);
  });

  it('is outdated in both if others were typed between its old lines when they were there again', () => {
    const longer = toFileProposal({ ...proposed, after: 'a\nB\nd\ne\n' });
    const accepted = to(longer, 2, 4, 'B\n');
    const typed = to(to(accepted, 2, 2, 'b\nc\n'), 4, 0, 'X\n');
    const stayed = to(accepted, 2, 2, 'b\nX\nc\n');
    assert.deepEqual(
      [stayed.text, stayed.hunks[0]?.state, typed.hunks[0]?.state],
      [typed.text, 'accepted', 'stale'],
    );
    assert.deepEqual(joined(stayed, accepted, typed), ['stale']);
  });

  it('is open here while its old lines are, although it was accepted there', () => {
    assert.deepEqual(joined(proposed, proposed, to(proposed, 2, 2, 'B\n')), ['open']);
  });
});

describe('A hunk that another window takes up again after it was rejected', () => {
  it('stays rejected while one is open in its lines that has got its place in this window only', () => {
    const unplaced = { edit: { find: 'two\nthree\n', replace: '2\n3\n' }, reason: 'not-there' as const };
    const texts = { before: 'one\ntwo\nthrxee\nfive\nfour\n', after: 'one\nTWO\nthrxee\nfive\nFOUR\n' };
    const proposed = toFileProposal({
      ...{ uri: 'file:///a', label: 'a', isNew: false, asked: undefined },
      ...{ ...texts, unplaced: [unplaced] },
    });
    const rejected = withRejected(proposed, new Set(['0']));
    const mine = withPlacedAgain(withText(rejected, proposed.text.replace('thrxee', 'three')));
    const [base, theirs] = [rejected, withRestored(rejected)].map((one) => proposalOf(one));
    assert.ok(base && theirs);
    const [file] = withDecidedElsewhere(proposalOf(mine), base, theirs).files;
    assert.deepEqual(
      file?.hunks.map(({ hunk, state }) => [hunk.after, state]),
      [
        ['TWO\n', 'rejected'],
        ['2\n3\n', 'open'],
        ['FOUR\n', 'open'],
      ],
    );
  });
});
