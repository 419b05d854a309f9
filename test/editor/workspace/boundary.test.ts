import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { isInsideWorkspace } from '../../../src/editor/workspace/boundary.ts';

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
    await rm(made, { recursive: true, force: true });
    await rm(outside, { recursive: true, force: true });
  });

  const judge = (...path: string[]) => isInsideWorkspace(vscode.Uri.file(path.join('/')));

  it('has the files and folders of the workspace inside, and the workspace itself', async () => {
    assert.deepEqual(await judge(root, 'src/clock.ts'), {
      inside: true,
      realPath: join(root, 'src/clock.ts'),
    });
    assert.deepEqual(await judge(root), { inside: true, realPath: root });
  });

  it('has inside what does not exist yet, by the folder that does', async () => {
    const { inside, realPath } = await judge(root, 'new/deep/a.ts');
    assert.deepEqual({ inside, realPath }, { inside: true, realPath: join(root, 'new/deep/a.ts') });
  });

  it('follows a link to where it leads, and says so', async () => {
    assert.deepEqual(await judge(made, 'file'), { inside: false, realPath: join(outside, 'secret.txt') });
    assert.deepEqual(await judge(made, 'folder/secret.txt'), {
      inside: false,
      realPath: join(outside, 'secret.txt'),
    });
    assert.equal((await judge(made, 'within/clock.ts')).inside, true);
  });

  it('follows a link to what is not there yet, and a new file behind a link', async () => {
    assert.deepEqual(await judge(made, 'dangling'), {
      inside: false,
      realPath: join(outside, 'not-there-yet'),
    });
    assert.deepEqual(await judge(made, 'folder/new.txt'), {
      inside: false,
      realPath: join(outside, 'new.txt'),
    });
  });

  it('comes to an end with links that lead to each other', async () => {
    await judge(made, 'loop-a');
  });

  it('takes `..` for what it does on the disk', async () => {
    assert.equal((await judge(root, '../other/a.ts')).inside, false);
    assert.equal((await judge(root, 'src/../src/clock.ts')).inside, true);
    // Behind a link the folder above is another one than the path says.
    assert.equal((await judge(made, 'folder/../x.ts')).inside, false);
    assert.equal((await judge(root, 'nothing/../../x.ts')).inside, false);
  });

  it('has absolute paths and neighbours with a longer name outside', async () => {
    assert.equal((await judge('/etc/passwd')).inside, false);
    assert.equal((await judge(`${root}-other`, 'a.ts')).inside, false);
  });

  it('takes other letters for the same folder only where the disk does', async () => {
    const other = join(root, '..', 'WORKSPACE');
    assert.equal((await judge(other, 'src/clock.ts')).inside, existsSync(other));
  });

  it('has documents that were never saved inside, and those of others outside', async () => {
    assert.equal((await isInsideWorkspace(vscode.Uri.parse('untitled:Untitled-1'))).inside, true);
    assert.equal((await isInsideWorkspace(vscode.Uri.parse('git:/w/a.ts?ref'))).inside, false);
    assert.equal((await isInsideWorkspace(vscode.Uri.parse(`vscode-vfs://host${root}/a.ts`))).inside, false);
  });
});
