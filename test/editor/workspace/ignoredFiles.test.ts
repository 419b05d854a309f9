import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { readFolderContext } from '../../../src/editor/context/contextFolders.ts';
import { createAllowedReads } from '../../../src/editor/workspace/allowedReads.ts';
import { createProjectFiles } from '../../../src/editor/workspace/projectFiles.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { aroundTools, asked, call, HIDDEN, made, pathOf, root, textOf } from '../tools/toolsWorkspace.ts';

const allows = (name: string, folder = made) =>
  createAllowedReads().allows(vscode.Uri.file(join(folder, name)));

/** Sets the excluded patterns of the editor until the returned function runs. */
async function exclude(section: 'files' | 'search', pattern: string): Promise<() => Promise<void>> {
  const set = (value: Record<string, boolean> | undefined) =>
    vscode.workspace.getConfiguration(section).update('exclude', value, vscode.ConfigurationTarget.Workspace);
  await set({ [pattern]: true });
  return async () => set(undefined);
}

describe('Ignored files', () => {
  aroundTools();

  for (const section of ['files', 'search'] as const)
    it(`stay ignored when ${section}.exclude hides the files with the rules`, async () => {
      const restore = await exclude(section, '**/.gitignore');
      try {
        assert.equal(await allows('a.log'), false);
        assert.equal(await allows('docs/notes.md'), false, 'a link to it');
        assert.equal(await allows('one.txt'), true);
        assert.equal((await call('read_file', { path: pathOf('built/out.txt') })).refused, true);
        assert.equal(asked.details.length, 1);
        assert.equal(await textOf('search_text', { text: HIDDEN }), '[Nothing found.]');
        assert.match(await textOf('list_files', { path: pathOf('.') }), /\[2 more that git ignores\.\]$/);
        const token = new vscode.CancellationTokenSource().token;
        const listed = (await createProjectFiles().list(token)).map(({ path }) => path);
        assert.ok(listed.includes(join(made, 'one.txt')) && !listed.includes(join(made, 'a.log')));
      } finally {
        await restore();
      }
    });

  describe('of a repository', () => {
    let repository: string;

    async function put(files: Readonly<Record<string, string>>): Promise<void> {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(join(repository, path, '..'), { recursive: true });
        await writeFile(join(repository, path), text);
      }
    }

    before(async () => {
      repository = await mkdtemp(join(root, 'repository-'));
      await put({
        '.gitignore': '*.log\nclones/\n',
        'src/a.ts': '',
        'a.log': HIDDEN,
        'mine.txt': HIDDEN,
        'for-me.txt': HIDDEN,
        'ä [1] b.log': HIDDEN,
        'clones/x/a.ts': HIDDEN,
        'inner/.gitignore': '*.key.txt\n',
        'inner/a.key.txt': HIDDEN,
        'inner/a.log': 'no rule of this repository\n',
        'user-ignore': 'for-me.txt\n',
      });
      for (const folder of ['.', 'clones/x', 'inner'])
        execFileSync('git', ['init', '-q'], { cwd: join(repository, folder) });
      await put({ '.git/info/exclude': 'mine.txt\n' });
      execFileSync('git', ['config', 'core.excludesFile', join(repository, 'user-ignore')], {
        cwd: repository,
      });
      await symlink('../mine.txt', join(repository, 'src/to-mine'));
    });
    after(() => removeFolder(repository));

    for (const name of [
      'a.log',
      'mine.txt',
      'for-me.txt',
      'new\nline.log',
      'ä [1] b.log',
      'clones/x/a.ts',
      'clones/not-there-yet.ts',
      'inner/a.key.txt',
      'src/to-mine',
    ])
      it(`include ${JSON.stringify(name)}`, async () => assert.equal(await allows(name, repository), false));

    for (const name of ['src/a.ts', 'src/not-there-yet.ts', 'inner/a.log'])
      it(`do not include ${name}`, async () => assert.equal(await allows(name, repository), true));

    it('are omitted from a folder, by the folder that is ignored', async () => {
      const taken = await readFolderContext(vscode.Uri.file(repository), async () => true);
      assert.ok(taken.ok);
      const ignored = taken.item.omitted?.filter(({ why }) => why === 'ignored').map(({ label }) => label);
      assert.deepEqual(
        ignored,
        ['a.log', 'clones/', 'for-me.txt', 'inner/a.key.txt', 'mine.txt', 'src/to-mine', 'ä [1] b.log'].map(
          (name) => `${basename(repository)}/${name}`,
        ),
      );
      assert.ok(!JSON.stringify(taken.item.parts).includes(HIDDEN));
    });

    it('are found by the same rules when Git refuses the repository', async () => {
      // A later version of Git could have written it.
      execFileSync('git', ['config', 'core.repositoryFormatVersion', '99'], { cwd: repository });
      const names = ['a.log', 'mine.txt', 'for-me.txt', 'src/a.ts'];
      assert.deepEqual(await Promise.all(names.map((name) => allows(name, repository))), [
        false,
        false,
        false,
        true,
      ]);
    });
  });
});
