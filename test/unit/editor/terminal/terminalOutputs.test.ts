import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { NO_OUTPUT } from '../../../../src/conversation/toolCalls/keptOutput.ts';
import { window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createTerminalOutputs } = await withEditorStub(
  () => import('../../../../src/editor/terminal/terminalOutputs.ts'),
);

describe('The name of a long command line', () => {
  before(() => void Object.assign(window, { activeTerminal: {} }));
  after(() => void Object.assign(window, { activeTerminal: undefined }));

  it('is not cut in the middle of a character', () => {
    const line = `${'x'.repeat(58)}🎉🎉`;
    const outputs = createTerminalOutputs({ of: () => ({ line, exitCode: 0, output: NO_OUTPUT }) });
    assert.equal(outputs.describe(), `${'x'.repeat(58)}…`);
    const read = outputs.look();
    assert.equal(read.ok && read.item.label, `Terminal: ${'x'.repeat(58)}…`);
  });
});
