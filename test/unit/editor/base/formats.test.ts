import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { aboutCompactTokens, compactCost, compactTokens, formatCost, tokensText } = await withEditorStub(
  () => import('../../../../src/editor/base/formats.ts'),
);

describe('Figures where there is little room', () => {
  it('have fewer digits than elsewhere, and their unit', () => {
    assert.deepEqual([tokensText(5843), compactTokens(5843)], ['5,843 tokens', '5.8K tokens']);
    assert.deepEqual([tokensText(1), compactTokens(1)], ['1 token', '1 token']);
    assert.equal(aboutCompactTokens(5843), 'about 5.8K tokens');
    assert.deepEqual([formatCost(0.0217), compactCost(0.0217)], ['$0.022', '$0.02']);
    assert.equal(compactCost(12.345), '$12.35');
  });

  it('show no cost as zero that is not', () => {
    assert.equal(compactCost(0.0096), '$0.01');
    assert.equal(compactCost(0.0043), '$0.004');
    assert.equal(compactCost(0.00043), '$0.0004');
    assert.equal(compactCost(0.00001), 'less than $0.0001');
  });
});
