/** Which files the commands of a review show. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type Proposal, toFileProposal, withRejected } from '../../../../src/review/proposals/proposal.ts';
import {
  activeTab,
  commands,
  registered,
  TabInputText,
  TabInputTextDiff,
  window,
  workspace,
} from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { registerProposalCommands } = await withEditorStub(
  () => import('../../../../src/editor/proposals/proposalCommands.ts'),
);

const fileOf = (label: string) =>
  toFileProposal({
    uri: `file:///${label}`,
    label,
    isNew: false,
    before: 'a\n',
    after: 'b\n',
    asked: undefined,
    unplaced: [],
  });

describe('Open Diff', () => {
  const { executeCommand } = commands;
  let titles: unknown[];
  beforeEach(() => {
    titles = [];
    const run = async (command: string, ...of: unknown[]) =>
      void titles.push(command === 'vscode.diff' ? of[2] : of[0]);
    Object.assign(commands, { executeCommand: run });
  });
  afterEach(() => void Object.assign(commands, { executeCommand }));

  it('on a file that is decided, or replaced, shows that file and not the others of its proposal', async () => {
    const decided = withRejected(fileOf('b.txt'), new Set(['0']));
    const replaced = { ...fileOf('c.txt'), replacedBy: 'later' };
    const proposal = { id: 'p', files: [fileOf('a.txt'), decided, replaced, fileOf('d.txt')] } as const;
    registerProposalCommands({ proposals: { get: () => proposal as Partial<Proposal> } } as never);
    for (const uri of ['file:///a.txt', 'file:///b.txt', 'file:///c.txt', undefined])
      await registered.get('k3.openProposalDiff')?.({ proposalId: 'p', uri } as never);
    const all = 'Proposal: 2 files';
    assert.deepEqual(titles, [all, 'Proposal: b.txt', 'Proposal: c.txt', all]);
  });
});

describe('Accept All', () => {
  restoreAfterEach(workspace);
  afterEach(() => {
    Reflect.deleteProperty(window, 'activeTextEditor');
    Object.assign(window, { visibleTextEditors: [] });
    activeTab.input = undefined;
  });

  it('accepts the hunks of the file around the box of a comment or of an edit, not those of the first file', async () => {
    const shown = ['first.txt', 'around.txt'].map((label) => ({
      proposal: { id: label },
      file: fileOf(label),
    }));
    const accepted: unknown[] = [];
    registerProposalCommands({
      proposals: {
        get: () => undefined,
        underReview: () => shown,
        ofFile: (uri: string) => shown.filter(({ file }) => file.uri === uri),
      },
      edits: { accept: async (proposalId: unknown) => void accepted.push(proposalId) },
    } as never);
    const editors = shown.map(({ file: { uri } }) => ({ document: { uri } }));
    const box = { document: { uri: { scheme: 'comment', toString: () => 'comment:/commentinput-1-1.md' } } };
    Object.assign(window, { activeTextEditor: box, visibleTextEditors: [...editors, box] });
    activeTab.input = Object.assign(new TabInputText(), { uri: 'file:///around.txt' });
    Object.assign(shown[1]?.proposal ?? {}, { files: [shown[1]?.file] });
    await registered.get('k3.acceptAll')?.();
    assert.deepEqual(accepted, ['around.txt']);
  });

  /** Accepts all in front, of a proposal of these files, and returns their names. */
  function toAcceptAll(labels: readonly string[], moved: Readonly<Record<string, string>> = {}) {
    const files = labels.map(fileOf);
    const proposal = { id: 'p', files };
    const shown = files.map((file) => ({ proposal, file }));
    const accepted: string[] = [];
    registerProposalCommands({
      proposals: {
        get: () => proposal,
        underReview: () => shown,
        ofFile: (uri: string) => shown.filter(({ file }) => file.uri === uri),
      },
      documents: {
        fileIn({ query }: { readonly query: string }) {
          const uri = new URLSearchParams(query).get('file') ?? '';
          return files.find((file) => file.uri === (moved[uri] ?? uri));
        },
      },
      edits: { accept: async (_: unknown, uri: string) => void accepted.push(uri) },
    } as never);
    return async () => {
      await registered.get('k3.acceptAll')?.();
      return accepted.splice(0).map((uri) => uri.slice('file:///'.length));
    };
  }

  /** Puts a side of a diff in front. */
  function showSide(label: string) {
    const query = new URLSearchParams({ proposal: 'p', file: `file:///${label}`, side: 'after' }).toString();
    const uri = { scheme: 'k3-proposal', query, toString: () => `k3-proposal:${label}?${query}` };
    const editor = { document: { uri } };
    Object.assign(window, { activeTextEditor: editor, visibleTextEditors: [editor] });
    return uri;
  }

  it('leaves the files of a proposal alone that are not in front: those without the editor, and those not in the diff', async () => {
    const acceptAll = toAcceptAll(['a.txt', 'b.txt']);
    Object.assign(window, { activeTextEditor: { document: { uri: 'file:///a.txt' } } });
    assert.deepEqual(await acceptAll(), ['a.txt']);
    const modified = showSide('b.txt');
    activeTab.input = Object.assign(new TabInputTextDiff(), { original: '', modified });
    assert.deepEqual(await acceptAll(), ['b.txt']);
    // One of several files has no input that the editor tells.
    activeTab.input = undefined;
    assert.deepEqual(await acceptAll(), ['a.txt', 'b.txt']);
  });

  it('accepts the hunks of all cells of the notebook in front, each of which is a file of its own', async () => {
    const [first, second] = ['a.ipynb#1', 'a.ipynb#2'];
    const cells = [first, second].map((label) => ({ document: { uri: `file:///${label}` } }));
    Object.assign(workspace, { notebookDocuments: [{ getCells: () => cells }] });
    Object.assign(window, { activeTextEditor: cells[1] });
    assert.deepEqual(await toAcceptAll([first, 'b.ipynb#1', second])(), [first, second]);
  });

  it('leaves the other files alone if one side of a diff is in front alone', async () => {
    const acceptAll = toAcceptAll(['a.txt', 'b.txt']);
    activeTab.input = Object.assign(new TabInputText(), { uri: showSide('b.txt') });
    assert.deepEqual(await acceptAll(), ['b.txt']);
  });

  it('accepts the hunks of a file that was renamed since its diff was opened', async () => {
    const acceptAll = toAcceptAll(['new.txt', 'b.txt'], { 'file:///old.txt': 'file:///new.txt' });
    const modified = showSide('old.txt');
    activeTab.input = Object.assign(new TabInputTextDiff(), { original: '', modified });
    assert.deepEqual(await acceptAll(), ['new.txt']);
  });

  it('accepts no hunks that wait behind those of a later proposal in another file', async () => {
    const [a, b, newer] = [fileOf('a.txt'), fileOf('b.txt'), fileOf('b.txt')];
    const [earlier, later] = [
      { id: 'earlier', files: [a, b] },
      { id: 'later', files: [newer] },
    ];
    const shown = [
      { proposal: earlier, file: a },
      { proposal: later, file: newer },
    ];
    const accepted: string[] = [];
    registerProposalCommands({
      proposals: {
        get: () => undefined,
        underReview: () => shown,
        ofFile: (uri: string) => shown.filter(({ file }) => file.uri === uri),
      },
      edits: { accept: async (...of: unknown[]) => void accepted.push(of.slice(0, 2).join(' ')) },
    } as never);
    Object.assign(window, { activeTextEditor: { document: { uri: a.uri } } });
    await registered.get('k3.acceptAll')?.();
    assert.deepEqual(accepted, ['earlier file:///a.txt']);
  });
});

describe('Review', () => {
  restoreAfterEach(commands, window);

  it('of hunks that wait until a later proposal for the same lines is decided shows their diff, and says so', async () => {
    const shown: unknown[] = [];
    const run = async (command: string, ...of: unknown[]) => void shown.push(command, of[2]);
    Object.assign(commands, { executeCommand: run });
    Object.assign(window, { showInformationMessage: async (text: string) => void shown.push(text) });
    const [waiting, newer] = [fileOf('a.txt'), fileOf('a.txt')];
    registerProposalCommands({
      proposals: {
        get: () => ({ id: 'earlier', files: [waiting] }),
        ofFile: () => [{ proposal: { id: 'later' }, file: newer }],
      },
    } as never);
    await registered.get('k3.reviewProposal')?.({ proposalId: 'earlier', uri: waiting.uri } as never);
    assert.deepEqual(shown, [
      'vscode.diff',
      'Proposal: a.txt',
      'A later proposal for a.txt is under review. Until it is decided, this one is only in the diff.',
    ]);
  });
});

describe('Restore Rejected Hunks', () => {
  restoreAfterEach(commands, window);

  it('asks before it replaces a proposal under review, also from the chat, which names one', async () => {
    const rejected = withRejected(fileOf('a.txt'), new Set(['0']));
    const found = { proposal: { id: 'rejected', files: [rejected] }, file: rejected };
    const later = { proposal: { id: 'later' }, file: fileOf('a.txt') };
    const asked: string[] = [];
    Object.assign(window, { showWarningMessage: async (title: string) => void asked.push(title) });
    registerProposalCommands({
      proposals: {
        get: () => found.proposal,
        ofFile: () => [later],
        rejectedIn: () => found,
        reopen: () => assert.fail('the user has not agreed'),
      },
    } as never);
    const title = 'Replace the proposal for a.txt that you are reviewing?';
    await registered.get('k3.restoreRejected')?.();
    assert.deepEqual(asked, [title]);
    await registered.get('k3.restoreRejected')?.({ proposalId: 'rejected', uri: rejected.uri } as never);
    assert.deepEqual(asked, [title, title]);
  });
});
