/** Hunks in cells of a notebook that is closed. When it is opened, another cell has the URI of each. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { originsOf } from '../../../../src/conversation/question.ts';
import { type Proposal, toFileProposal } from '../../../../src/review/proposals/proposal.ts';
import {
  commands,
  FilePermission,
  FileType,
  registered,
  textDocuments,
  Uri,
  type WorkspaceEdit,
  window,
  workspace,
} from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import {
  type ClosedNotebook,
  cellUri,
  createClosedNotebook,
} from '../../../support/review/closedNotebook.ts';
import { EMPTY_STORE } from '../../../support/review/emptyStore.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const rooms = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/proposals/proposalList.ts')),
  ...(await import('../../../../src/editor/proposals/proposalEdits.ts')),
  ...(await import('../../../../src/editor/proposals/proposalCommands.ts')),
  ...(await import('../../../../src/editor/proposals/proposalDocuments.ts')),
  ...(await import('../../../../src/editor/proposals/revertEdits.ts')),
  ...(await import('../../../../src/editor/proposals/reviewToSend.ts')),
  ...(await import('../../../../src/editor/proposals/revertNotes.ts')),
}));

const fileOf = (number: number, name: string) =>
  toFileProposal({
    ...{ uri: cellUri(number), label: `a.ipynb#${number + 2}`, isNew: false },
    ...{ before: `${name} = 1\n`, after: `${name} = 2\n`, asked: undefined, unplaced: [] },
  });

interface Side {
  readonly query: string;
}

describe('Hunks in two cells of a notebook that was closed after a cell was added above them', () => {
  restoreAfterEach(commands, window, workspace, Uri, Uri.prototype);
  let notebook: ClosedNotebook;
  let notes: string[];
  /** The cells whose thread was shown, and those in which the box for a comment was opened. */
  let expanded: string[];
  let boxes: string[];
  let id: string;
  let parts: ReturnType<typeof start>;

  beforeEach(() => {
    [notes, expanded, boxes] = [[], [], []];
    // The dialog about a file outside the workspace is shown, too, because nothing is in the workspace of the stub.
    const showWarningMessage = async (text: string, options?: { readonly modal?: boolean }) =>
      options?.modal === true ? 'Allow Once' : void notes.push(text);
    const from = (address: object) => Object.assign(Uri.parse(JSON.stringify(address)), address);
    Object.assign(window, { showWarningMessage });
    Object.assign(Uri, { from });
    notebook = createClosedNotebook();
    parts = start();
    // The numbers count the cells in the order in which they were added.
    notebook.open([2, 'x = 0\n'], [0, 'a = 1\n'], [1, 'b = 1\n']);
    const files = [fileOf(0, 'a'), fileOf(1, 'b')];
    const about = { turnId: 't', conversationId: 'c', trouble: undefined, revises: undefined };
    ({ id } = parts.proposals.add({ ...about, files }));
  });
  afterEach(() => {
    parts.proposals.dispose();
    textDocuments.splice(0);
  });

  function start() {
    const never = () => ({ dispose: () => undefined });
    const proposals = rooms.createProposals({
      ...{ store: EMPTY_STORE, listed: () => new Set(['c']), onDidList: never as never },
    });
    const missing = { isMissing: async () => false };
    const log = { warn: assert.fail };
    const edits = rooms.createProposalEdits({ proposals, missing, log });
    const documents = { fileIn: () => undefined };
    const threads = {
      expand: ({ uri }: { readonly uri: string }) => void expanded.push(uri),
      openCommentBox: async ({ uri }: { readonly uri: string }) => void boxes.push(uri),
    };
    const lastEditor = { get: () => undefined };
    rooms.registerProposalCommands({
      ...{ proposals, edits, missing, log, documents, threads, lastEditor },
    } as never);
    const { revert } = rooms.createRevertEdits({ proposals, missing });
    return { proposals, edits, missing, revert, log };
  }

  const proposal = (): Proposal => parts.proposals.get(id) ?? assert.fail();
  const states = () =>
    proposal().files.map(({ uri, hunks }) => [uri, hunks.map(({ state }) => state).join()]);
  const run = async (command: string, uri?: string, hunkId?: string) =>
    registered.get(command)?.({ proposalId: id, uri, hunkId } as never);
  const uriOf = (index: number) => proposal().files[index]?.uri ?? '';

  it('are accepted in the chosen cell only, whichever it is', async () => {
    notebook.close();
    await run('k3.acceptAll', uriOf(1));
    assert.deepEqual(notebook.texts(), ['x = 0\n', 'a = 1\n', 'b = 2\n']);
    assert.deepEqual(states(), [
      [cellUri(1), 'open'],
      [cellUri(2), 'accepted'],
    ]);
    assert.deepEqual(notes, []);
  });

  it('are each accepted in their own cell when all of the proposal are', async () => {
    notebook.close();
    await run('k3.acceptAll');
    assert.deepEqual(notebook.texts(), ['x = 0\n', 'a = 2\n', 'b = 2\n']);
    assert.deepEqual(notes, []);
  });

  it('are each previewed in their own cell', async () => {
    notebook.close();
    const previewed: string[] = [];
    const applyEdit = async ({ changes }: WorkspaceEdit) =>
      void previewed.push(...changes.map(({ uri, newText }) => `${uri} ${newText}`));
    Object.assign(workspace, { applyEdit });
    await run('k3.previewProposal');
    assert.deepEqual(previewed, [`${cellUri(1)} a = 2\n`, `${cellUri(2)} b = 2\n`]);
    assert.deepEqual(notes, []);
  });

  describe('are not written', () => {
    beforeEach(() => {
      const { fs } = workspace as typeof workspace & { fs: { stat: (uri: Uri) => Promise<object> } };
      const permissions = FilePermission.Readonly;
      const stat = async (uri: Uri) => {
        const isNotebook = String(uri).startsWith('file:');
        return isNotebook ? { type: FileType.File, permissions } : Promise.reject(new Error());
      };
      Object.assign(workspace, { fs: { ...fs, stat } });
      notebook.close();
    });
    const note = /^Couldn’t change .*a\.ipynb#3/;

    it('when they are accepted and the notebook is read-only', async () => {
      await run('k3.acceptAll', uriOf(1));
      assert.deepEqual(notebook.texts(), ['x = 0\n', 'a = 1\n', 'b = 1\n']);
      assert.equal(notes.length, 1);
      assert.match(notes.join(), note);
    });

    it('when they are previewed and the notebook is read-only', async () => {
      const applyEdit = () => assert.fail('previewed');
      Object.assign(workspace, { applyEdit });
      await run('k3.previewProposal');
      assert.equal(notes.length, 2);
      assert.match(notes.at(-1) ?? '', note);
    });
  });

  it('are taken back in both cells', async () => {
    await run('k3.acceptAll');
    notebook.close();
    assert.deepEqual(await parts.revert([id]), { hunks: 2, files: 2, kept: [] });
    assert.deepEqual(notebook.texts(), ['x = 0\n', 'a = 1\n', 'b = 1\n']);
  });

  it('are under review again in the chosen cell only after they were rejected in both', async () => {
    Object.assign(window, { showTextDocument: notebook.show });
    await run('k3.rejectAll');
    notebook.close();
    await run('k3.restoreRejected', uriOf(1));
    assert.deepEqual(states(), [
      [cellUri(1), 'rejected'],
      [cellUri(2), 'open'],
    ]);
  });

  it('are sent with the code of their own cells when another file of the proposal is commented on', async () => {
    const commented = 'file:///ws/c.txt';
    const file = toFileProposal({
      ...{ uri: commented, label: 'c.txt', isNew: false, before: 'c = 1\n', after: 'c = 2\n' },
      ...{ asked: undefined, unplaced: [] },
    });
    const about = { turnId: 't2', conversationId: 'c', trouble: undefined, revises: undefined };
    parts.proposals.add({ ...about, files: [fileOf(0, 'a'), fileOf(1, 'b'), file] });
    notebook.close();
    const place = { uri: commented, startLine: 0, endLine: 0, quote: 'c = 1' };
    // Files that the user sees are not asked about.
    const seen = [commented, ...[0, 1, 2].map(cellUri)].map((uri) => ({ document: { uri } }));
    Object.assign(window, { visibleTextEditors: seen });
    const remarks = { list: () => [{ ...place, id: 'r', text: 'Why?', hunk: undefined }] };
    const made = await rooms.makeReview({ ...parts, remarks }, async () => true);
    const sent = originsOf(made?.question ?? assert.fail()).map(({ uri, text }) => [uri, text]);
    assert.deepEqual(sent, [
      [cellUri(1), 'a = 1\n'],
      [cellUri(2), 'b = 1\n'],
    ]);
  });

  describe('are shown', () => {
    let shown: string[];
    beforeEach(() => {
      shown = [];
      const showTextDocument = async (uri: Uri) => {
        shown.push(String(uri));
        return notebook.show(uri);
      };
      Object.assign(window, { showTextDocument });
    });

    it('in their own cell when it is reviewed', async () => {
      notebook.close();
      await run('k3.reviewProposal', uriOf(1));
      assert.deepEqual([shown, expanded], [[cellUri(2)], [cellUri(2)]]);
    });

    it('in their own cell when they were accepted and it is reviewed', async () => {
      await run('k3.acceptAll');
      notebook.close();
      await run('k3.reviewProposal', uriOf(1));
      assert.deepEqual(shown, [cellUri(2)]);
    });

    it('in their own cell when one is commented on', async () => {
      notebook.close();
      await run('k3.commentHunk', uriOf(1), '0');
      assert.deepEqual([shown, boxes], [[cellUri(2)], [cellUri(2)]]);
    });

    it('without that of a cell that can’t be shown', async () => {
      notebook.close();
      const { showTextDocument } = window as typeof window & { showTextDocument: typeof notebook.show };
      Object.assign(window, {
        showTextDocument: (uri: Uri) =>
          String(uri) === cellUri(2) ? Promise.reject(new Error('closed')) : showTextDocument(uri),
      });
      await registered.get('k3.previousHunk')?.();
      assert.deepEqual([shown, expanded], [[cellUri(1)], [cellUri(1)]]);
    });
  });

  describe('are in a diff', () => {
    let read: (uri: Side) => string;
    let sides: Side[];
    beforeEach(() => {
      sides = [];
      Object.assign(workspace, {
        registerTextDocumentContentProvider(
          _: string,
          provider: { readonly provideTextDocumentContent: typeof read },
        ) {
          read = provider.provideTextDocumentContent;
          return { dispose: () => undefined };
        },
      });
      const executeCommand = async (_: string, ...shown: readonly Side[]) =>
        void sides.push(...shown.slice(0, 2));
      Object.assign(commands, { executeCommand });
      const { proposals } = parts;
      rooms.registerProposalDocuments({ proposals, moved: { follow: () => undefined } });
    });

    it('of their own cell, also if that gets another URI while the diff is open', async () => {
      const [, second] = proposal().files;
      assert.ok(second);
      const one = { ...proposal(), files: [second] };
      await rooms.openProposalDiff(parts.proposals, one);
      notebook.close();
      await rooms.openProposalDiff(parts.proposals, one);
      assert.equal(uriOf(1), cellUri(2));
      const texts = ['b = 1\n', 'b = 2\n'];
      assert.deepEqual(
        sides.map((side) => read(side)),
        [...texts, ...texts],
      );
    });

    it('of their own cell when they were not taken back', async () => {
      await run('k3.acceptAll');
      let agree: (chosen: string) => void = () => assert.fail();
      Object.assign(window, {
        showWarningMessage: (_: string, button: string) =>
          new Promise((resolve) => {
            agree = () => resolve(button);
          }),
        showQuickPick: async ([item]: readonly { readonly detail: string }[]) => {
          notes.push(item?.detail ?? '');
          return item;
        },
      });
      const kept = { proposalId: id, uri: uriOf(1), label: 'b', hunkId: '0', reason: 'changed' } as const;
      rooms.tellReverted(parts, { hunks: 0, files: 0, kept: [kept] });
      notebook.close();
      agree('');
      await new Promise(setImmediate);
      const [before, now] = sides;
      assert.ok(before);
      assert.deepEqual([notes, read(before), String(now)], [['b = 2'], 'b = 1\n', cellUri(2)]);
    });
  });
});
