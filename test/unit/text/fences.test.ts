import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fence, fenceAround } from '../../../src/text/fences.ts';

describe('A fence', () => {
  it('is longer than any run of backticks in the text', () => {
    assert.equal(fenceAround('none'), '```');
    assert.equal(fenceAround('`one` and ``` three'), '````');
    assert.equal(fenceAround('`'.repeat(200_000)), '`'.repeat(200_001));
    assert.equal(fenceAround('` '.repeat(200_000)), '```');
  });

  it('ends on its own line, whether the text ends its last line or not', () => {
    assert.equal(fence('a', 'ts'), '```ts\na\n```');
    assert.equal(fence('a\n', 'ts'), '```ts\na\n```');
    assert.equal(fence(''), '```\n\n```');
  });
});
