import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { window } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { canRead } = await withEditorStub(() => import('../../../../src/editor/storage/lockedDatabase.ts'));

describe('A user who wants something of the saved conversations', () => {
  restoreAfterEach(window);

  it('is told when they are not saved in this window, and when another program has locked them', () => {
    const told: string[] = [];
    Object.assign(window, { showWarningMessage: async (text: string) => void told.push(text) });
    assert.equal(canRead({ isOpen: () => true }, 'Not saved.'), true);
    assert.deepEqual(told, []);
    assert.equal(canRead(undefined, 'Not saved.'), false);
    assert.equal(canRead({ isOpen: () => false }, 'Not saved.'), false);
    assert.equal(told[0], 'Not saved.');
    assert.match(told[1] ?? '', /^Another program has locked/);
  });
});
