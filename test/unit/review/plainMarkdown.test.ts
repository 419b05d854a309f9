import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toPlainMarkdown } from '../../../src/review/plainMarkdown.ts';

describe('Sentences as Markdown', () => {
  it('keep what single backticks mark as code', () => {
    assert.equal(toPlainMarkdown('Use `a_b[0]`, not `*c`.'), 'Use `a_b[0]`, not `*c`.');
  });

  it('are no Markdown otherwise', () => {
    assert.equal(
      toPlainMarkdown('[x](command:y) ![z](q) <b> # *a*'),
      '\\[x\\]\\(command:y\\) \\!\\[z\\]\\(q\\) \\<b\\> \\# \\*a\\*',
    );
  });

  it('do not get out of their escape by backticks that do not pair', () => {
    for (const text of ['``` [x](command:y) `', '`` ` [x](y) ``', '`\n[x](y) `', 'a\\` [x](y)'])
      assert.match(toPlainMarkdown(text), /\\\[x\\\]\\\(/);
  });
});
