import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { readChanges, type Scope } from '../../../src/editor/workspace/changes.ts';
import { findGit, type Repository, refreshState } from '../../../src/editor/workspace/git.ts';
import { readRevisionChanges } from '../../../src/editor/workspace/revisionChanges.ts';
import type { ChangedFile } from '../../../src/review/questions/changesQuestion.ts';
import { removeFolderSync } from '../../support/removeFolder.ts';
import { createRepository, type TestRepository } from '../repositories.ts';

const UNTRACKED = 7;
const byPath = (files: readonly ChangedFile[]) => new Map(files.map((file) => [file.path, file]));
/** Made up, in the format that GitHub documents. */
const KEY = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cF3hJ6'}`;

async function findRepository({ folder }: TestRepository) {
  const git = await findGit();
  const repository = git?.repositories.find(({ rootUri }) => rootUri.fsPath === folder);
  assert.ok(repository);
  await refreshState(repository);
  return repository;
}

describe('A new file in UTF-16', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'k3-changes-'));
  });
  after(() => removeFolderSync(folder));

  /** As it is read for a review or a commit message. */
  async function read(name: string, text: string) {
    const uri = vscode.Uri.file(join(folder, name));
    writeFileSync(uri.fsPath, Buffer.from(`\uFEFF${text}`, 'utf16le'));
    const change = { uri, originalUri: uri, renameUri: undefined, status: UNTRACKED };
    const repository = {
      rootUri: vscode.Uri.file(folder),
      state: { indexChanges: [], workingTreeChanges: [change] },
    } as Partial<Record<keyof Repository, unknown>> as Repository;
    const { token } = new vscode.CancellationTokenSource();
    const [file] = await readChanges(repository, 'all', token);
    return file;
  }

  it('has its text as the editor shows it', async () => {
    assert.equal((await read('words.txt', 'größer\r\n'))?.text, 'größer\r\n');
  });

  it('is not sent if it has keys', async () => {
    const file = await read('notes.txt', `token = ${KEY}\n`);
    assert.deepEqual([file?.secret, file?.text], [true, undefined]);
  });
});

describe('Changes of a repository, as its Git extension reports them', () => {
  let made: TestRepository;
  before(async () => {
    made = createRepository('changes');
    const { write, commit, git } = made;
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join('');
    write('live.env', `A=1\n${lines}`);
    write('sum.js', lines);
    write('both.js', lines);
    write('kept.log', lines);
    commit('Begin');
    write('.gitignore', '*.log\n');
    git('checkout', '-q', '-b', 'other');
    write('both.js', lines.replace('line 3\n', 'theirs\n'));
    commit('Other');
    git('checkout', '-q', '-');
    write('both.js', lines.replace('line 3\n', 'ours\n'));
    commit('Ours');
    assert.throws(() => git('merge', '-q', 'other'));
    write('sum.js', lines.replace('line 9\n', 'staged\n'));
    git('add', 'sum.js');
    write('sum.js', `above\nabove\n${lines.replace('line 9\n', 'staged\n')}`);
    git('mv', 'live.env', 'notes.txt');
    write('notes.txt', `A=2\n${lines}`);
    write('kept.log', `now\n${lines}`);
    await made.open();
  });
  after(() => made.close());

  const { token } = new vscode.CancellationTokenSource();

  const read = async (scope: Scope) => byPath(await readChanges(await findRepository(made), scope, token));

  it('have nothing of a file that the rules ignore, although it is in the index', async () => {
    for (const file of [(await read('unstaged')).get('kept.log'), (await read('all')).get('kept.log')])
      assert.deepEqual([file?.secret, file?.diff, file?.text], [true, undefined, undefined]);
    const uri = made.uriOf('kept.log');
    const place = { uri, realPath: uri.fsPath };
    const asked = await readChanges(await findRepository(made), 'unstaged', token, undefined, place);
    assert.match(byPath(asked).get('kept.log')?.diff ?? '', /^\+now$/m, 'the user has allowed this file');
    const to = made.git('rev-list', '--max-parents=0', 'HEAD').trim();
    const first = byPath(
      await readRevisionChanges(await findRepository(made), { from: undefined, to }, token),
    );
    const kept = first.get('kept.log');
    assert.deepEqual([kept?.secret, kept?.diff, kept?.text], [true, undefined, undefined]);
    assert.match(first.get('both.js')?.diff ?? '', /line 3/);
  });

  it('have conflicts, staged lines with those around them, and no file that had a name for secrets', async () => {
    const [staged, unstaged, all] = [await read('staged'), await read('unstaged'), await read('all')];
    assert.ok(staged.get('sum.js')?.text?.startsWith('line 0\n'));
    assert.ok(unstaged.get('sum.js')?.text?.startsWith('above\n'));
    for (const files of [unstaged, all])
      assert.match(files.get('both.js')?.diff ?? '', /^@@ [\s\S]*\n\+theirs\n/m);
    for (const files of [staged, unstaged, all]) assert.equal(files.get('notes.txt')?.secret, true);
  });
});

describe('Changes of a file whose name Git takes for a pattern of others', () => {
  let made: TestRepository;
  const { token } = new vscode.CancellationTokenSource();
  before(async () => {
    made = createRepository('patterns');
    for (const name of ['.env', '.[e]nv']) made.write(name, 'one\n');
    made.commit('Begin');
    for (const name of ['.env', '.[e]nv']) made.write(name, `of ${name}\n`);
    await made.open();
  });
  after(() => made.close());

  it('have nothing of these, which can be for secrets', async () => {
    const check = (files: readonly ChangedFile[]) => {
      const { diff = '' } = files.find(({ path }) => path === '.[e]nv') ?? {};
      assert.match(diff, /^\+of \.\[e\]nv$/m);
      assert.doesNotMatch(diff, /of \.env/);
    };
    for (const scope of ['all', 'unstaged'] as const)
      check(await readChanges(await findRepository(made), scope, token));
    made.git('add', '-A');
    check(await readChanges(await findRepository(made), 'staged', token));
    const from = made.git('rev-parse', 'HEAD').trim();
    made.commit('Change');
    const to = made.git('rev-parse', 'HEAD').trim();
    check(await readRevisionChanges(await findRepository(made), { from, to }, token));
  });

  it('have nothing of a folder that took the place of a file, also if it is as if it was renamed', async () => {
    made.write('conf', 'one\ntwo\nthree\n');
    made.commit('File');
    const from = made.git('rev-parse', 'HEAD').trim();
    rmSync(made.uriOf('conf').fsPath);
    mkdirSync(made.uriOf('conf').fsPath);
    for (const text of ['of the folder\n', 'one\ntwo\nthree\nof the folder\n']) {
      made.write('conf/.env', text);
      made.git('add', '-A', '-f');
      for (const scope of ['all', 'staged'] as const) {
        const files = await readChanges(await findRepository(made), scope, token);
        assert.equal(byPath(files).get('conf/.env')?.secret, true);
        assert.doesNotMatch(JSON.stringify(files), /of the folder/);
      }
    }
    made.commit('Folder');
    const to = made.git('rev-parse', 'HEAD').trim();
    const files = await readRevisionChanges(await findRepository(made), { from, to }, token);
    assert.doesNotMatch(JSON.stringify(files), /of the folder/);
  });
});
