import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toPlainLine, toPlainLines } from '../../../src/text/plainLine.ts';
import { growthOf, LINEAR } from '../../support/growth.ts';

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

  it('has code as it is, without its backticks', () => {
    for (const [text, line] of [
      ['Call `f(**kwargs)` and `**rest`.', 'Call f(**kwargs) and **rest.'],
      ['**Use `char**`** now', 'Use char** now'],
      ['``a ` **b**``', 'a ` **b**'],
      ['```sh\n# a  comment\n```', 'sh # a comment'],
      ['`one` `two', 'one two'],
      ['a \ue000 `**b`', 'a \ue000 **b'],
    ] as const)
      assert.equal(toPlainLine(text), line);
  });

  it('takes linear time, whatever backticks there are', () => {
    for (const runs of ['` `` ', '`', '` '])
      assert.ok(growthOf((length) => runs.repeat(length), toPlainLine, 5000) < LINEAR, runs);
  });
});

describe('Plain lines', () => {
  it('have the words of each line without its marks, and its indent', () => {
    assert.equal(
      toPlainLines('## Plan\n\n**Read** `a.ts`.\n\n- one\n  - **two**  \n1. `**x`'),
      'Plan\n\nRead a.ts.\n\n- one\n  - two\n1. **x',
    );
  });

  it('keep code blocks as they are, with their fences', () => {
    for (const code of [
      '```js\nconst a = `**b**`;\n\n# no heading\n```',
      '~~~\n```\n**a**\n~~~',
      '  ```` md\n  ```\n  **a**\n  ````',
      '```js\n**cut off',
    ])
      assert.equal(toPlainLines(`**One**\n${code}`), `One\n${code}`);
    assert.equal(toPlainLines('```\na\n```\n**One**'), '```\na\n```\nOne');
    assert.equal(toPlainLines('```a```\n**One**'), 'a\nOne');
  });

  it('take linear time, whatever backticks there are', () => {
    for (const runs of ['`` ` ', '`', '~', '```\n', '\n `'])
      assert.ok(growthOf((length) => runs.repeat(length), toPlainLines, 5000) < LINEAR, runs);
  });
});
