import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { CancellationTokenSource, Uri, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createProjectFiles, findInFolders } = await withEditorStub(
  () => import('../../../../src/editor/workspace/projectFiles.ts'),
);

describe('The files of a workspace', () => {
  restoreAfterEach(workspace);

  it('are those of each folder without what the settings of that folder exclude', async () => {
    const excluded = { '/app': { '**/out': true, '**/kept': false }, '/lib': {}, '/app/sub': {} };
    const sought: unknown[] = [];
    const open = (...paths: readonly (keyof typeof excluded)[]) =>
      Object.assign(workspace, {
        workspaceFolders: paths.map((path) => ({ uri: new Uri(path) })),
        getConfiguration: (_: string, scope?: Uri) => ({
          get: () => (scope === undefined ? {} : excluded[scope.path as '/app']),
        }),
        async findFiles(pattern: string | { base: Uri; pattern: string }, excludes: string | undefined) {
          const [base, glob] =
            typeof pattern === 'string' ? ['', pattern] : [pattern.base.path, pattern.pattern];
          sought.push([base, glob, excludes]);
          return ['/a.ts', ...(base === '/app' ? ['/sub/a.ts'] : [])].map((path) => new Uri(base + path));
        },
        getWorkspaceFolder: ({ path }: Uri) => {
          const inside = paths.filter((folder) => path.startsWith(`${folder}/`));
          return { uri: new Uri(inside.sort((a, b) => b.length - a.length)[0] ?? '') };
        },
      });
    const find = async () => {
      const { token } = new CancellationTokenSource();
      return (await findInFolders('**/*', 9, token as vscode.CancellationToken)).map(({ path }) => path);
    };
    open('/app', '/lib');
    assert.deepEqual(await find(), ['/app/a.ts', '/app/sub/a.ts', '/lib/a.ts']);
    open('/app');
    assert.deepEqual(await find(), ['/a.ts']);
    assert.deepEqual(sought, [
      ['/app', '**/*', '{**/out}'],
      ['/lib', '**/*', undefined],
      ['', '**/*', undefined],
    ]);
    open('/app', '/app/sub');
    assert.deepEqual(await find(), ['/app/a.ts', '/app/sub/a.ts'], 'each once');
  });

  it('are found by a path from an outer folder also if they are in an inner one with the same settings', async () => {
    const excludes: Readonly<Record<string, object>> = { '/app': { '**/out': true } };
    const find = async (ofInner: object) => {
      Object.assign(workspace, {
        workspaceFolders: ['/app', '/app/sub'].map((path) => ({ uri: new Uri(path) })),
        getConfiguration: (_: string, { path }: Uri) => ({ get: () => excludes[path] ?? ofInner }),
        findFiles: async ({ base }: { base: Uri }) =>
          base.path === '/app' ? [new Uri('/app/sub/src/a.ts')] : [],
        getWorkspaceFolder: () => ({ uri: new Uri('/app/sub') }),
      });
      const { token } = new CancellationTokenSource();
      return (await findInFolders('sub/src/*.ts', 9, token as vscode.CancellationToken)).map(
        ({ path }) => path,
      );
    };
    assert.deepEqual(await find({ '**/out': true }), ['/app/sub/src/a.ts']);
    assert.deepEqual(await find({ '**/src': true }), []);
  });

  it('are listed anew once a folder was added, or the list is old, also if the clock was set back since', async () => {
    const { now } = performance;
    let [time, found] = [1000, 0];
    Object.assign(performance, { now: () => time });
    mock.timers.enable({ apis: ['Date'], now: 7_200_000 });
    try {
      Object.assign(workspace, {
        workspaceFolders: [{ uri: new Uri('/app') }],
        getConfiguration: () => ({ get: () => ({}) }),
        findFiles: async () => [Object.assign(new Uri(`/app/${++found}.ts`), { scheme: 'memory' })],
      });
      const files = createProjectFiles();
      const list = async () => {
        const { token } = new CancellationTokenSource();
        return (await files.list(token as vscode.CancellationToken)).map(({ path }) => path);
      };
      const lists = [await list()];
      mock.timers.setTime(3_600_000);
      time += 4000;
      lists.push(await list());
      time += 2000;
      lists.push(await list());
      Object.assign(workspace, {
        workspaceFolders: ['/app', '/app'].map((path) => ({ uri: new Uri(path) })),
      });
      Object.assign(workspace, { getWorkspaceFolder: () => ({ uri: new Uri('/app') }) });
      lists.push(await list());
      assert.deepEqual(lists, [['/app/1.ts'], ['/app/1.ts'], ['/app/2.ts'], ['/app/3.ts', '/app/4.ts']]);
    } finally {
      mock.timers.reset();
      Object.assign(performance, { now });
    }
  });
});
