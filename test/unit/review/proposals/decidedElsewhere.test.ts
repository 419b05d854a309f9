import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withDecidedElsewhere } from '../../../../src/review/proposals/decidedElsewhere.ts';
import { withPlacedAgain } from '../../../../src/review/proposals/placedAgain.ts';
import {
  type Proposal,
  toFileProposal,
  withRejected,
  withRestored,
} from '../../../../src/review/proposals/proposal.ts';
import { withText } from '../../../../src/review/proposals/proposalTextChanges.ts';

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
