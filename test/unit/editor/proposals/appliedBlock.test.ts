/** Which proposal Apply shows for the diff of an answer in JSON. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Proposal, toFileProposal } from '../../../../src/review/proposals/proposal.ts';
import { withText } from '../../../../src/review/proposals/proposalTextChanges.ts';
import { commands, EndOfLine, FileType, Uri, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, conversationOf } from '../../conversation/turns.ts';

const { applyBlock } = await withEditorStub(() => import('../../../../src/editor/proposals/appliedBlock.ts'));

const [ONE, DONE] = ['one\n', 'ONE\n'];

describe('Apply on the diff of an answer in JSON', () => {
  restoreAfterEach(commands, workspace);

  it('shows its file when that is decided, also if another block of the answer is under review in another file', async () => {
    const edits = [{ find: 'one', replace: 'ONE' }];
    const answer = JSON.stringify({ explanation: '', files: [{ path: 'file:///a.txt', edits }] });
    const turn = { ...completeTurn(answer), id: 'turn' };
    const origin = { uri: 'file:///b.txt', startLine: 0, endLine: 0, text: ONE };
    const question = { text: 'Change it.', images: [], origin, purpose: 'proposal' as const };
    const exchange = { id: 'exchange', question, attempts: [turn], shown: 0 };
    const toProposal = (id: string, text: string): Proposal => {
      const texts = { label: id, isNew: false, before: ONE, after: DONE, asked: undefined, unplaced: [] };
      const file = withText(toFileProposal({ uri: `file:///${id}.txt`, ...texts }), text);
      const about = { turnId: 'turn', conversationId: 'c', createdAt: 0 };
      return { ...about, id, files: [file], trouble: undefined, revises: undefined };
    };
    const shown: unknown[] = [];
    Object.assign(commands, { executeCommand: async (...all: unknown[]) => void shown.push(all) });
    Object.assign(workspace, {
      fs: { stat: async () => ({ type: FileType.File }) },
      openTextDocument: async (uri: Uri) => ({
        ...{ uri, eol: EndOfLine.LF },
        getText: () => (String(uri).includes('a.txt') ? DONE : ONE),
      }),
    });
    await applyBlock(
      {
        proposals: { ofTurn: () => [toProposal('a', DONE), toProposal('b', ONE)] },
        renames: {
          since: () => ({ uriNow: async (uri: string) => uri, withFilesNow: async (one: unknown) => one }),
        },
        lastEditor: { get: () => undefined },
      } as never,
      conversationOf(exchange),
      exchange,
      { language: 'diff', path: 'file:///a.txt', code: '-one\n+ONE\n' },
    );
    assert.deepEqual(shown, [
      ['k3.reviewProposal', { proposalId: 'a', uri: String(Uri.parse('file:///a.txt')) }],
    ]);
  });
});
