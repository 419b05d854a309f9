import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { onlyFileIn, toAddedFiles } from '../../../../src/review/edits/addedFiles.ts';

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

const FILES: Readonly<Record<string, string>> = {
  'a.js': 'let a;\ndiff --git a/x b/x\n',
  'cr.js': 'let b;\rdiff --git a/y b/y\u2028diff --git a/z b/z\n',
  'deep/with space.js': 'x\n',
  'ä "quoted" 日本.txt': 'y\n',
  'empty.txt': '',
  'binary.bin': '\0\x01',
};

describe('The files of a first commit', () => {
  let folder: string;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder }).toString();

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'k3-added-'));
    git('init', '-q');
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    git('add', '.');
    git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-qm', 'Begin');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const settings of [
    [],
    ['-c', 'diff.noprefix=true'],
    ['-c', 'diff.mnemonicPrefix=true'],
    ['-c', 'core.quotePath=false'],
  ])
    it(`have their names and diffs with ${settings.at(-1) ?? 'the settings of Git'}`, () => {
      const found = toAddedFiles(git(...settings, 'diff', EMPTY_TREE, 'HEAD'));
      assert.deepEqual(found.map(({ path }) => path).toSorted(), Object.keys(FILES).toSorted());
      assert.match(
        found.find(({ path }) => path === 'a.js')?.diff ?? '',
        /\+let a;\n\+diff --git a\/x b\/x\n$/,
      );
    });

  it('are none in an empty diff', () => {
    assert.deepEqual(toAddedFiles(''), []);
  });
});

describe('The diff of one file', () => {
  const partOf = (names: string, more = '') =>
    `diff --git ${names}\n${more}@@ -1 +1 @@\n-a\n+diff --git of ${names}\n`;

  it('has nothing of others that Git gives with it', () => {
    for (const [a, b] of [
      ['a/', 'b/'],
      ['', ''],
      ['i/', 'w/'],
    ]) {
      const [own, other] = ['conf', 'conf/.env'].map((name) => partOf(`${a}${name} ${b}${name}`));
      for (const path of ['conf', '/c:/conf']) assert.equal(onlyFileIn(`${own}${other}`, path), own);
      assert.equal(onlyFileIn(`${own}${other}`, 'conf/.env'), other);
    }
    const renamed = partOf('a/conf b/conf/.env', 'rename from conf\nrename to conf/.env\n');
    assert.equal(onlyFileIn(renamed, 'conf'), '');
  });

  it('is as it is if its names are not those that Git writes', () => {
    for (const diff of [
      '',
      'diff --cc conf\n@@@ -1 -1 +1 @@@\n',
      partOf('old/conf new/conf'),
      '@@ -1 +1 @@\n',
    ])
      assert.equal(onlyFileIn(diff, 'conf'), diff);
  });
});
