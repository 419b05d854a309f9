import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { filterExistingPaths, openPath } from '../../../src/editor/workspace/shownPaths.ts';
import { removeFolder } from '../../support/removeFolder.ts';

describe('Paths that the chat shows', () => {
  let made: string;
  let outside: string;

  before(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    outside = await mkdtemp(join(tmpdir(), 'k3-outside-'));
    await writeFile(join(outside, 'secret.txt'), 'secret');
    made = join(folder.uri.fsPath, 'shown-paths');
    await mkdir(join(made, 'within'), { recursive: true });
    await writeFile(join(made, 'x.txt'), 'one\ntwo\nthree\n');
    await writeFile(join(made, '.gitignore'), 'ignored.txt\n');
    await writeFile(join(made, 'ignored.txt'), 'ignored');
    await symlink(join(outside, 'secret.txt'), join(made, 'leads-out.txt'));
    await symlink(outside, join(made, 'folder-out'));
    await symlink(join(made, 'x.txt'), join(made, 'leads-in.txt'));
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await removeFolder(made);
    await removeFolder(outside);
  });

  it('exist if they lead to a file or folder in the workspace, also to an ignored one', async () => {
    const paths = ['x.txt', 'x.txt:2', 'x.txt#L2-L3', 'within', 'within/', 'leads-in.txt', 'ignored.txt'];
    const written = paths.map((path) => `shown-paths/${path}`);
    assert.deepEqual(await filterExistingPaths(written), written);
  });

  it('exist below the name of the folder, as they were while several folders were open', async () => {
    const name = vscode.workspace.workspaceFolders?.[0]?.name ?? '';
    assert.deepEqual(await filterExistingPaths([`${name}/shown-paths/x.txt`, `${name}/x.txt`]), [
      `${name}/shown-paths/x.txt`,
    ]);
  });

  it('don’t exist if they lead out of the workspace, or nowhere', async () => {
    const written = [
      'shown-paths/none.txt',
      'shown-paths/leads-out.txt',
      'shown-paths/folder-out',
      'shown-paths/folder-out/secret.txt',
      `../${outside}/secret.txt`,
      join(outside, 'secret.txt'),
      join(made, 'x.txt'),
      'shown-paths/within/../x.txt',
      'shown-paths/\u202ex.txt',
      'shown-paths/x.txt/more',
    ];
    assert.deepEqual(await filterExistingPaths(written), []);
  });

  it('open at their line', async () => {
    await openPath('shown-paths/x.txt:2');
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.fsPath, join(made, 'x.txt'));
    assert.equal(editor.selection.active.line, 1);
    await openPath('shown-paths/x.txt#L3');
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 2);
  });

  it('open nothing when the file is replaced by a link that leads out', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const written = 'shown-paths/changing.txt';
    await writeFile(join(made, 'changing.txt'), 'mine');
    assert.deepEqual(await filterExistingPaths([written]), [written]);
    await rm(join(made, 'changing.txt'));
    await symlink(join(outside, 'secret.txt'), join(made, 'changing.txt'));
    await openPath(written);
    assert.equal(vscode.window.activeTextEditor, undefined);
  });
});
