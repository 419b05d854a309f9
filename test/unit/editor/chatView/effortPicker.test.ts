import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { answerInputs } from '../../../support/answeredInputs.ts';
import { window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { pickEffort } = await withEditorStub(() => import('../../../../src/editor/chatView/effortPicker.ts'));

describe('The list of efforts', () => {
  restoreAfterEach(window, workspace);

  it('begins at the current one, as lists of the editor do', async () => {
    const written: unknown[] = [];
    Object.assign(workspace, {
      getConfiguration: () => ({
        get: () => undefined,
        inspect: (key: string) => ({ key, ...(key === 'reasoningEffort' && { globalValue: 'low' }) }),
        update: async (_: string, value: unknown) => void written.push(value),
      }),
    });
    const shown = answerInputs(undefined);
    await pickEffort({ lackOf: () => undefined, works: () => true }, undefined, () => undefined);
    assert.deepEqual([shown.length, written], [1, ['low']]);
  });
});
