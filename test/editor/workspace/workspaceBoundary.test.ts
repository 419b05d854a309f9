import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { isInsideWorkspace } from '../../../src/editor/workspace/workspaceBoundary.ts';
import { removeFolder } from '../../support/removeFolder.ts';

describe('The boundary of the workspace', () => {
  let root: string;
  let outside: string;
  let made: string;

  before(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    if (folder === undefined) throw new Error('no workspace is open');
    root = await realpath(folder.uri.fsPath);
    outside = await realpath(await mkdtemp(join(tmpdir(), 'k3-outside-')));
    await writeFile(join(outside, 'secret.txt'), 'secret');
    made = join(root, 'boundary-links');
    await mkdir(made, { recursive: true });
    await symlink(join(outside, 'secret.txt'), join(made, 'file'));
    await symlink(outside, join(made, 'folder'));
    await symlink(join(outside, 'not-there-yet'), join(made, 'dangling'));
    await symlink('../src', join(made, 'within'));
    await symlink('loop-b', join(made, 'loop-a'));
    await symlink('loop-a', join(made, 'loop-b'));
  });

  after(async () => {
    await removeFolder(made);
    await removeFolder(outside);
  });

  const judge = (...path: string[]) => isInsideWorkspace(vscode.Uri.file(path.join('/')));

  it('includes the workspace folder and its files and folders', async () => {
    assert.deepEqual(await judge(root, 'src/clock.ts'), {
      inside: true,
      realPath: join(root, 'src/clock.ts'),
    });
    assert.deepEqual(await judge(root), { inside: true, realPath: root });
  });

  it('includes a path that does not exist yet below an existing folder', async () => {
    const { inside, realPath } = await judge(root, 'new/deep/a.ts');
    assert.deepEqual({ inside, realPath }, { inside: true, realPath: join(root, 'new/deep/a.ts') });
  });

  it('follows links and returns the resolved path', async () => {
    assert.deepEqual(await judge(made, 'file'), { inside: false, realPath: join(outside, 'secret.txt') });
    assert.deepEqual(await judge(made, 'folder/secret.txt'), {
      inside: false,
      realPath: join(outside, 'secret.txt'),
    });
    assert.equal((await judge(made, 'within/clock.ts')).inside, true);
  });

  it('follows links to missing files, and resolves new files below a linked folder', async () => {
    assert.deepEqual(await judge(made, 'dangling'), {
      inside: false,
      realPath: join(outside, 'not-there-yet'),
    });
    assert.deepEqual(await judge(made, 'folder/new.txt'), {
      inside: false,
      realPath: join(outside, 'new.txt'),
    });
  });

  it('ends with links that lead to each other', async () => {
    const { realPath } = await judge(made, 'loop-a');
    assert.ok([join(made, 'loop-a'), join(made, 'loop-b')].includes(realPath), realPath);
  });

  it('resolves `..` as the disk does, and as the editor does', async () => {
    assert.equal((await judge(root, '../other/a.ts')).inside, false);
    assert.equal((await judge(root, 'src/../src/clock.ts')).inside, true);
    // The parent of a linked folder is not the parent in the path.
    assert.equal((await judge(made, 'folder/../x.ts')).inside, false);
    assert.equal((await judge(root, 'nothing/../../x.ts')).inside, false);
    // The editor goes up from the link, not from where it leads.
    await mkdir(join(made, 'deep/deep/deep/deep'), { recursive: true });
    await symlink('deep/deep/deep/deep', join(made, 'down'));
    assert.deepEqual(await judge(root, `${basename(made)}/down/../../../x.ts`), {
      inside: false,
      realPath: join(root, '../x.ts'),
    });
  });

  it('excludes absolute paths and siblings with a longer name', async () => {
    assert.equal((await judge('/etc/passwd')).inside, false);
    assert.equal((await judge(`${root}-other`, 'a.ts')).inside, false);
  });

  it('ignores case only on case-insensitive disks', async () => {
    const other = join(root, '..', 'WORKSPACE');
    assert.equal((await judge(other, 'src/clock.ts')).inside, existsSync(other));
  });

  it('includes untitled documents and excludes virtual documents', async () => {
    assert.equal((await isInsideWorkspace(vscode.Uri.parse('untitled:Untitled-1'))).inside, true);
    assert.equal((await isInsideWorkspace(vscode.Uri.parse('git:/w/a.ts?ref'))).inside, false);
    assert.equal((await isInsideWorkspace(vscode.Uri.parse(`vscode-vfs://host${root}/a.ts`))).inside, false);
  });
});
