import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { checkIgnored } from '../../../../src/editor/workspace/gitIgnoreCheck.ts';

const name = process.platform === 'win32' ? 'git.exe' : 'git';
const git = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, name))
  .find((file) => existsSync(file));

describe('Asking Git what it ignores', () => {
  let root: string;

  const put = async (path: string, text = '') => {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), text);
  };
  const check = (...paths: string[]) => checkIgnored(git ?? '', root, paths);

  before(async () => {
    assert.ok(git, 'These tests need Git.');
    root = await realpath(await mkdtemp(join(tmpdir(), 'k3-ignore-')));
    execFileSync(git, ['init', '-q'], { cwd: root });
    await put('.gitignore', '*.log\n!keep.log\nbuilt/\n');
    await put('src/.gitignore', 'own.txt\n');
    await put('.git/info/exclude', 'excluded.txt\n');
    await put('built/a.js');
    await put('real/a.ts');
    await symlink('real', join(root, 'link'));
  });
  after(() => rm(root, { recursive: true, force: true }));

  it('uses the rules of all files, those of info/exclude, and those that include a file again', async () => {
    assert.deepEqual(
      await check('a.log', 'keep.log', 'src/own.txt', 'own.txt', 'excluded.txt', 'built/a.js', 'src/a.ts'),
      ['ignored', 'kept', 'ignored', 'kept', 'ignored', 'ignored', 'kept'],
    );
  });

  it('uses the file that the user names for all repositories', async () => {
    const config = join(root, '.git/user-config');
    await writeFile(
      config,
      `[core]\nexcludesFile = ${join(root, '.git/user-ignore').replaceAll('\\', '/')}\n`,
    );
    await writeFile(join(root, '.git/user-ignore'), 'for-me.txt\n');
    process.env['GIT_CONFIG_GLOBAL'] = config;
    const verdicts = await check('for-me.txt');
    delete process.env['GIT_CONFIG_GLOBAL'];
    assert.deepEqual(verdicts, ['ignored']);
  });

  it('takes names as they are', async () => {
    await put('a.log');
    execFileSync(git ?? '', ['add', '-f', 'a.log'], { cwd: root });
    const odd = ['[a].log', '*', ':(top)a.log', 'new\nline.log', 'a b.log', 'ä.log', '-v.log', '"q".log'];
    assert.deepEqual(await check(...odd), [
      'ignored',
      'kept',
      ...Array.from({ length: 6 }, () => 'ignored' as const),
    ]);
  });

  it('knows a folder that does not exist yet by the slash at its end', async () => {
    assert.deepEqual(await check('x/built', 'x/built/', 'x/built/new.js'), ['kept', 'ignored', 'ignored']);
  });

  it('doesn’t know about paths behind a link and outside, and goes on after them', async () => {
    assert.deepEqual(await check('a.log', 'link/a.ts', 'b.log', '../x', 'src/a.ts'), [
      'ignored',
      'unknown',
      'ignored',
      'unknown',
      'kept',
    ]);
  });

  it('doesn’t know about the rest when there are too many of them', async () => {
    const verdicts = await check(...Array.from({ length: 30 }, (_, at) => `link/${at}`), 'a.log');
    assert.equal(verdicts?.length, 31);
    assert.equal(verdicts.at(-1), 'unknown');
  });

  it('has no answer without a repository or without Git', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'k3-no-repository-'));
    assert.equal(await checkIgnored(git ?? '', folder, ['a.log']), undefined);
    await rm(folder, { recursive: true });
    assert.equal(await checkIgnored(join(root, 'no-git'), root, ['a.log']), undefined);
  });

  it('stays in the repository, whatever the variables of the environment say', async () => {
    process.env['GIT_DIR'] = join(root, 'elsewhere');
    const verdicts = await check('a.log');
    delete process.env['GIT_DIR'];
    assert.deepEqual(verdicts, ['ignored']);
  });

  it('uses the rules of the repository when its configuration names another working tree', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'k3-other-tree-'));
    const set = (...args: string[]) => execFileSync(git ?? '', ['config', ...args], { cwd: root });
    set('core.worktree', elsewhere);
    const verdicts = await check('a.log', 'src/own.txt', 'src/a.ts');
    set('--unset', 'core.worktree');
    await rm(elsewhere, { recursive: true });
    assert.deepEqual(verdicts, ['ignored', 'ignored', 'kept']);
  });

  it('has no answer for a folder with a broken repository, by whatever path', async () => {
    await put('broken/.git/config');
    await symlink(join(root, 'broken'), join(root, '.git/broken'));
    for (const folder of ['broken', '.git/broken'])
      assert.equal(await checkIgnored(git ?? '', join(root, folder), ['a.log']), undefined, folder);
    await rm(join(root, 'broken'), { recursive: true });
  });

  it('runs no program that the repository names', async function () {
    if (process.platform === 'win32') this.skip();
    const ran = join(root, 'ran');
    const program = join(root, 'program.sh');
    await writeFile(program, `#!/bin/sh\ntouch ${ran}\n`);
    await chmod(program, 0o755);
    const set = (key: string, value: string) =>
      execFileSync(git ?? '', ['config', key, value], { cwd: root });
    for (const key of ['core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand', 'core.askPass'])
      set(key, program);
    set('pager.check-ignore', program);
    set('alias.check-ignore', `!${program}`);
    // A partial clone fetches what is missing.
    set('remote.origin.url', `ext::${program}`);
    set('remote.origin.promisor', 'true');
    set('extensions.partialClone', 'origin');
    set('protocol.ext.allow', 'always');
    assert.deepEqual(await check('a.log'), ['ignored']);
    assert.equal(existsSync(ran), false);
    execFileSync(git ?? '', ['config', '--unset', 'core.fsmonitor'], { cwd: root });
  });
});
