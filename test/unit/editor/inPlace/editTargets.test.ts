import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { showRunning } = await withEditorStub(() => import('../../../../src/editor/inPlace/editTargets.ts'));

const original = { ...window };

describe('The message that an edit is still running', () => {
  afterEach(() => {
    Object.assign(window, original);
  });

  it('names its lines, or its line if it is one', () => {
    const told: string[] = [];
    Object.assign(window, { showInformationMessage: async (message: string) => void told.push(message) });
    for (const lines of [
      { startLine: 3, endLine: 3 },
      { startLine: 3, endLine: 5 },
    ])
      showRunning({ lines } as never);
    assert.deepEqual(
      told.map((message) => /lines? [\d–]+/.exec(message)?.[0]),
      ['line 4', 'lines 4–6'],
    );
  });
});
