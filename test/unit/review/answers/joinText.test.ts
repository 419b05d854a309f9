import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isSeamKnown, joinText, toCutText } from '../../../../src/review/answers/joinText.ts';
import { growthOf, LINEAR } from '../../../support/growth.ts';

const ANSWER = `# A parser

It reads a line, and then **another one**; see \`parse\`.

\`\`\`ts src/parse.ts
export function parse(text: string): readonly string[] {
  const all: string[] = [];
  for (const line of text.split('\\n')) {
    if (line !== '') {
      all.push(line.trim());
    }
  }
  return all;
}
\`\`\`

| Case | Lines | What comes |
|------|------:|------------|
| empty text | 0 | an empty list |
| a text with 🙂 | 12 | one item for each line |
| \`a\` | | nothing |

1. First, run it:

   ~~~sh
   node parse.js --all
   ~~~

2. Then read the output.
`;
const FENCED = /\n```ts src\/parse\.ts\n[\s\S]*?\n```\n/.exec(ANSWER);
const cuts = Array.from({ length: ANSWER.length - 1 }, (_, index) => index + 1);
const joined = (first: string, second: string, complete = true) =>
  joinText(toCutText(first), second, complete);

describe('Text that was cut off and continued', () => {
  it('is the original, wherever it was cut', () => {
    for (const at of cuts) assert.equal(joined(ANSWER.slice(0, at), ANSWER.slice(at)), ANSWER, `at ${at}`);
  });

  it('is the original if the model repeats the last words, also after white space', () => {
    let count = 0;
    for (const at of cuts) {
      const from = /\S+\s+\S+\s+\S*$/.exec(ANSWER.slice(0, at))?.index ?? at;
      if (!/\p{L}{3,}\W+\p{L}{3,}\W*$/u.test(ANSWER.slice(from, at))) continue;
      count++;
      for (const space of ['', '\n', '\n\n  '])
        assert.equal(joined(ANSWER.slice(0, at), space + ANSWER.slice(from)), ANSWER, ANSWER.slice(from, at));
    }
    assert.ok(count > 100);
  });

  it('is the original if the model opens the code block again, with its language or another one', () => {
    assert.ok(FENCED);
    const begin = FENCED.index + '\n```ts src/parse.ts\n'.length;
    for (let at = begin; at < FENCED.index + FENCED[0].length - '\n```\n'.length; at++)
      for (const opening of ['```ts\n', '```typescript\n', '\n```ts src/parse.ts\n'])
        assert.equal(joined(ANSWER.slice(0, at), opening + ANSWER.slice(at)), ANSWER, `at ${at}`);
  });

  it('is the original if the model opens the code block again without a language', () => {
    const at = ANSWER.indexOf('all.push');
    assert.equal(joined(ANSWER.slice(0, at), `\`\`\`\n${ANSWER.slice(at)}`), ANSWER);
  });

  it('keeps a fence that closes the code block', () => {
    const [first, second] = ['```\none\n', '```\n\nThen:\n\n```\ntwo\n```\n'];
    assert.equal(joined(first, second), first + second);
    // The second part was cut off as well, inside the next code block.
    assert.equal(joined(first, second.slice(0, -4), false), first + second.slice(0, -4));
  });

  it('is the original if the model repeats the head of the table', () => {
    const [head = '', line = ''] = ANSWER.split('\n').filter((one) => one.startsWith('|'));
    const at = ANSWER.indexOf('| a text');
    assert.equal(joined(ANSWER.slice(0, at), `${head}\n${line}\n${ANSWER.slice(at)}`), ANSWER);
    // The first part ends in the middle of a row, or without the end of its last line.
    const row = ANSWER.indexOf('text with');
    assert.equal(joined(ANSWER.slice(0, row), `\n${head}\n${line}\n${ANSWER.slice(at)}`), ANSWER);
    assert.equal(joined(ANSWER.slice(0, at - 1), ANSWER.slice(at)), ANSWER);
  });

  it('starts a new table if its head is another one', () => {
    const second = '| B |\n|---|\n| 2 |\n';
    assert.equal(joined('| A |\n|---|\n| 1 |\n\n', second), `| A |\n|---|\n| 1 |\n\n${second}`);
  });

  it('only grows while the second part streams, once its seam is known', () => {
    for (const at of [20, ANSWER.indexOf('all.push'), ANSWER.indexOf('text with'), ANSWER.indexOf('node ')]) {
      const first = toCutText(ANSWER.slice(0, at));
      const line = ANSWER.lastIndexOf('\n', at - 1) + 1;
      for (const second of [ANSWER.slice(at), ANSWER.slice(line), `\`\`\`ts\n${ANSWER.slice(at)}`]) {
        let shown = first.text;
        for (let end = 1; end <= second.length; end++) {
          if (!isSeamKnown(first, second.slice(0, end))) continue;
          const next = joinText(first, second.slice(0, end), false);
          assert.ok(next.startsWith(shown), JSON.stringify([second.slice(0, end), next.slice(at - 20)]));
          shown = next;
        }
        assert.equal(shown, joinText(first, second, false));
      }
    }
  });
});

describe('Where two parts meet', () => {
  const known = (first: string, second: string) => isSeamKnown(toCutText(first), second);

  it('is known with the first words that aren’t in the first part, also if they are code', () => {
    assert.equal(known('It is short.', ' So it'), true);
    assert.equal(known('It is short.', ' So `parse` and ~all~'), true);
    assert.equal(known('It is short.', ' is'), false);
  });

  it('isn’t known before the end of a line that may open a code block', () => {
    for (const opening of ['`', '```ts', '~~~']) {
      assert.equal(known('```ts\nlet a;\n', opening), false, opening);
      assert.equal(known('```ts\nlet a;\n', `${opening}\nreturn`), true, opening);
    }
  });

  it('isn’t known before the end of the second line of a table', () => {
    assert.equal(known('Some words', '| a |\n|---|'), false);
    assert.equal(known('Some words', '| a |\n|---|\n'), true);
  });
});

describe('The end of a text that was cut off', () => {
  for (const [text, fence] of [
    ['plain', undefined],
    ['```ts\n', '```'],
    ['```ts\na', '```'],
    ['```ts\na\n', '```'],
    ['```ts\na\n\n', '```'],
    ['```ts\na\n```', undefined],
    ['```ts\n```\n', undefined],
    ['````md\n```ts\na\n```\n', '````'],
    ['- item\n\n  ~~~sh\n  ls\n', '~~~'],
  ] as const)
    it(`is ${fence === undefined ? 'outside of a code block' : `in a block of ${fence}`} for ${JSON.stringify(text)}`, () => {
      assert.equal(toCutText(text).fence, fence);
    });

  it('are joined in linear time, whatever the second part repeats', () => {
    const table = toCutText('| a | b |\n| - | - |\n| 1 | 2 |\n');
    for (const [start, words] of [
      ['| a | b |\n', ' '],
      ['| a | b |\n', '|-'],
      ['', '`'],
      ['```', ' '],
    ] as const)
      assert.ok(
        growthOf(
          (length) => `${start}${words.repeat(length)}x\`y`,
          (second) => void joinText(table, second, true),
          4000,
        ) < LINEAR,
        start + words,
      );
  });
});
