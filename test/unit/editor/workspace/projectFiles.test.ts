import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { CancellationTokenSource, Uri, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { findInFolders } = await withEditorStub(
  () => import('../../../../src/editor/workspace/projectFiles.ts'),
);

describe('The files of a workspace', () => {
  restoreAfterEach(workspace);
  afterEach(() => {
    for (const name of ['workspaceFolders', 'findFiles']) Reflect.deleteProperty(workspace, name);
  });

  it('are those of each folder without what the settings of that folder exclude', async () => {
    const excluded = { '/app': { '**/out': true, '**/kept': false }, '/lib': {} };
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
          return [`${base}/a.ts`];
        },
      });
    const find = () =>
      findInFolders('**/*', 9, new CancellationTokenSource().token as vscode.CancellationToken);
    open('/app', '/lib');
    assert.deepEqual(await find(), ['/app/a.ts', '/lib/a.ts']);
    open('/app');
    assert.deepEqual(await find(), ['/a.ts']);
    assert.deepEqual(sought, [
      ['/app', '**/*', '{**/out}'],
      ['/lib', '**/*', undefined],
      ['', '**/*', undefined],
    ]);
  });
});
