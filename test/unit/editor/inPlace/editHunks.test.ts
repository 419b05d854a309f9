/** The hunks of edits in the code, beside those of other answers. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Position, TextDocument } from 'vscode';
import { toFileProposal } from '../../../../src/review/proposals/proposal.ts';
import type { UnderReview } from '../../../../src/review/proposals/proposalSet.ts';
import { withChanges } from '../../../../src/review/proposals/proposalTextChanges.ts';
import { EMPTY_STORE } from '../../../support/review/emptyStore.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { conversation, exchange } from '../../history/support.ts';

const { addProposal, createEditHunks, createProposals } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/inPlace/editHunks.ts')),
  ...(await import('../../../../src/editor/proposals/addProposal.ts')),
  ...(await import('../../../../src/editor/proposals/proposalList.ts')),
}));

const URI = 'file:///a.txt';

const fileWith = (before: string, after: string) =>
  toFileProposal({ uri: URI, label: 'a.txt', isNew: false, before, after, asked: undefined, unplaced: [] });

const conversations = (turnId: string) => {
  const turn = { ...completeTurn('So.'), id: turnId };
  const asked = exchange('e', 'Change it.', [turn]);
  return { find: () => ({ conversation: conversation('one', [asked]), exchange: asked, turn }) };
};

describe('A line with a hunk', () => {
  it('has a thread, to which the editor gives the focus, until the hunk is decided, also while others are not', () => {
    const file = fileWith('a\nb\nc\n', 'A\nb\nC\n');
    const text = 'A\nb\nc\n';
    const accepted = withChanges(file, [{ offset: 0, removed: 1, inserted: 'A' }], text);
    const document = {
      uri: URI,
      lineCount: 4,
      positionAt: (at: number) =>
        ({ line: text.slice(0, at).split('\n').length - 1, character: 0 }) as Position,
    } as unknown as TextDocument;
    const isOn = (line: number, shown: typeof file) =>
      createEditHunks({
        proposals: {
          ofTurn: () => [],
          ofFile: () => [{ file: shown } as UnderReview],
          reject: () => undefined,
          onDidChange: () => ({ dispose: () => undefined }),
        },
        conversations: conversations('t'),
      }).isOn(document, line);
    assert.deepEqual([isOn(0, file), isOn(2, file)], [true, true]);
    assert.deepEqual([isOn(0, accepted), isOn(2, accepted)], [false, true]);
  });
});

describe('The proposal of an edit that was ended before it was made', () => {
  it('takes the place of no hunks of other answers in its lines, which stay under review', () => {
    const proposals = createProposals({
      store: EMPTY_STORE,
      listed: () => new Set(['one']),
      onDidList: () => ({ dispose: () => undefined }) as never,
    });
    const hunks = createEditHunks({ proposals, conversations: conversations('ended') });
    const madeBy = (turnId: string, after: string) => ({
      ...{ turnId, conversationId: 'one', trouble: undefined, revises: undefined },
      files: [fileWith('a\nb\n', after)],
    });
    const { id } = proposals.add(madeBy('other', 'A\nb\n'));
    hunks.discardUnmade(['ended']);
    const by = { replaces: () => false, askedIn: () => [] };
    const lost = addProposal(proposals, madeBy('ended', 'x\nb\n'), by);
    const reviewed = proposals.ofFile(URI).map(({ proposal }) => proposal.id);
    hunks.dispose();
    proposals.dispose();
    assert.deepEqual([lost.map(({ proposal }) => proposal.id), reviewed], [[], [id]]);
  });
});
