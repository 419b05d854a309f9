import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { pickCommit } = await withEditorStub(() => import('../../../../src/editor/findings/pickRevision.ts'));

/** As the Git extension reports a failed command. */
const failure = (stderr: string, exitCode = 128) =>
  Object.assign(new Error('Failed to execute git'), { stderr, exitCode });

describe('The list of commits', () => {
  const original = { ...window };
  let told: string[];
  beforeEach(() => {
    told = [];
    const tell = async (message: string) => void told.push(message);
    Object.assign(window, { showInformationMessage: tell, showErrorMessage: tell });
  });
  afterEach(() => void Object.assign(window, original));
  const pick = (log: () => Promise<readonly object[]>, commit?: string) =>
    pickCommit({ log, state: { HEAD: { commit } } } as never);

  it('is said to be empty only if there is no commit', async () => {
    const empty = failure('fatal: your current branch ’main’ does not have any commits yet');
    assert.equal(await pick(() => Promise.reject(empty)), undefined);
    assert.equal(await pick(async () => [], 'abc'), undefined);
    assert.deepEqual(told, ['This repository has no commits.', 'This repository has no commits.']);
  });

  it('says why Git can’t read it', async () => {
    const damaged = failure('fatal: loose object abc is corrupt\nmore\n');
    assert.equal(await pick(() => Promise.reject(damaged), 'abc'), undefined);
    assert.equal(await pick(() => Promise.reject(new Error('no Git')), 'abc'), undefined);
    assert.deepEqual(told, [
      'Git reported an error: fatal: loose object abc is corrupt',
      'Git reported an error: no Git',
    ]);
  });

  it('says of each who wrote it, and on which day', async () => {
    let shown: readonly { description: string }[] = [];
    const showQuickPick = async (items: typeof shown) => {
      shown = items;
    };
    Object.assign(window, { showQuickPick });
    const commit = { hash: '0123456789', message: 'Add boats', authorName: 'Ada' };
    const authorDate = new Date(2026, 10, 20, 12);
    await pick(async () => [{ ...commit, authorDate }, commit]);
    assert.deepEqual(
      shown.map(({ description }) => description),
      ['01234567 · Ada · Nov 20, 2026', '01234567 · Ada'],
    );
  });

  it('shows what looks like an icon in a message or a name as text', async () => {
    let shown: readonly { label: string; description: string }[] = [];
    const showQuickPick = async (items: typeof shown) => {
      shown = items;
    };
    Object.assign(window, { showQuickPick });
    await pick(async () => [{ hash: '0123456789', message: '$(verified) Signed', authorName: '$(check)' }]);
    assert.deepEqual(
      shown.map(({ label, description }) => [label, description]),
      [['$ (verified) Signed', '01234567 · $ (check)']],
    );
  });
});
