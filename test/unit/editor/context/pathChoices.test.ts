import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { Uri, window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { toPaths } = await withEditorStub(() => import('../../../../src/editor/context/pathChoices.ts'));

describe('The folders behind @', () => {
  restoreAfterEach(window.tabGroups, workspace, Uri);

  it('are those of both workspace folders that have one name', () => {
    const uriOf = (path: string) => Object.assign(new Uri(path), { scheme: 'file' });
    Object.assign(window.tabGroups, { all: [] });
    Object.assign(workspace, {
      workspaceFolders: [],
      getWorkspaceFolder({ path }: Uri) {
        return { index: path.startsWith('/x/') ? 0 : 1, uri: uriOf(path.slice(0, '/x/app'.length)) };
      },
      asRelativePath: ({ path }: Uri) => path.slice('/x/'.length),
    });
    Object.assign(Uri, { joinPath: ({ path }: Uri) => uriOf(path.slice(0, path.lastIndexOf('/'))) });
    const files = ['/x/app/src/a.ts', '/y/app/src/a.ts'].map(uriOf) as unknown as vscode.Uri[];
    const folders = toPaths(files).filter(({ path }) => path.endsWith('/'));
    assert.deepEqual(
      folders.map(({ path, uri }) => [path, String(uri)]),
      [
        ['app/src/', '/x/app/src'],
        ['app/', '/x/app'],
        ['app/src/', '/y/app/src'],
        ['app/', '/y/app'],
      ],
    );
  });
});
