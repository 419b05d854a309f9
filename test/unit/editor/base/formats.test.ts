import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { env } from '../../../support/editorStub.ts';
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

describe('A display language without translations', () => {
  const { language } = env;
  afterEach(() => {
    env.language = language;
  });

  it('has the English forms of texts, with its own numbers', () => {
    env.language = 'ru';
    assert.deepEqual([1, 21, 4001].map(tokensText), ['1 token', '21 tokens', '4\u00a0001 tokens']);
    env.language = 'pt-br';
    assert.equal(tokensText(0), '0 tokens');
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
