import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { isInsideWorkspace } from '../../../src/editor/workspace/workspaceBoundary.ts';
import {
  aroundTools,
  asked,
  call,
  made,
  outside,
  pathOf,
  root,
  SECRET,
  scripted,
  textOf,
  toolbox,
} from './toolsWorkspace.ts';

/** Links to files outside, and files behind links to folders outside. */
const LINKED = ['file-link', 'folder-link/secret.txt', 'chain-1', 'chain-2', 'chain-folder/secret.txt'];

/** Paths that lead out of the workspace, on this or another system, by the way they do it. */
function escapesByKind(): Readonly<Record<string, readonly [string, ...string[]]>> {
  const up = '../'.repeat(30);
  const file = join(outside, 'secret.txt');
  const fileUrl = pathToFileURL(file).href;
  return {
    link: [pathOf('file-link'), ...['chain-1', 'chain-2', 'dangling', 'folder-link'].map(pathOf)],
    behindLink: [
      pathOf('folder-link/secret.txt'),
      ...['chain-folder/secret.txt', 'folder-link/new.txt', 'up-link/secret.txt'].map(pathOf),
      ...['turning-link/secret.txt', 'up-link/../secret.txt', 'folder-link/deep/../secret.txt'].map(pathOf),
    ],
    absoluteLink: [join(made, 'file-link'), ...LINKED.slice(1).map((link) => join(made, link))],
    urlOfLink: [
      pathToFileURL(join(made, 'file-link')).href,
      ...LINKED.slice(1).map((link) => pathToFileURL(join(made, link)).href),
    ],
    absolute: [file, ` ${file} `, `${file}/`, `/${file}`, `//${file}`],
    up: [
      `${up}${file.slice(1)}`,
      `./${up}${file.slice(1)}`,
      `src/${up}${file.slice(1)}`,
      `nothing/there/${up}${file.slice(1)}`,
      `${root}/../${up}${file.slice(1)}`,
    ],
    upWithBackslashes: [
      `${up}${file.slice(1)}`.replaceAll('/', '\\'),
      `${pathOf('')}..\\${up}${file.slice(1)}`,
      '\\etc\\passwd',
    ],
    // With the link, these lead to nothing in the workspace; without it, out of it.
    upBehindLink: [
      upFrom(`${made}-link`, file),
      `file://${upFrom(`${made}-link`, file)}`,
      upFrom(join(made, 'nested-link'), file),
      upFrom(pathOf('nested-link'), file),
    ],
    sibling: [
      `../${basename(root)}-other/secret.txt`,
      `${root}/./../${basename(root)}-other/secret.txt`,
      `${root}-other/secret.txt`,
    ],
    parent: ['..', '../', '../..', '/'],
    system: ['/etc/passwd', '/etc/../etc/passwd', '/proc/self/environ', '/dev/stdin'],
    fileUrl: [
      fileUrl,
      fileUrl.replace('file:', 'FILE:'),
      fileUrl.replace('file://', 'file:'),
      fileUrl.replace('file://', 'file://localhost'),
      fileUrl.replace('file:///', 'file:////'),
    ],
    encodedUrl: [
      `file://${root}/%2e%2e/%2E%2E/%2e./.%2e/${up}${file.slice(1)}`,
      fileUrl.replaceAll('secret', '%73ecret'),
      fileUrl.replace('file:///', 'file:///%2e%2e/'),
      `file://${root}/..%2f..%2f${up}${file.slice(1)}`,
      `file://${root}/..%5c..%5c${file.slice(1)}`,
      `file:///%2fserver/share`,
    ],
    urlOfServer: ['file://server/share/secret.txt', '//server/share/secret.txt'],
    scheme: [
      `vscode-userdata:/User/settings.json`,
      `vscode-remote://ssh-remote+host${file}`,
      `vscode-local:${file}`,
      `vscode-vfs://github${file}`,
      `untitled:${file}`,
      `git:${file}?%7B%22path%22%3A%22${encodeURIComponent(file)}%22%2C%22ref%22%3A%22%22%7D`,
      `output:${file}`,
      `ssh://host${file}`,
      `k3-conversation:${file}`,
      `vscode-notebook-cell:${file}`,
      `view-source:${fileUrl}`,
    ],
    web: [
      `http://127.0.0.1${file}`,
      `https://example.com/secret.txt`,
      `data:text/plain,${SECRET.slice(0, 3)}`,
    ],
    home: ['~/secret.txt', '~', '~root/secret.txt', '~/../../../../etc/passwd'],
    zeroByte: [`${file}\0`, `${file}\0.txt`, `${pathOf('one.txt')}\0/../../${file}`],
    drive: ['C:\\secret.txt', 'C:secret.txt', 'c:/Windows/win.ini'],
    share: ['\\\\server\\share\\secret.txt', '\\\\?\\C:\\secret.txt', '//?/C:/secret.txt'],
    device: ['\\\\.\\PhysicalDrive0', 'CON', 'src/NUL'],
    ending: [`${file}.`, `${file} .`, `${file}::$DATA`, `${file}:stream`],
    encoded: [
      `%2e%2e/${file.slice(1)}`,
      `..%2f..%2f${file.slice(1)}`,
      `%252e%252e/${file.slice(1)}`,
      `..%c0%af..%c0%af${file.slice(1)}`,
      `..%u2215${file.slice(1)}`,
    ],
    similar: [
      `．．/．．${file}`,
      `..／..${file}`,
      `․․/․․${file}`,
      `..;/..;${file}`,
      `....//....//${file.slice(1)}`,
      `..././..././${file.slice(1)}`,
      `${root}/.../secret.txt`,
    ],
    variable: ['$HOME/secret.txt', '%USERPROFILE%/secret.txt', `${'$'}{workspaceFolder}/../../secret.txt`],
    upperCase: [root.toUpperCase() + file, file.toUpperCase(), made.toUpperCase()],
  };
}

/** From a folder up to the top, as it is written, and down to a file. */
const upFrom = (folder: string, file: string): string =>
  `${folder}${'/..'.repeat(folder.split('/').length - 1)}${file}`;

const escapes = (): readonly string[] => Object.values(escapesByKind()).flat();
const oneOfEachKind = (): readonly string[] => Object.values(escapesByKind()).map(([first]) => first);

describe('Paths that lead out of the workspace', () => {
  aroundTools();

  /** With one policy for all tools (fileAccess.ts), one tool gets all paths, and each other tool one of each kind. */
  const tools: readonly (readonly [string, (path: string) => Record<string, unknown>])[] = [
    ['read_file', (path) => ({ path })],
    ['list_files', (path) => ({ path })],
    ['find_references', (path) => ({ path, line: 1, symbol: SECRET })],
    ['git_log', (path) => ({ path })],
    ['git_diff', (path) => ({ path })],
    ['propose_edit', (path) => ({ path, edits: [{ find: SECRET, replace: 'x' }] })],
  ];

  it('include at least one hundred', () =>
    assert.ok(new Set(escapes()).size >= 100, `${new Set(escapes()).size}`));

  for (const [name, toArguments] of tools) {
    it(`are not available to ${name} without asking`, async () => {
      for (const path of name === 'read_file' ? escapes() : oneOfEachKind()) {
        asked.details.length = 0;
        const result = await call(name, toArguments(path));
        assert.equal(result.failed, true, `${path}: ${result.text}`);
        assert.ok(!result.text.includes(SECRET), path);
        // Each dialog shows the resolved path, which is never in the workspace.
        for (const detail of asked.details)
          assert.doesNotMatch(detail.split('\n')[0] ?? '', within(root), path);
      }
    });
  }

  it('are not available to get_diagnostics without asking', async () => {
    const problems = vscode.languages.createDiagnosticCollection('escapes');
    try {
      const places = ['secret.txt', 'deep/secret.txt'].map((name) => join(outside, name));
      for (const place of [...places, ...LINKED.map((name) => join(made, name)), '/etc/passwd'])
        problems.set(vscode.Uri.file(place), [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), SECRET)]);
      for (const path of oneOfEachKind()) {
        const result = await call('get_diagnostics', { path });
        assert.ok(!result.text.includes(SECRET), path);
        // A path in the workspace has no problems. All others are refused.
        assert.ok(result.failed === true || /^\[No problems/.test(result.text), `${path}: ${result.text}`);
      }
      assert.ok(!(await textOf('get_diagnostics', {})).includes(SECRET));
      asked.answer = 'Allow Once';
      for (const name of LINKED)
        assert.ok((await textOf('get_diagnostics', { path: pathOf(name) })).includes(SECRET), name);
    } finally {
      problems.dispose();
    }
  });

  it('don’t create proposals for new files without asking', async () => {
    const before = scripted.proposals.underReview().length;
    // Where files can be is the same policy for all tools; `read_file` gets all paths.
    for (const path of oneOfEachKind()) {
      await call('propose_edit', { path, edits: [{ find: '', replace: 'x' }] });
    }
    // Some paths are inside: percent signs and similar dots are part of a name, and `..` can lead back.
    for (const { file } of scripted.proposals.underReview().slice(before)) {
      const { inside, realPath } = await isInsideWorkspace(vscode.Uri.parse(file.uri));
      assert.ok(inside, file.uri);
      assert.match(realPath, within(root));
    }
  });

  it('ask with the resolved path, each time, and can be read when allowed', async () => {
    for (const path of ['file-link', 'chain-2', 'folder-link/secret.txt'].map(pathOf)) {
      asked.details.length = 0;
      asked.answer = 'Allow Once';
      assert.equal(await textOf('read_file', { path }), `1\t${SECRET}`);
      asked.answer = undefined;
      assert.deepEqual(await call('read_file', { path }), {
        text: `The user did not allow ${path}: it is outside the workspace.`,
        failed: true,
        refused: true,
      });
      assert.equal(asked.details.length, 2);
      assert.ok(
        asked.details[0]?.startsWith(`Resolved path: ${join(outside, 'secret.txt')}\n`),
        asked.details[0],
      );
    }
  });

  it('report the call as waiting while the user is asked', async () => {
    const states: string[] = [];
    const waiting = { id: 'w', name: 'read_file', arguments: { path: pathOf('file-link') } };
    await toolbox.run(waiting, new AbortController().signal, (state) => states.push(state));
    assert.deepEqual(states, ['running', 'waiting', 'running']);
  });
});

function within(folder: string): RegExp {
  return new RegExp(`^(?:Resolved path: )?${folder.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:/|$)`);
}
