import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { toOriginLabel } = await withEditorStub(
  () => import('../../../../src/editor/workspace/originLabel.ts'),
);

describe('The lines that a question is about', () => {
  const label = (startLine: number, endLine: number) =>
    toOriginLabel({ uri: 'file:///a.ts', startLine, endLine }).replace(/^.*a\.ts/, '');

  it('are named from the first to the last, or by the only one', () => {
    assert.equal(label(2, 8), ':3-9');
    assert.equal(label(6, 6), ':7');
  });
});
