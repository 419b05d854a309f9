import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withDecidedElsewhere } from '../../../../src/review/proposals/decidedElsewhere.ts';
import { type Proposal, toFileProposal, withRejected } from '../../../../src/review/proposals/proposal.ts';

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
