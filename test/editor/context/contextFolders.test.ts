import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { type ContextItem, toItemText } from '../../../src/conversation/context/context.ts';
import { readFolderContext } from '../../../src/editor/context/contextFolders.ts';
import { toContextView } from '../../../src/editor/context/contextWords.ts';
import { readChanges } from '../../../src/editor/workspace/changes.ts';
import type { Repository } from '../../../src/editor/workspace/git.ts';
import { removeFolder } from '../../support/removeFolder.ts';

/** Made up, and put together here so that no scanner takes this file for one with keys. */
const TOKEN = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');

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
  after(() => removeFolder(folder));

  it('says how many files were left out beyond those that are looked at, which are always the same', async () => {
    await mkdir(join(folder, 'many/deep'), { recursive: true });
    // Not in the order of their names.
    for (const name of ['g', 'b', 'deep/x', 'h', 'a', 'f', 'c', 'e'])
      await writeFile(join(folder, 'many', `${name}.txt`), `${name}\n`);
    await writeFile(join(folder, 'many/.gitignore'), 'b.txt\n');
    const read = async () => {
      const taken = await readFolderContext(vscode.Uri.file(join(folder, 'many')), allows, 4);
      assert.ok(taken.ok);
      return taken.item;
    };
    const item = await read();
    assert.deepEqual(
      item.parts.map(({ label }) => label),
      ['.gitignore', 'a.txt', 'c.txt', 'deep/x.txt'].map((name) => `${basename(folder)}/many/${name}`),
    );
    // The ignored file, and e, f, g, and h.
    assert.match(toItemText(item), /^Folder .*many\/, 4 files, 5 entries left out:/);
    const view = toContextView({ item, changed: false });
    assert.equal(view.omittedCount, 5);
    assert.deepEqual(view.omitted, [`${basename(folder)}/many/b.txt: ignored by Git`, '… and 4 more']);
    await rm(join(folder, 'many/a.txt'));
    await writeFile(join(folder, 'many/a.txt'), 'a\n');
    assert.equal(toItemText(await read()), toItemText(item));
  });

  it('has no files that settings exclude by their path in the workspace, unless the folder itself is excluded', async () => {
    const name = basename(folder);
    await mkdir(join(folder, 'all [1]/out'), { recursive: true });
    for (const path of ['a.txt', 'out/b.txt', 'c.txt'])
      await writeFile(join(folder, 'all [1]', path), `${path}\n`);
    const names = async (path: string) => (await read(path)).parts.map(({ label }) => basename(label));
    const set = (section: string, value: object | undefined) =>
      vscode.workspace.getConfiguration(section).update('exclude', value, vscode.ConfigurationTarget.Global);
    try {
      // “?” stands for the brackets.
      await set('search', { [`${name}/all ?1?/out`]: true });
      assert.deepEqual(await names('all [1]'), ['a.txt', 'c.txt']);
      assert.deepEqual(await names('all [1]/out'), ['b.txt']);
      await set('files', { [`${name}/all ?1?/c.txt`]: true });
      assert.deepEqual(await names('all [1]'), ['a.txt']);
    } finally {
      await set('search', undefined);
      await set('files', undefined);
    }
  });

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
    originalUri: vscode.Uri.file(join(folder, name)),
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
  after(() => removeFolder(folder));

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

  it('are left out if a file is too large to be read and its diff can show a part of a private key', async () => {
    const keyLine = 'MIIEpAIBAAKCAQEAwWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUxabcdefghij12';
    await writeFile(join(folder, 'large.txt'), `${'clean\n'.repeat(200_000)}`);
    await writeFile(join(folder, 'large-key.txt'), `${'clean\n'.repeat(200_000)}`);
    const repository = {
      rootUri: vscode.Uri.file(folder),
      state: {
        HEAD: { commit: 'c' },
        indexChanges: [],
        workingTreeChanges: [change('large.txt', 5), change('large-key.txt', 5)],
      },
      diffWith: async (_: string, path: string) =>
        `@@ -9,2 +9,3 @@\n ${/large-key/.test(path) ? keyLine : 'clean'}\n+new\n clean\n`,
    } as unknown as Repository;
    const files = await readChanges(repository, 'all', new vscode.CancellationTokenSource().token);
    assert.deepEqual(
      files.map(({ path, diff, text, secret }) => [path, diff?.includes('+new'), text, secret]),
      [
        ['large.txt', true, undefined, undefined],
        ['large-key.txt', undefined, undefined, true],
      ],
    );
  });
});
