import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Repository } from '../../../../src/editor/workspace/git.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { readRevisionChanges } = await withEditorStub(
  () => import('../../../../src/editor/workspace/revisionChanges.ts'),
);

const RENAMED = 3;
const uriOf = (path: string) => ({ path: `/repo/${path}`, fsPath: `/repo/${path}`, toString: () => path });

/** A repository with one change. Git shows what was in the file before. */
function repositoryWith(from: string, to: string): Repository {
  const change = { uri: uriOf(from), originalUri: uriOf(from), renameUri: uriOf(to), status: RENAMED };
  return {
    rootUri: { path: '/repo' },
    diffBetween: async () => [change],
    diffBlobs: async () => '@@ -1,2 +1,2 @@\n-HOST=db.internal\n+HOST=localhost\n PORT=1\n',
    show: async () => 'HOST=localhost\nPORT=1\n',
  } as Partial<Record<keyof Repository, unknown>> as Repository;
}

describe('The changes of a revision', () => {
  const token = { isCancellationRequested: false } as never;
  const read = async (from: string, to: string) =>
    (await readRevisionChanges(repositoryWith(from, to), { from: 'a', to: 'b' }, token)).map(
      ({ path, diff, secret }) => ({ path, secret, hasDiff: diff !== undefined }),
    );

  it('have what changed in a renamed file', async () => {
    assert.deepEqual(await read('settings.txt', 'example.txt'), [
      { path: 'example.txt', secret: undefined, hasDiff: true },
    ]);
  });

  it('don’t have the old lines of a file with secrets, whatever it is called now', async () => {
    assert.deepEqual(await read('.env', 'example.txt'), [
      { path: 'example.txt', secret: true, hasDiff: false },
    ]);
  });
});
