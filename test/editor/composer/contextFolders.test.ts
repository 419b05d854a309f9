import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { type ContextItem, toItemText } from '../../../src/chat/context.ts';
import { readFolderContext } from '../../../src/editor/composer/contextFolders.ts';
import { toContextView } from '../../../src/editor/composer/contextWords.ts';
import { readChanges } from '../../../src/editor/workspace/changes.ts';
import type { Repository } from '../../../src/editor/workspace/git.ts';

/** Made up, and put together here so that no scanner takes this file for one with keys. */
const TOKEN = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');

/** Long enough that only some files fit, which keeps the test short. */
const TEXT = 'One line of a file that is not read.\n'.repeat(50);

const allows = async () => true;

let folder: string;

async function read(name: string): Promise<ContextItem> {
  const taken = await readFolderContext(vscode.Uri.file(join(folder, name)), allows);
  assert.ok(taken.ok, JSON.stringify(taken));
  return taken.item;
}

describe('A folder as context', () => {
  before(async () => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    folder = await mkdtemp(join(await realpath(root.uri.fsPath), 'folders-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('says how many files were left out, also beyond those that are looked at', async () => {
    await mkdir(join(folder, 'many'));
    // Neither in the order of their names nor of the disk.
    const order = Array.from({ length: 5003 }, (_, at) => (at * 2999) % 5003);
    for (let at = 0; at < order.length; at += 500)
      await Promise.all(
        order
          .slice(at, at + 500)
          .map((number) => writeFile(join(folder, 'many', `f${String(number).padStart(5, '0')}.txt`), TEXT)),
      );
    const item = await read('many');
    const { parts, omitted = [], omittedMore = 0 } = item;
    assert.equal(parts.length + omitted.length + omittedMore, 5003);
    const left = 5003 - parts.length;
    assert.ok(left > 0);
    assert.match(
      toItemText(item),
      new RegExp(`^Folder .*many/, ${parts.length} files, ${left} entries left out:`),
    );
    const view = toContextView({ item, changed: false });
    assert.equal(view.omittedCount, left);
    assert.equal(view.omitted.at(-1), `… and ${omittedMore} more`);
    assert.deepEqual(
      parts.slice(0, 2).map(({ label }) => label),
      ['f00000.txt', 'f00001.txt'].map((name) => `${basename(folder)}/many/${name}`),
    );
    assert.equal(toItemText(await read('many')), toItemText(item));
  }).timeout(120_000);

  it('leaves out files whose text has keys or passwords', async () => {
    await mkdir(join(folder, 'keys'));
    await writeFile(join(folder, 'keys/a.ts'), 'export const a = 1;\n');
    await writeFile(join(folder, 'keys/b.ts'), `const token = '${TOKEN}';\n`);
    const item = await read('keys');
    assert.deepEqual(item.omitted, [{ label: `${basename(folder)}/keys/b.ts`, why: 'secret' }]);
    assert.ok(!toItemText(item).includes(TOKEN));
  });
});

describe('Changes with keys or passwords in their text', () => {
  const UNTRACKED = 7;
  const change = (name: string, status: number) => ({
    uri: vscode.Uri.file(join(folder, name)),
    status,
    renameUri: undefined,
  });

  before(async () => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    folder = await mkdtemp(join(await realpath(root.uri.fsPath), 'changes-'));
    await writeFile(join(folder, 'in-diff.ts'), 'clean\n');
    await writeFile(join(folder, 'elsewhere.ts'), `'${TOKEN}'\nclean\n`);
    await writeFile(join(folder, 'new.ts'), `'${TOKEN}'\n`);
    await writeFile(join(folder, 'clean.ts'), 'clean\n');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('are left out, and the rest of a file that has some elsewhere', async () => {
    const repository = {
      rootUri: vscode.Uri.file(folder),
      state: {
        HEAD: { commit: 'c' },
        indexChanges: [],
        workingTreeChanges: [
          change('in-diff.ts', 5),
          change('elsewhere.ts', 5),
          change('new.ts', UNTRACKED),
          change('clean.ts', 5),
        ],
      },
      diffWith: async (_: string, path: string) =>
        /in-diff/.test(path) ? `-'${TOKEN}'\n+clean\n` : '+clean\n',
    } as unknown as Repository;
    const files = await readChanges(repository, 'all', new vscode.CancellationTokenSource().token);
    assert.deepEqual(
      files.map(({ path, diff, text, secret }) => ({ path, diff, text, secret })),
      [
        { path: 'in-diff.ts', diff: undefined, text: undefined, secret: true },
        { path: 'elsewhere.ts', diff: '+clean\n', text: undefined, secret: undefined },
        { path: 'new.ts', diff: undefined, text: undefined, secret: true },
        { path: 'clean.ts', diff: '+clean\n', text: 'clean\n', secret: undefined },
      ],
    );
  });
});
