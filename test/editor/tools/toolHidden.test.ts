import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { readFolderContext } from '../../../src/editor/context/contextFolders.ts';
import { refreshContext } from '../../../src/editor/context/contextItems.ts';
import { createContextPermission } from '../../../src/editor/context/contextPermission.ts';
import { readProblemsContext } from '../../../src/editor/context/contextReports.ts';
import { findTarget } from '../../../src/editor/proposals/proposalFiles.ts';
import { createAllowedReads } from '../../../src/editor/workspace/allowedReads.ts';
import { readChanges } from '../../../src/editor/workspace/changes.ts';
import type { Repository } from '../../../src/editor/workspace/git.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { aroundTools, asked, call, HIDDEN, made, pathOf, root, textOf } from './toolsWorkspace.ts';

/** Links that Git can commit, to a file in `.git`, to an ignored file, and to an ignored folder. */
const LINKED = ['docs/remote.txt', 'docs/notes.md', 'docs/folder/out.txt', 'plain-name'];
/** In a known format, in parts so that this file is not one with a key. */
const KEY = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
const OWN = ['.env', 'a.log', 'built/out.txt', '.git/config'];
const BY_ANY_PATH = [...OWN, ...LINKED, '.GIT/config', 'docs/../a.log'];
/** A file of secrets, one that is ignored, one of Git, and the links to them. */
const ONE_OF_EACH_KIND = ['.env', 'a.log', '.git/config', 'docs/remote.txt', 'docs/folder/out.txt'];

describe('Files that Git ignores, files in .git, and files that may contain secrets', () => {
  aroundTools();

  const tools: readonly (readonly [string, (path: string) => Record<string, unknown>])[] = [
    ['read_file', (path) => ({ path })],
    ['get_diagnostics', (path) => ({ path })],
    ['find_references', (path) => ({ path, line: 1, symbol: HIDDEN })],
    ['git_log', (path) => ({ path })],
    ['git_diff', (path) => ({ path })],
    ['propose_edit', (path) => ({ path, edits: [{ find: HIDDEN, replace: 'x' }] })],
  ];

  for (const [name, toArguments] of tools) {
    it(`are not available to ${name} without asking, by any path`, async () => {
      const problems = setProblems([...OWN, ...LINKED]);
      for (const path of (name === 'read_file' ? BY_ANY_PATH : ONE_OF_EACH_KIND).map(pathOf)) {
        asked.details.length = 0;
        const result = await call(name, toArguments(path));
        assert.equal(result.refused, true, `${path}: ${result.text}`);
        assert.equal(asked.details.length, 1, path);
        assert.ok(!result.text.includes(HIDDEN), path);
      }
      problems.dispose();
    });
  }

  it('do not include a folder with the name of such a file, but those in it', async () => {
    await mkdir(join(made, 'src/credentials'));
    await writeFile(join(made, 'src/credentials/login.ts'), 'login');
    await writeFile(join(made, 'src/credentials/.npmrc'), HIDDEN);
    assert.equal(await textOf('list_files', { path: pathOf('src/credentials') }), '.npmrc\nlogin.ts');
    assert.deepEqual(asked.details, []);
    assert.equal((await call('read_file', { path: pathOf('src/credentials/.npmrc') })).refused, true);
    await rm(join(made, 'src/credentials'), { recursive: true });
  });

  it('can be read when the user allows it', async () => {
    asked.answer = 'Allow Once';
    for (const path of [...OWN, ...LINKED].map(pathOf))
      assert.match(await textOf('read_file', { path }), new RegExp(HIDDEN), path);
  });

  it('are excluded from searches, also through a link', async () => {
    for (const include of [undefined, 'tools-*/docs/**', '**/remote.txt', '**/notes.md', '**/plain-name'])
      assert.equal(
        await textOf('search_text', { text: HIDDEN, ...(include && { include }) }),
        '[Nothing found.]',
        include,
      );
    for (const pattern of ['**/remote.txt', '**/notes.md', '**/out.txt', '**/config'])
      assert.equal(await textOf('find_files', { pattern }), '[No files found.]', pattern);
    assert.equal(await textOf('find_files', { pattern: '**/docs/*.md' }), pathOf('docs/readme.md'));
    assert.deepEqual(asked.details, []);
  });

  it('are not listed, also through a link to their folder, and .git is not counted', async () => {
    const listed = await textOf('list_files', { path: basename(made) });
    assert.match(listed, /\[2 more that git ignores\.\]$/);
    assert.doesNotMatch(listed, /a\.log|built|\.git\//);
    await symlink('..', join(made, 'docs/up'));
    const again = await textOf('list_files', { path: pathOf('docs/up') });
    await rm(join(made, 'docs/up'));
    assert.equal(again, listed);
  });

  it('are excluded from the problems of the workspace', async () => {
    const problems = setProblems([...OWN, ...LINKED, 'one.txt']);
    const text = await textOf('get_diagnostics', {});
    assert.deepEqual(filesIn(text), ['one.txt']);
    const taken = await readProblemsContext();
    assert.ok(taken.ok);
    assert.deepEqual(filesIn(taken.item.parts[0]?.text ?? ''), ['one.txt']);
    problems.dispose();
  });

  it('are excluded from references', async () => {
    const provider = vscode.languages.registerReferenceProvider(
      { pattern: '**/bell.ts' },
      {
        provideReferences: () =>
          ['src/bell.ts', ...OWN, ...LINKED].map((name) => new vscode.Location(uriOf(name), START)),
      },
    );
    const text = await textOf('find_references', { path: pathOf('src/bell.ts'), line: 1, symbol: 'ring' });
    provider.dispose();
    assert.match(text, /bell\.ts/);
    assert.doesNotMatch(text, /docs|a\.log|built|plain|\.env|\.git/);
  });

  it('need confirmation when they are added to a question, with the resolved path', async () => {
    for (const name of [...OWN, ...LINKED]) {
      asked.details.length = 0;
      const uri = uriOf(name).toString();
      const references = [
        { kind: 'file' as const, uri },
        { kind: 'symbol' as const, uri, name: 'url', startLine: 0, endLine: 0 },
      ];
      assert.deepEqual(await createContextPermission(createAllowedReads()).askForAll(references), [], name);
      assert.equal(asked.details.length, 1, name);
    }
    const reference = { kind: 'file' as const, uri: uriOf('docs/remote.txt').toString() };
    await createContextPermission(createAllowedReads()).askForAll([reference]);
    const paths = [
      `Resolved path: ${join(made, '.git/config')}`,
      `Requested path: ${pathOf('docs/remote.txt')}`,
    ];
    assert.deepEqual(asked.details.at(-1)?.split('\n').slice(0, 2), paths);
  });

  it('are left out of an added folder', async () => {
    const taken = await readFolderContext(uriOf('docs'), async () => true);
    assert.ok(taken.ok);
    assert.deepEqual(
      taken.item.parts.map(({ label }) => label),
      [pathOf('docs/readme.md')],
    );
    const omitted = taken.item.omitted?.filter(({ label }) => /remote|notes/.test(label));
    assert.deepEqual(omitted, [
      { label: pathOf('docs/notes.md'), why: 'ignored' },
      { label: pathOf('docs/remote.txt'), why: 'ignored' },
    ]);
  });

  it('are excluded from a review of changes when a link has replaced a folder', async () => {
    const repository = {
      rootUri: uriOf('.'),
      state: {
        HEAD: { commit: 'c' },
        indexChanges: [],
        workingTreeChanges: [deleted('docs/folder/out.txt')],
      },
      diffWith: async () => '-gone\n',
    } as unknown as Repository;
    const [file] = await readChanges(repository, 'all', new vscode.CancellationTokenSource().token);
    assert.deepEqual([file?.change, file?.diff, file?.text], ['deleted', '-gone\n', undefined]);
  });

  describe('whose text has a key, under a name like any other', () => {
    const NAME = 'src/client.ts';
    before(() => writeFile(join(made, NAME), `export const key = '${KEY}';\nexport const other = 1;\n`));
    after(() => rm(join(made, NAME)));

    it('are read by read_file only when the user allows it', async () => {
      const refused = await call('read_file', { path: pathOf(NAME) });
      assert.equal(refused.refused, true);
      assert.match(asked.details.join(), /It has text that looks like a key or password\./);
      assert.ok(!refused.text.includes(KEY));
      asked.answer = 'Allow Once';
      assert.match(await textOf('read_file', { path: pathOf(NAME) }), new RegExp(KEY));
    });

    it('are not guessed letter by letter with edits that have no place', async () => {
      const guess = {
        path: pathOf(NAME),
        edits: [...'abgxyz'].map((find) => ({ find: `'${find}`, replace: '' })),
      };
      const refused = await call('propose_edit', guess);
      assert.equal(refused.refused, true, refused.text);
      assert.match(asked.details.join(), /It has text that looks like a key or password\./);
      assert.doesNotMatch(refused.text, /part of a line/);
      asked.answer = 'Allow Once';
      assert.match(await textOf('propose_edit', guess), /"'g" is only part of a line/);
    });

    it('are not guessed with edits that change nothing, of which the user would see no proposal', async () => {
      const line = `export const key = '${KEY}';`;
      const guess = { path: pathOf(NAME), edits: [{ find: line, replace: line }] };
      const refused = await call('propose_edit', guess);
      assert.equal(refused.refused, true, refused.text);
      assert.match(asked.details.join(), /It has text that looks like a key or password\./);
      asked.answer = 'Allow Once';
      assert.match(await textOf('propose_edit', guess), /makes no changes/);
    });

    it('are named by search_text, with their lines only when the user allows it, and asked about again when read_file is allowed', async () => {
      const search = { text: 'export const', include: `${pathOf('src')}/*.ts` };
      const found = await textOf('search_text', search);
      assert.match(found, /bell\.ts:1: export const ring = 1;/);
      assert.match(found, /not searched, because the user did not allow .*client\.ts\.\]$/);
      assert.ok(!found.includes(KEY));
      assert.equal(await textOf('search_text', search), found);
      assert.equal(asked.details.length, 1);
      asked.answer = 'Allow Once';
      await call('read_file', { path: pathOf(NAME) });
      assert.match(await textOf('search_text', search), new RegExp(KEY));
    });

    it('are named by find_references, with their lines only when the user allows it', async () => {
      const provider = vscode.languages.registerReferenceProvider(
        { pattern: '**/bell.ts' },
        {
          provideReferences: () => [
            new vscode.Location(uriOf('src/bell.ts'), START),
            new vscode.Location(uriOf(NAME), START),
            new vscode.Location(uriOf(NAME), new vscode.Position(1, 0)),
          ],
        },
      );
      const place = { path: pathOf('src/bell.ts'), line: 1, symbol: 'ring' };
      const found = await textOf('find_references', place);
      assert.match(found, /bell\.ts:1: export const ring = 1;/);
      assert.match(found, /not searched, because the user did not allow .*client\.ts\.\]$/);
      assert.ok(!found.includes(KEY));
      assert.equal(asked.details.length, 1);
      asked.answer = 'Allow Once';
      await call('read_file', { path: pathOf(NAME) });
      assert.match(await textOf('find_references', place), new RegExp(KEY));
      provider.dispose();
    });

    it('need confirmation once in a window when they are added to a question, also after a key was added', async () => {
      const uri = uriOf(NAME);
      const reference = { kind: 'file' as const, uri: uri.toString() };
      assert.deepEqual(await createContextPermission(createAllowedReads()).askForAll([reference]), []);
      assert.equal(asked.details.length, 1);
      const bell = uriOf('src/bell.ts');
      const permission = createContextPermission(createAllowedReads());
      const item = { kind: 'file' as const, label: NAME, uri: uri.toString(), parts: [] };
      assert.equal((await refreshContext(item, permission.allows)).older, true);
      asked.answer = 'Allow in This Window';
      for (const one of [reference, { kind: 'file' as const, uri: bell.toString() }])
        assert.deepEqual(await permission.askForAll([one]), [one]);
      assert.deepEqual(await permission.askForAll([reference]), [reference]);
      assert.equal(asked.details.length, 2);
      assert.match(JSON.stringify(await refreshContext(item, permission.allows)), new RegExp(KEY));
    });
  });

  it('need confirmation when an answer proposes to change them, but not to create them', async () => {
    for (const name of [...OWN, ...LINKED]) {
      asked.details.length = 0;
      const { text, unread } = await findTarget(pathOf(name), { origin: undefined });
      assert.deepEqual([text, unread, asked.details.length], ['', 'refused', 1], name);
    }
    asked.details.length = 0;
    assert.equal((await findTarget(pathOf('built/new.txt'), { origin: undefined })).unread, undefined);
    assert.deepEqual(asked.details, []);
    asked.answer = 'Allow Once';
    assert.equal((await findTarget(pathOf('a.log'), { origin: undefined })).text, HIDDEN);
  });

  describe('in a workspace opened through a link', () => {
    let link: string;
    let restore: () => void;

    before(async () => {
      link = join(await mkdtemp(join(tmpdir(), 'k3-link-')), 'workspace');
      await symlink(root, link);
      restore = openThrough(link);
    });

    after(async () => {
      restore();
      await removeFolder(join(link, '..'));
    });

    it('need confirmation by the resolved path, too', async () => {
      for (const name of [...OWN, ...LINKED])
        for (const path of [pathOf(name), join(link, pathOf(name)), join(made, name)]) {
          asked.details.length = 0;
          const result = await call('read_file', { path });
          assert.equal(result.refused, true, `${path}: ${result.text}`);
          assert.equal(asked.details.length, 1, path);
        }
      assert.equal(await textOf('read_file', { path: join(made, 'docs/readme.md') }), '1\tOpen to all.');
    });

    it('are not listed by the resolved path', async () => {
      assert.match(await textOf('list_files', { path: made }), /\[2 more that git ignores\.\]$/);
    });
  });
});

const deleted = (name: string) => ({ uri: uriOf(name), originalUri: uriOf(name), status: 6 });

const START = new vscode.Position(0, 0);

const uriOf = (name: string) => vscode.Uri.file(join(made, name));

/** Adds a problem with the hidden text to each file. */
function setProblems(names: readonly string[]): vscode.Disposable {
  const problems = vscode.languages.createDiagnosticCollection('hidden');
  for (const name of names)
    problems.set(uriOf(name), [new vscode.Diagnostic(new vscode.Range(START, START), HIDDEN)]);
  return problems;
}

/** The files whose problems show the hidden text. */
const filesIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line.includes(HIDDEN))
    .map((line) => line.slice(pathOf('').length).replace(/:.*/, ''));

/** Replaces part of `vscode.workspace`, because the editor restarts when its folders change. Returns the undo. */
function openThrough(link: string): () => void {
  const { workspace } = vscode;
  const names = ['workspaceFolders', 'getWorkspaceFolder', 'findFiles', 'asRelativePath'] as const;
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(workspace, name)] as const);
  const folder = { uri: vscode.Uri.file(link), name: 'workspace', index: 0 };
  const { findFiles } = workspace;
  const within = (uri: vscode.Uri) => uri.path === link || uri.path.startsWith(`${link}/`);
  const define = (name: (typeof names)[number], descriptor: PropertyDescriptor) =>
    Object.defineProperty(workspace, name, { configurable: true, ...descriptor });
  define('workspaceFolders', { get: () => [folder] });
  define('getWorkspaceFolder', { value: (uri: vscode.Uri) => (within(uri) ? folder : undefined) });
  define('findFiles', {
    value: async (...args: Parameters<typeof findFiles>) =>
      (await findFiles(...args)).map((uri) => vscode.Uri.file(uri.fsPath.replace(root, link))),
  });
  define('asRelativePath', {
    value: (at: vscode.Uri | string) => (typeof at === 'string' ? at : at.path).replace(`${link}/`, ''),
  });
  return () => {
    for (const [name, descriptor] of before)
      if (descriptor !== undefined) Object.defineProperty(workspace, name, descriptor);
  };
}
