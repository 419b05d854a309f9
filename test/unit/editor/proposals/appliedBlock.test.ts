/** Which proposal Apply shows for the diff of an answer in JSON, and for a diff of cells of a closed notebook. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { type Proposal, toFileProposal } from '../../../../src/review/proposals/proposal.ts';
import { withText } from '../../../../src/review/proposals/proposalTextChanges.ts';
import { commands, EndOfLine, FileType, textDocuments, Uri, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { cellUri, createClosedNotebook } from '../../../support/review/closedNotebook.ts';
import { EMPTY_STORE } from '../../../support/review/emptyStore.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, conversationOf } from '../../conversation/turns.ts';

const { applyBlock, createProposals } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/proposals/appliedBlock.ts')),
  ...(await import('../../../../src/editor/proposals/proposalList.ts')),
}));

/** No file was renamed. */
const renames = {
  since: () => ({ uriNow: async (uri: string) => uri, withFilesNow: async (one: unknown) => one }),
};

const [ONE, DONE] = ['one\n', 'ONE\n'];

describe('Apply on the diff of an answer in JSON', () => {
  restoreAfterEach(commands, workspace);

  /** What is shown for the first of two files, the other one of which is under review. */
  async function shownFor(isPutBack: boolean): Promise<readonly unknown[]> {
    const textOf = (uri: string) => (uri.includes('a.txt') && !isPutBack ? DONE : ONE);
    const edits = [{ find: 'one', replace: 'ONE' }];
    const answer = JSON.stringify({ explanation: '', files: [{ path: 'file:///a.txt', edits }] });
    const turn = { ...completeTurn(answer), id: 'turn' };
    const origin = { uri: 'file:///b.txt', startLine: 0, endLine: 0, text: ONE };
    const question = { text: 'Change it.', images: [], origin, purpose: 'proposal' as const };
    const exchange = { id: 'exchange', question, attempts: [turn], shown: 0 };
    const toProposal = (id: string): Proposal => {
      const texts = { label: id, isNew: false, before: ONE, after: DONE, asked: undefined, unplaced: [] };
      const uri = `file:///${id}.txt`;
      const file = withText(toFileProposal({ uri, ...texts }), textOf(uri));
      const hunks = file.hunks.map((one) => ({ ...one, state: 'accepted' as const, putBack: true }));
      const about = { turnId: 'turn', conversationId: 'c', createdAt: 0 };
      return {
        ...about,
        id,
        files: [isPutBack && id === 'a' ? { ...file, hunks } : file],
        trouble: undefined,
        revises: undefined,
      };
    };
    const made = [toProposal('a'), toProposal('b')];
    const shown: unknown[] = [];
    Object.assign(commands, { executeCommand: async (...all: unknown[]) => void shown.push(all) });
    Object.assign(workspace, {
      fs: { stat: async () => ({ type: FileType.File }) },
      openTextDocument: async (uri: Uri) => ({
        ...{ uri, eol: EndOfLine.LF },
        getText: () => textOf(String(uri)),
      }),
    });
    await applyBlock(
      {
        proposals: { ofTurn: () => made, get: (id: string) => made.find((one) => one.id === id) },
        renames,
        lastEditor: { get: () => undefined },
      } as never,
      conversationOf(exchange),
      exchange,
      { language: 'diff', path: 'file:///a.txt', code: '-one\n+ONE\n' },
    );
    return shown;
  }

  it('shows its file when that is decided, also if another block of the answer is under review in another file', async () => {
    const uri = String(Uri.parse('file:///a.txt'));
    assert.deepEqual(await shownFor(false), [['k3.reviewProposal', { proposalId: 'a', uri }]]);
  });

  it('doesn’t show its file when a later proposal has put the original lines back', async () => {
    assert.deepEqual(await shownFor(true), [['k3.reviewProposal', { proposalId: 'b' }]]);
  });
});

describe('Apply on a diff of two cells of a closed notebook', () => {
  restoreAfterEach(commands, workspace, Uri, Uri.prototype);
  afterEach(() => void textDocuments.splice(0));

  it('shows the accepted proposal, also if other cells with their URIs have the text from before', async () => {
    const shown: unknown[] = [];
    Object.assign(commands, { executeCommand: async (...all: unknown[]) => void shown.push(all) });
    const notebook = createClosedNotebook();
    // The numbers count the cells in the order in which they were added.
    notebook.open([2, 'a = 1\n'], [0, 'a = 2\n'], [1, 'a = 2\n']);
    const proposals = createProposals({
      ...{ store: EMPTY_STORE, listed: () => new Set(['c']) },
      onDidList: () => ({ dispose: () => undefined }) as never,
    });
    const texts = { isNew: false, before: 'a = 1\n', after: 'a = 2\n', asked: undefined, unplaced: [] };
    const files = [0, 1].map((number) => {
      const file = toFileProposal({ uri: cellUri(number), label: `a.ipynb#${number + 2}`, ...texts });
      return withText(file, texts.after);
    });
    const about = { turnId: 'turn', conversationId: 'c', trouble: undefined, revises: undefined };
    const { id } = proposals.add({ ...about, files });
    notebook.close();
    const turn = { ...completeTurn('```diff\n-a = 1\n+a = 2\n```'), id: 'turn' };
    const question = { text: 'Change it.', images: [], origin: undefined };
    const exchange = { id: 'exchange', question, attempts: [turn], shown: 0 };
    const lastEditor = { get: () => undefined };
    const block = { language: 'diff', path: undefined, code: '-a = 1\n+a = 2\n' };
    await applyBlock({ proposals, renames, lastEditor } as never, conversationOf(exchange), exchange, block);
    assert.deepEqual(shown, [['k3.reviewProposal', { proposalId: id, uri: cellUri(1) }]]);
    proposals.dispose();
  });
});
