import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toPlainLine } from '../../../src/text/plainLine.ts';

describe('A plain line', () => {
  it('has the words of Markdown without its marks', () => {
    assert.equal(
      toPlainLine('## A **plan**\n\n- Read `fares.js`,   then **stop**.'),
      'A plan - Read fares.js, then stop.',
    );
    assert.equal(toPlainLine('(**this**) “**and that**”'), '(this) “and that”');
  });

  it('has no mark of a pair whose other one was cut off', () => {
    assert.equal(
      toPlainLine('…back.** The earlier **«fares»**. **Reading…'),
      '…back. The earlier «fares». Reading…',
    );
  });

  it('keeps asterisks and number signs that are no marks', () => {
    for (const text of ['**/*.ts', 'src/** and src/**/x', '2 ** 3', 'a * b', '***', 'C# and #7'])
      assert.equal(toPlainLine(text), text);
  });
});
