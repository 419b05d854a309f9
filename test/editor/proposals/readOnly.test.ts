/** Files of file systems that can't be written, such as those of an earlier revision. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { aroundProposals, asked, CODE, document, edits, propose, run, states, use } from './proposing.ts';

const { File, Directory } = vscode.FileType;

/** A file system with one file. */
function registerFiles(scheme: string, isReadonly: boolean, permissions?: vscode.FilePermission) {
  const stat = (uri: vscode.Uri): vscode.FileStat => ({
    type: uri.path === '/' ? Directory : File,
    ctime: 0,
    mtime: 1,
    size: CODE.length,
    ...(permissions === undefined ? {} : { permissions }),
  });
  const fails = () => {
    throw vscode.FileSystemError.NoPermissions();
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: new vscode.EventEmitter<vscode.FileChangeEvent[]>().event,
    watch: () => new vscode.Disposable(() => undefined),
    stat,
    readDirectory: () => [],
    readFile: () => Buffer.from(CODE),
    createDirectory: fails,
    writeFile: fails,
    delete: fails,
    rename: fails,
  };
  return vscode.workspace.registerFileSystemProvider(scheme, provider, { isReadonly });
}

describe('A file under review that is read-only', () => {
  aroundProposals();
  const registered: vscode.Disposable[] = [];
  beforeEach(() => {
    registered.push(
      registerFiles('k3-test-revision', true),
      registerFiles('k3-test-locked', false, vscode.FilePermission.Readonly),
    );
  });
  afterEach(() => {
    for (const one of registered.splice(0)) one.dispose();
  });

  for (const [name, scheme] of [
    ['whole file system', 'k3-test-revision'],
    ['file', 'k3-test-locked'],
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
});
