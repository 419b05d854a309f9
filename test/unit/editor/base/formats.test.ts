import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { aboutCompactTokens, compactTokens, formatCost, tokensText } = await withEditorStub(
  () => import('../../../../src/editor/base/formats.ts'),
);

describe('Figures where there is little room', () => {
  it('have fewer digits than elsewhere, and their unit', () => {
    assert.deepEqual([tokensText(5843), compactTokens(5843)], ['5,843 tokens', '5.8K tokens']);
    assert.deepEqual([tokensText(1), compactTokens(1)], ['1 token', '1 token']);
    assert.equal(aboutCompactTokens(5843), 'about 5.8K tokens');
  });
});

describe('A cost', () => {
  it('has the more decimals the smaller it is, so that it is not shown as zero', () => {
    assert.deepEqual([12.345, 0.0217, 0.0096, 0.00043, 0.00001, 0].map(formatCost), [
      '$12.35',
      '$0.022',
      '$0.0096',
      '$0.0004',
      'less than $0.0001',
      '$0.00',
    ]);
  });
});
