import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toPlainMarkdown } from '../../../src/review/plainMarkdown.ts';

describe('Escaped Markdown', () => {
  it('keeps code in single backticks', () => {
    assert.equal(toPlainMarkdown('Use `a_b[0]`, not `*c`.'), 'Use `a_b[0]`, not `*c`.');
  });

  it('has no other formatting', () => {
    assert.equal(
      toPlainMarkdown('[x](command:y) ![z](q) <b> # *a*'),
      '\\[x\\]\\(command:y\\) \\!\\[z\\]\\(q\\) \\<b\\> \\# \\*a\\*',
    );
  });

  it('has no lists, headings, and code that begin with their line', () => {
    assert.equal(toPlainMarkdown('1. a\n    b\n\tc\n==='), '1\\. a\nb\nc\n\\===');
  });

  it('is not ended by unpaired backticks', () => {
    for (const text of ['``` [x](command:y) `', '`` ` [x](y) ``', '`\n[x](y) `', 'a\\` [x](y)'])
      assert.match(toPlainMarkdown(text), /\\\[x\\\]\\\(/);
  });
});
