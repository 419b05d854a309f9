import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toDiff } from '../../../src/review/editDiff.ts';

describe('The diff of an edit', () => {
  it('has only added lines for a new file', () => {
    assert.equal(toDiff({ find: '', replace: 'a\r\nb' }), '+a\n+b');
  });

  it('shows equal lines once, as context', () => {
    assert.equal(toDiff({ find: 'a\nb\nc', replace: 'a\nB\nc\n' }), ' a\n-b\n+B\n c');
  });

  it('shortens long runs of equal lines', () => {
    const equal = ['1', '2', '3', '4', '5', '6'].map((line) => `${line}\n`).join('');
    assert.equal(
      toDiff({ find: `a\n${equal}`, replace: `A\n${equal}` }),
      ['-a', '+A', ' 1', ' 2', ' 3', ' …'].join('\n'),
    );
  });
});
