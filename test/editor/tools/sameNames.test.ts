/** A workspace with two folders that have the same name. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { findTarget } from '../../../src/editor/proposals/proposalFiles.ts';
import { aroundTools, call, made, textOf } from './toolsWorkspace.ts';

describe('A workspace whose folders have the same name', () => {
  aroundTools();
  let folders: readonly vscode.WorkspaceFolder[];
  let restore: () => void = () => undefined;
  const uriIn = (which: number, path: string) => {
    const folder = folders[which];
    assert.ok(folder);
    return vscode.Uri.joinPath(folder.uri, path);
  };

  before(async () => {
    const texts = { one: { 'both.txt': 'of one' }, two: { 'both.txt': 'of two', 'only.txt': 'only in two' } };
    for (const [name, files] of Object.entries(texts)) {
      await mkdir(join(made, name, 'app'), { recursive: true });
      for (const [file, text] of Object.entries(files)) await writeFile(join(made, name, 'app', file), text);
    }
    folders = ['one', 'two'].map((name, index) => ({
      uri: vscode.Uri.file(join(made, name, 'app')),
      name: 'app',
      index,
    }));
    restore = openAll(folders);
  });
  after(() => restore());

  it('has files read that only a later one has, and a path that leads to several is refused with their addresses', async () => {
    assert.match(await textOf('read_file', { path: 'app/only.txt' }), /only in two/);
    const refused = await call('read_file', { path: 'app/both.txt' });
    assert.equal(refused.failed, true);
    const addresses = [0, 1].map((which) => uriIn(which, 'both.txt').toString());
    for (const address of addresses) assert.ok(refused.text.includes(address), refused.text);
    assert.match(await textOf('read_file', { path: addresses[1] }), /of two/);
  });

  it('is searched in one of its folders by a pattern that begins with the name of that', async () => {
    assert.equal(await textOf('find_files', { pattern: 'app/only*' }), 'app/only.txt');
    assert.equal(
      await textOf('search_text', { text: 'only in', include: 'app/**/*.txt' }),
      'app/only.txt:1: only in two',
    );
  });

  it('has the changes of an answer in the folder of the file that was asked about', async () => {
    const origin = { uri: uriIn(1, 'only.txt').toString(), startLine: 0, endLine: 0, text: 'only in two' };
    assert.equal((await findTarget('app/both.txt', [origin])).text, 'of two');
    assert.equal((await findTarget('app/only.txt', [])).text, 'only in two');
    const address = uriIn(1, 'both.txt').toString();
    assert.equal((await findTarget(address, [])).text, 'of two', 'the address that tools ask for');
    assert.equal((await findTarget('app/new.txt', [origin])).uri.toString(), uriIn(1, 'new.txt').toString());
  });
});

/** Replaces part of `vscode.workspace`, because the editor restarts when its folders change. Returns the undo. */
function openAll(folders: readonly vscode.WorkspaceFolder[]): () => void {
  const { workspace } = vscode;
  const folderOf = (uri: vscode.Uri) => folders.find((one) => `${uri.path}/`.startsWith(`${one.uri.path}/`));
  const replaced = {
    workspaceFolders: { get: () => folders },
    getWorkspaceFolder: { value: folderOf },
    asRelativePath: {
      value: (at: vscode.Uri | string) => {
        const uri = typeof at === 'string' ? vscode.Uri.file(at) : at;
        const folder = folderOf(uri);
        return folder === undefined ? uri.path : `${folder.name}${uri.path.slice(folder.uri.path.length)}`;
      },
    },
  };
  const names = ['workspaceFolders', 'getWorkspaceFolder', 'asRelativePath'] as const;
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(workspace, name)] as const);
  for (const name of names) Object.defineProperty(workspace, name, { configurable: true, ...replaced[name] });
  return () => {
    for (const [name, descriptor] of before)
      if (descriptor !== undefined) Object.defineProperty(workspace, name, descriptor);
  };
}
