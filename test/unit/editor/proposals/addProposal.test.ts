/** Which hunks an answer replaces without a word. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toFileProposal } from '../../../../src/review/proposals/proposal.ts';
import { EMPTY_STORE } from '../../../support/review/emptyStore.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { conversation, exchange } from '../../history/support.ts';

const { addProposal, createProposals, toSuccession } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/proposals/addProposal.ts')),
  ...(await import('../../../../src/editor/proposals/proposalList.ts')),
}));

const URI = 'file:///a.txt';

const madeOf = (conversationId: string, after: string) => {
  const about = { uri: URI, label: 'a.txt', isNew: false, before: 'a\nb\n', asked: undefined, unplaced: [] };
  return {
    ...{ turnId: 't', conversationId, trouble: undefined, revises: undefined },
    files: [toFileProposal({ ...about, after })],
  };
};

describe('An answer about lines with undecided hunks of another one', () => {
  /** What the user is told about. @param asked when it was asked, from when the hunks were there */
  function lostTo(asked: number): readonly string[] {
    const proposals = createProposals({
      store: EMPTY_STORE,
      listed: () => new Set(['one', 'other']),
      onDidList: () => ({ dispose: () => undefined }) as never,
    });
    const { createdAt } = proposals.add(madeOf('one', 'A\nb\n'));
    const turn = { ...completeTurn('So.'), startedAt: createdAt + asked };
    const asking = exchange('e', 'Change it.', [turn]);
    const origin = { uri: URI, startLine: 0, endLine: 1, text: 'a\nb\n' };
    const by = toSuccession(
      { conversation: conversation('other', [asking]), exchange: asking, turn },
      { origin },
    );
    const lost = addProposal(proposals, madeOf('other', 'x\ny\n'), by);
    const [, { files = [] } = {}] = [proposals.dispose(), proposals.ofConversation('other')[0]];
    assert.deepEqual(
      files.flatMap(({ displaced = [] }) => displaced.map(({ open }) => open)),
      lost.map(() => 1),
    );
    return lost.map(({ proposal }) => proposal.conversationId);
  }

  it('replaces them without a word if they were there when it was asked, and else says so', () => {
    assert.deepEqual(lostTo(1000), []);
    assert.deepEqual(lostTo(-1000), ['one']);
  });

  it('says so if they are of a later attempt, which was there sooner', () => {
    const attempts = ['early', 'late'].map((id) => ({ ...completeTurn('So.'), id }));
    const asking = exchange('e', 'Change it.', attempts);
    const found = { conversation: conversation('one', [asking]), exchange: asking };
    const replaces = (turn = attempts[0], other = 'late') =>
      turn !== undefined &&
      toSuccession({ ...found, turn }, { origin: undefined }).replaces({
        ...madeOf('one', 'A\nb\n'),
        turnId: other,
        id: 'p',
        createdAt: 0,
      });
    assert.equal(replaces(), false);
    assert.equal(replaces(attempts[1], 'early'), true);
  });
});
