import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Scope } from '../../../../src/editor/workspace/changes.ts';
import { Uri } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { changesOf, readChanges } = await withEditorStub(
  () => import('../../../../src/editor/workspace/changes.ts'),
);

const RENAMED_IN_INDEX = 3;
const MODIFIED_IN_INDEX = 0;
const MODIFIED = 5;
const BOTH_MODIFIED = 18;

const change = (path: string, status: number, from = path) => {
  const uri = new Uri(`/shop/${path}`);
  return { uri, originalUri: new Uri(`/shop/${from}`), renameUri: undefined, status };
};

const diffOf = (against: string) => async () => `@@ -1 +1 @@\n-${against}\n+now\n`;

const toRepository = (state: object) =>
  ({
    rootUri: new Uri('/shop'),
    state: { HEAD: { commit: 'abc' }, indexChanges: [], workingTreeChanges: [], ...state },
    diffWith: diffOf('commit'),
    diffWithHEAD: diffOf('index'),
    diffIndexWithHEAD: diffOf('commit'),
  }) as never;

const SCOPES = ['all', 'staged', 'unstaged'] satisfies Scope[];

describe('A file that was renamed, and has changed since', () => {
  const repository = toRepository({
    indexChanges: [change('notes.txt', RENAMED_IN_INDEX, 'live.env')],
    workingTreeChanges: [change('notes.txt', MODIFIED)],
  });

  for (const scope of SCOPES)
    it(`is one for secrets by the name that it has in the last commit: ${scope}`, async () => {
      const [file, ...others] = await readChanges(repository, scope, {} as never);
      assert.deepEqual([file?.path, file?.secret, file?.diff, others], ['notes.txt', true, undefined, []]);
    });
});

describe('A file with a merge conflict', () => {
  const repository = toRepository({ mergeChanges: [change('sum.js', BOTH_MODIFIED)] });

  it('is one of the changes, compared with the last commit', async () => {
    const counts = SCOPES.map((scope) => changesOf(repository, scope).length);
    assert.deepEqual(counts, [1, 0, 1]);
    for (const scope of ['all', 'unstaged'] as const) {
      const [file] = await readChanges(repository, scope, {} as never);
      assert.match(file?.diff ?? '', /-commit/, scope);
    }
  });
});

describe('A staged change of a file that has changed since', () => {
  it('has the lines around it as they are staged, at which its diff has them', async () => {
    const state = {
      indexChanges: [change('sum.js', MODIFIED_IN_INDEX)],
      workingTreeChanges: [change('sum.js', MODIFIED)],
    };
    const shown: string[] = [];
    const show = async (ref: string) => {
      shown.push(ref);
      return 'now\n';
    };
    const repository = Object.assign(toRepository(state) as object, { show });
    const [staged] = await readChanges(repository as never, 'staged', {} as never);
    assert.deepEqual([staged?.text, shown], ['now\n', ['']]);
    // Of the file itself, no text can be read here.
    const [both] = await readChanges(repository as never, 'all', {} as never);
    assert.deepEqual([both?.text, shown], [undefined, ['']]);
  });
});
