import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { extensions, Uri, window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createRevisionReviews } = await withEditorStub(
  () => import('../../../../src/editor/findings/revisionReviews.ts'),
);

/** As the Git extension reports a failed command. */
const failure = (stderr: string, exitCode = 128) =>
  Object.assign(new Error('Failed to execute git'), { stderr, exitCode });

describe('A review of revisions that Git can’t read', () => {
  const originalWindow = { ...window };
  const { getExtension } = extensions;
  let told: string[];
  let error: Error;
  let compared: unknown[];
  let commands: ReturnType<typeof createRevisionReviews>;

  beforeEach(() => {
    told = [];
    compared = [];
    const tell = async (message: string) => void told.push(message);
    Object.assign(window, {
      showInformationMessage: tell,
      showErrorMessage: tell,
      showQuickPick: async (items: readonly unknown[]) => items[0],
    });
    const repository = {
      rootUri: new Uri('/shop'),
      state: { HEAD: { name: 'topic', commit: 'abc' } },
      getBranches: async () => ['topic', 'main'].map((name) => ({ name, commit: `${name} commit` })),
      getBranchBase: async () => undefined,
      getMergeBase: async (...refs: string[]) => {
        compared.push(...refs);
        throw error;
      },
      getCommit: async () => Promise.reject(error),
    };
    const api = { repositories: [repository], getRepository: () => repository };
    extensions.getExtension = () => ({ activate: async () => ({ enabled: true, getAPI: () => api }) });
    commands = createRevisionReviews({ reads: { askForFolder: async () => true } } as never);
  });
  afterEach(() => {
    Object.assign(window, originalWindow);
    extensions.getExtension = getExtension;
  });

  const run = async (command: keyof typeof commands, ...values: unknown[]) => commands[command](...values);
  const commit = { ref: 'abcdef12' };

  it('says what Git reported', async () => {
    error = failure('fatal: detected dubious ownership in repository at /shop\nTo add an exception');
    await run('k3.timeline.reviewCommit', commit, new Uri('/shop/a.js'));
    await run('k3.reviewBranch', new Uri('/shop'));
    const said = 'Git reported an error: fatal: detected dubious ownership in repository at /shop';
    assert.deepEqual(told, [said, said]);
  });

  it('says that a commit is not there, or that branches have none in common, only if Git says so', async () => {
    error = failure("fatal: bad revision 'abcdef12'");
    await run('k3.reviewCommit', commit, new Uri('/shop/a.js'));
    error = failure('', 1);
    await run('k3.reviewBranch', new Uri('/shop'));
    assert.deepEqual(told, [
      'The commit abcdef12 is not in this repository.',
      '“topic” and “main” have no common commit.',
    ]);
  });

  it('compares the commits of the branches that were selected: by a name, Git takes a tag, or an option', async () => {
    error = failure('', 1);
    await run('k3.reviewBranch', new Uri('/shop'));
    assert.deepEqual(compared, ['main commit', 'topic commit']);
  });
});
