/** Which proposals are under review after others were made. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toFileProposal } from '../../../../src/review/proposal.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createProposals } = await withEditorStub(
  () => import('../../../../src/editor/proposals/proposalList.ts'),
);

const fileOf = (uri: string, before: string, after: string, isNew = false) =>
  toFileProposal({ uri, label: uri, isNew, before, after, asked: undefined, unplaced: [] });

const start = () =>
  createProposals({
    store: { load: () => [], save: () => undefined, dispose: () => undefined },
    listed: () => new Set(['c']),
    onDidList: () => ({ dispose: () => undefined }) as never,
  });

const madeOf = (turnId: string, file: ReturnType<typeof fileOf>) => ({
  turnId,
  conversationId: 'c',
  files: [file],
  trouble: undefined,
  revises: undefined,
});

describe('A proposal of a new file that another one has replaced', () => {
  it('is under review again as one of a new file, and so is the other one after that', () => {
    const uri = 'file:///new.txt';
    const proposals = start();
    const by = { replaces: () => false, askedIn: () => [] };
    const [one, other] = ['a\n', 'b\n'].map((text) =>
      proposals.add(madeOf(text, fileOf(uri, '', text, true)), by),
    );
    assert.ok(one && other);
    const shown = (id: string) =>
      proposals
        .get(id)
        ?.files.map(({ isNew, replacedBy, hunks }) => [
          isNew,
          replacedBy,
          ...hunks.map(({ state }) => state),
        ]);
    assert.deepEqual(
      [shown(one.id), shown(other.id)],
      [[[true, other.id, 'open']], [[true, undefined, 'open']]],
    );
    proposals.reopen(one.id, uri);
    assert.deepEqual(
      [shown(one.id), shown(other.id)],
      [[[true, undefined, 'open']], [[true, one.id, 'open']]],
    );
    proposals.reopen(other.id, uri);
    assert.deepEqual(
      [shown(one.id), shown(other.id)],
      [[[true, other.id, 'open']], [[true, undefined, 'open']]],
    );
    proposals.dispose();
  });
});
