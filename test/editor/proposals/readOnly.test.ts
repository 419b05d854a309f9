/** Files of file systems that can't be written, such as those of an earlier revision. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createCodeBlockActions } from '../../../src/editor/proposals/codeBlockActions.ts';
import { isReadOnlyKind } from '../../../src/editor/workspace/fileKinds.ts';
import type { CodeAction } from '../../../src/panel/views.ts';
import { ended, streamOf } from '../scripted.ts';
import {
  aroundProposals,
  asked,
  CODE,
  document,
  edits,
  pathOf,
  propose,
  run,
  scripted,
  states,
  use,
} from './proposing.ts';

const { File, Directory } = vscode.FileType;

let text = CODE;
/** The permissions of files that could be written when they were opened. */
let unlocked: vscode.FilePermission | undefined;

/** A file system of files with this text. */
function registerFiles(
  scheme: string,
  isReadonly: boolean,
  permissionsNow: () => vscode.FilePermission | undefined = () => undefined,
) {
  const stat = (uri: vscode.Uri): vscode.FileStat => {
    const permissions = permissionsNow();
    return {
      type: uri.path === '/' ? Directory : File,
      ctime: 0,
      mtime: 1,
      size: text.length,
      ...(permissions === undefined ? {} : { permissions }),
    };
  };
  const fails = () => {
    throw vscode.FileSystemError.NoPermissions();
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: new vscode.EventEmitter<vscode.FileChangeEvent[]>().event,
    watch: () => new vscode.Disposable(() => undefined),
    stat,
    readDirectory: () => [],
    readFile: () => Buffer.from(text),
    createDirectory: fails,
    writeFile: fails,
    delete: fails,
    rename: fails,
  };
  return vscode.workspace.registerFileSystemProvider(scheme, provider, { isReadonly });
}

/** What the buttons of a code block do, beside an answer without a proposal. */
async function answeredCode() {
  const { conversations, proposals } = scripted;
  const { id } = conversations.current();
  scripted.will(streamOf([{ answer: '```\nX\n```' }, { finish: 'stop' }]));
  const sent = await conversations.ask(id, { text: 'And?', images: [], origin: undefined });
  assert.ok(sent.ok);
  await ended(conversations, sent.turnId);
  const blocks = createCodeBlockActions({
    conversations,
    proposals,
    renames: { since: () => ({ uriNow: async (uri) => uri, withFilesNow: async (question) => question }) },
    lastEditor: { get: () => vscode.window.activeTextEditor } as never,
  });
  const exchangeId = conversations.current().exchanges.at(-1)?.id ?? '';
  return (action: CodeAction) => blocks.perform(action, id, { exchangeId, text: 'X\n', info: '' });
}

describe('A file under review that is read-only', () => {
  aroundProposals();
  const registered: vscode.Disposable[] = [];
  beforeEach(() => {
    text = CODE;
    unlocked = undefined;
    registered.push(
      registerFiles('test-revision', true),
      registerFiles('test-locked', false, () => vscode.FilePermission.Readonly),
      registerFiles('test-unlocked', false, () => unlocked),
    );
  });
  afterEach(() => {
    for (const one of registered.splice(0)) one.dispose();
  });

  for (const [name, scheme] of [
    ['whole file system', 'test-revision'],
    ['file', 'test-locked'],
  ] as const)
    it(`keeps its text and its hunks open, and the user is told so, if it is the ${name}`, async () => {
      use(await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme, path: '/code.txt' })));
      asked.answer = 'Allow Once';
      const proposal = await propose(edits('/code.txt', ['two', 'TWO']));
      await run('k3.acceptAll', proposal);
      assert.deepEqual(states(proposal), ['open']);
      assert.equal(document.getText(), CODE);
      assert.equal(document.isDirty, false);
      assert.match(asked.notes.join('\n'), /because it is read-only/);
      await run('k3.previewProposal', proposal);
      assert.equal(document.getText(), CODE);
    });

  it('keeps its accepted hunks when they are reverted', async () => {
    const path = '/code.txt';
    use(await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: 'test-unlocked', path })));
    asked.answer = 'Allow Once';
    const proposal = await propose(edits(path, ['two', 'TWO']));
    await run('k3.acceptAll', proposal);
    assert.deepEqual(states(proposal), ['accepted']);
    unlocked = vscode.FilePermission.Readonly;
    const { showQuickPick } = vscode.window;
    Object.assign(vscode.window, { showQuickPick: async (items: readonly unknown[]) => items[0] });
    await vscode.commands.executeCommand('k3.revertMessage', proposal?.turnId);
    Object.assign(vscode.window, { showQuickPick });
    assert.deepEqual(states(proposal), ['accepted']);
    assert.equal(document.getText(), CODE.replace('two', 'TWO'));
    assert.match(asked.notes.join('\n'), /1 accepted edit was not reverted/);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('is not edited in place, which could change nothing', async () => {
    const uri = vscode.Uri.from({ scheme: 'test-revision', path: '/code.txt' });
    use(await vscode.workspace.openTextDocument(uri));
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('k3.editHere');
    assert.deepEqual(scripted.inPlace.list(), []);
    assert.match(asked.notes.join('\n'), /Open the file to edit/);
  });

  for (const action of ['insert', 'apply'] as const)
    it(`gets no code of an answer, and nobody is asked to write it (${action})`, async () => {
      const uri = vscode.Uri.from({ scheme: 'test-revision', path: '/code.txt' });
      const act = await answeredCode();
      use(await vscode.workspace.openTextDocument(uri));
      await vscode.window.showTextDocument(document);
      const { showQuickPick } = vscode.window;
      const lists: unknown[] = [];
      Object.assign(vscode.window, { showQuickPick: async (items: unknown) => void lists.push(items) });
      await act(action);
      Object.assign(vscode.window, { showQuickPick });
      assert.deepEqual(asked.titles, []);
      assert.deepEqual(lists, []);
      assert.match(asked.notes.join('\n'), /Open the file this code belongs to/);
    });

  it('has no code action that would change it', async () => {
    const problems = vscode.languages.createDiagnosticCollection('test');
    registered.push(problems);
    const range = new vscode.Range(1, 0, 1, 3);
    const titles = async (scheme: string) => {
      const uri = vscode.Uri.from({ scheme, path: '/code.txt' });
      use(await vscode.workspace.openTextDocument(uri));
      problems.set(uri, [new vscode.Diagnostic(range, 'wrong')]);
      const actions: readonly vscode.CodeAction[] = await vscode.commands.executeCommand(
        'vscode.executeCodeActionProvider',
        uri,
        range,
      );
      return actions.map(({ title }) => title).filter((title) => title.includes('K3'));
    };
    assert.ok((await titles('test-locked')).includes('Fix with K3'));
    const offered = await titles('test-revision');
    assert.deepEqual(offered, ['Write Tests with K3']);
  });

  it('has no CodeLens to resolve a conflict', async () => {
    const conflict = '<<<<<<< a\none\n=======\ntwo\n>>>>>>> b\n';
    text = conflict;
    const uri = vscode.Uri.from({ scheme: 'test-revision', path: '/conflict.txt' });
    use(await vscode.workspace.openTextDocument(uri));
    assert.equal(document.getText(), conflict);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      uri,
      10,
    );
    assert.deepEqual(
      lenses.map(({ command }) => command?.title),
      [],
    );
  });
});

describe('A document without a file, such as an output channel or decompiled code', () => {
  aroundProposals();
  const registered: vscode.Disposable[] = [];
  afterEach(() => {
    for (const one of registered.splice(0)) one.dispose();
  });

  /** A text that another extension provides. The editor lets extensions change it, and users don't. */
  async function provide(): Promise<void> {
    const provider = { provideTextDocumentContent: () => CODE };
    registered.push(vscode.workspace.registerTextDocumentContentProvider('test-provided', provider));
    const uri = vscode.Uri.from({ scheme: 'test-provided', path: '/code.txt' });
    use(await vscode.workspace.openTextDocument(uri));
  }

  it('is not to be changed, which is said before anything is asked', async () => {
    await provide();
    await vscode.window.showTextDocument(document);
    const { showInputBox } = vscode.window;
    Object.assign(vscode.window, { showInputBox: async () => 'Shorter' });
    for (const command of ['k3.refactor', 'k3.fix', 'k3.document', 'k3.editHere'])
      await vscode.commands.executeCommand(command);
    Object.assign(vscode.window, { showInputBox });
    assert.equal(scripted.requests.length, 0);
    assert.equal(asked.notes.filter((note) => note.startsWith('Open the file to edit')).length, 4);
    // The editor has the text of an output channel in front only while it has the focus.
    const kinds = ['output', 'git', 'untitled', 'vscode-notebook-cell', 'vscode-interactive-input', 'file'];
    const readOnly = kinds.filter((scheme) => isReadOnlyKind(vscode.Uri.from({ scheme, path: '/a' })));
    assert.deepEqual(readOnly, ['output', 'git']);
  });

  it('keeps its text, and the hunks of an earlier version stay open, which is said', async () => {
    await provide();
    asked.answer = 'Allow Once';
    const proposal = await propose(edits('/code.txt', ['two', 'TWO']));
    await run('k3.acceptAll', proposal);
    assert.deepEqual(states(proposal), ['open']);
    assert.equal(document.getText(), CODE);
    assert.match(asked.notes.join('\n'), /because it is read-only/);
  });
});

describe('A file that only the editor makes read-only', () => {
  aroundProposals();
  const makeReadOnly = async (files: Record<string, boolean> | undefined) => {
    const settings = vscode.workspace.getConfiguration('files');
    await settings.update('readonlyInclude', files, vscode.ConfigurationTarget.Global);
    // Nothing says when the editor has taken it over.
    await new Promise((resolve) => setTimeout(resolve, 500));
  };
  afterEach(() => makeReadOnly(undefined));

  it('keeps its text and its hunks open, and the user is told so', async () => {
    await makeReadOnly({ '**/code.txt': true });
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO'], ['four', 'FOUR']));
    await run('k3.acceptAll', proposal);
    assert.deepEqual(states(proposal), ['open', 'open']);
    assert.equal(document.getText(), CODE);
    assert.equal(readFileSync(document.uri.fsPath, 'utf8'), CODE);
    assert.match(asked.notes.join('\n'), /because it is read-only/);
    await makeReadOnly(undefined);
    await run('k3.acceptAll', proposal);
    assert.deepEqual(states(proposal), ['accepted', 'accepted']);
    assert.equal(asked.notes.length, 1);
  });

  it('keeps its accepted hunks when they are reverted, and says so', async () => {
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO']));
    await run('k3.acceptAll', proposal);
    await document.save();
    await makeReadOnly({ '**/code.txt': true });
    const { showQuickPick } = vscode.window;
    Object.assign(vscode.window, { showQuickPick: async (items: readonly unknown[]) => items[0] });
    await vscode.commands.executeCommand('k3.revertMessage', proposal?.turnId);
    Object.assign(vscode.window, { showQuickPick });
    assert.deepEqual(states(proposal), ['accepted']);
    assert.equal(document.getText(), CODE.replace('two', 'TWO'));
    assert.match(asked.notes.join('\n'), /1 accepted edit was not reverted/);
  });

  it('gets no code at its cursor, and the user is told so', async () => {
    await makeReadOnly({ '**/code.txt': true });
    const act = await answeredCode();
    await vscode.window.showTextDocument(document);
    const insert = () => act('insert');
    await insert();
    assert.equal(document.getText(), CODE);
    assert.match(asked.notes.join('\n'), /Couldn’t change .*code\.txt because it is read-only/);
    await makeReadOnly(undefined);
    await insert();
    assert.equal(document.getText(), `X${CODE}`);
    assert.equal(asked.notes.length, 1);
  });
});
