import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { CancellationTokenSource, Uri, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { findInFolders } = await withEditorStub(
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
});
