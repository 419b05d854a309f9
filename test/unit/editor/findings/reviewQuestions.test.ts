import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { EventEmitter, extensions, Uri } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { findChangesReview } = await withEditorStub(
  () => import('../../../../src/editor/findings/reviewQuestions.ts'),
);

const MODIFIED = 5;
const UNTRACKED = 7;
const BINARY = 'diff --git a/logo.png b/logo.png\nBinary files a/logo.png and b/logo.png differ\n';

const { describeLeftOut } = await withEditorStub(
  () => import('../../../../src/editor/findings/reviewCommands.ts'),
);

describe('A review of changes', () => {
  it('says of what it leaves out also that Git may ignore it, not only that it may contain secrets', () =>
    assert.match(describeLeftOut(['dist/a.js']), /ignored by Git, or may contain secrets: dist\/a\.js$/));

  const { getExtension } = extensions;
  afterEach(() => {
    extensions.getExtension = getExtension;
  });

  /** The number of questions, and what is said. No file can be read from the disk. */
  async function review(diff: string, ...statuses: readonly number[]) {
    const changes = statuses.map((status, at) => {
      const uri = new Uri(`/shop/${at}.png`);
      return { uri, originalUri: uri, renameUri: undefined, status };
    });
    const repository = {
      rootUri: new Uri('/shop'),
      state: { indexChanges: [], workingTreeChanges: changes, onDidChange: new EventEmitter().event },
      status: async () => undefined,
      diffWithHEAD: async () => diff,
    };
    const api = { repositories: [repository], getRepository: () => repository };
    extensions.getExtension = () => ({ activate: async () => ({ enabled: true, getAPI: () => api }) });
    const told: string[] = [];
    const say = (text: string) => void told.push(text);
    const found = await findChangesReview({ askForFolder: async () => true }, undefined, { words: '', say });
    return [found?.questions.length, told];
  }

  it('is not asked for if none of the files is text, which is said', async () => {
    const why = 'Only files that aren’t text have changed, so there is nothing to review.';
    assert.deepEqual(await review(BINARY, MODIFIED), [undefined, [why]]);
    assert.deepEqual(await review(BINARY, MODIFIED, UNTRACKED), [undefined, [why]]);
    assert.deepEqual(await review('@@ -1 +1 @@\n-one\n+two\n', MODIFIED, UNTRACKED), [1, []]);
  });
});
