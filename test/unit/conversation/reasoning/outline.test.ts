import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  closeOutline,
  EMPTY_OUTLINE,
  foldOutline,
  type ReasoningStep,
  stepsOf,
  toStepTokens,
} from '../../../../src/conversation/reasoning/outline.ts';
import { growthOf, LINEAR, startCpu } from '../../../support/growth.ts';

function outlineOf(...pieces: readonly string[]): readonly ReasoningStep[] {
  return stepsOf(
    closeOutline(pieces.reduce((outline, piece) => foldOutline(outline, piece, 5), EMPTY_OUTLINE)),
  );
}

const titles = (text: string) => outlineOf(text).map((step) => step.title);

const SAMPLE = `The user wants a parser. It is in \`src/parse.ts:12\` and app.ts.

- first item
- second item

**Plan**: read, then write.
\`\`\`ts
const a = 1;

const b = 2;
\`\`\`

  Let me check lib/a/b.test.js again. e.g. this is no file.

1. Numbered.

| a | b |

Done\u{1f600}
`;

describe('The outline of reasoning', () => {
  it('makes a step of each paragraph, with the lists, tables, and fences that follow it', () => {
    assert.deepEqual(titles(SAMPLE), [
      'The user wants a parser',
      'Plan: read, then write',
      'Let me check lib/a/b.test.js again',
      '1. Numbered',
      'Done\u{1f600}',
    ]);
    assert.deepEqual(
      outlineOf(SAMPLE).map((step) => step.line),
      [0, 5, 12, 14, 18],
    );
  });

  it('makes one step of a heading and its paragraph', () => {
    for (const heading of ['## Plan', '**Plan**', '**Plan:**', '# Work\n\n## Plan'])
      assert.deepEqual(
        outlineOf(`Before.\n\n${heading}\n\nI read the file.\n\n- a\n\nThen I write.`).map(
          ({ line }) => line,
        ),
        [0, 2, (heading.includes('\n') ? 10 : 8) - 0],
        heading,
      );
    assert.deepEqual(titles('## Plan\n\nI read the file.\n\nThen I write.'), ['Plan', 'Then I write']);
    assert.deepEqual(titles('Text **bold**\n\nNext.'), ['Text bold', 'Next']);
    assert.deepEqual(titles('## Plan\nWith text.\n\nNext.'), ['Plan', 'Next']);
  });

  it('makes no step of a mark or a rule without words, such as a heading that was cut off', () => {
    for (const mark of ['#', '## ', '>', '**', '__', '---', '***', '* * *'])
      for (const text of [`Plan it.\n\n${mark}`, `Plan it.\n\n${mark}\n\n`, `${mark}\n\nPlan it.`])
        assert.deepEqual(titles(text), ['Plan it'], text);
    assert.deepEqual(titles('Plan it.\n\n## Done'), ['Plan it', 'Done']);
    assert.deepEqual(titles('Plan it.\n\n> 水野'), ['Plan it', '水野']);
    const arriving = foldOutline(foldOutline(EMPTY_OUTLINE, 'Plan it.\n\n#', 5), '#', 6);
    assert.deepEqual(
      stepsOf(arriving).map(({ title }) => title),
      ['Plan it'],
      'while it arrives',
    );
  });

  it('lists the files of a step, each once, with the line', () => {
    assert.deepEqual(outlineOf(SAMPLE)[0]?.files, [
      { path: 'src/parse.ts', line: 12 },
      { path: 'app.ts', line: undefined },
    ]);
    assert.deepEqual(
      outlineOf('See a.ts, a.ts and https://x.example/b.ts, foo.bar() or e.g. me@x.org.')[0]?.files,
      [{ path: 'a.ts', line: undefined }],
    );
    assert.equal(outlineOf('src/start.py has it.')[0]?.files[0]?.path, 'src/start.py');
    assert.deepEqual(outlineOf('In the last line: src/end.py')[0]?.files, [
      { path: 'src/end.py', line: undefined },
    ]);
  });

  it('shortens a long title and removes markup', () => {
    assert.deepEqual(titles('## **Reading** the `code`'), ['Reading the code']);
    assert.equal(titles('x'.repeat(500))[0]?.length, 80);
  });

  it('has no steps without text', () => {
    for (const text of ['', '\n\n', '  \n ']) assert.deepEqual(outlineOf(text), []);
  });

  it('is the same for every split in two and for single characters', () => {
    const whole = outlineOf(SAMPLE);
    assert.deepEqual(outlineOf(...SAMPLE.split('')), whole);
    for (let at = 0; at <= SAMPLE.length; at++) {
      assert.deepEqual(outlineOf(SAMPLE.slice(0, at), SAMPLE.slice(at)), whole, `cut at ${at}`);
    }
  });

  it('is the same in pieces as in one delta', () => {
    const word = fc.constantFrom(
      '\n',
      '\n\n',
      '\r\n\r\n',
      '- ',
      '-',
      '* x',
      '`',
      '```',
      '``` ',
      '~~~',
      '~',
      '|',
      ' ',
      '  ',
      '# ',
      'Word',
      'a sentence that is long enough. ',
      'src/a.ts:3',
      'b.py',
      '**',
      '\u{1f600}',
      'x'.repeat(90),
      '1.',
      '•',
      ': ',
    );
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 30 }),
        fc.array(fc.nat(600), { maxLength: 20 }),
        (words, at) => {
          const text = words.join('');
          const marks = [
            0,
            ...at.map((mark) => Math.min(mark, text.length)).sort((a, b) => a - b),
            text.length,
          ];
          const pieces = marks.slice(1).map((mark, i) => text.slice(marks[i] ?? 0, mark));
          assert.deepEqual(outlineOf(...pieces), outlineOf(text));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('keeps the times at which a step started and last grew', () => {
    let outline = foldOutline(EMPTY_OUTLINE, 'One ', 10);
    outline = foldOutline(outline, 'step.\n\nTwo', 20);
    outline = foldOutline(outline, ' more', 30);
    assert.deepEqual(
      stepsOf(outline).map(({ startedAt, endedAt }) => [startedAt, endedAt]),
      [
        [10, 20],
        [20, 30],
      ],
    );
  });

  it('takes time in proportion to the reasoning, on one line or many', () => {
    for (const piece of ['word ', 'word\n', 'a.b/', '\n\n- x', '    ']) {
      const time = (count: number) => {
        let outline = EMPTY_OUTLINE;
        const worked = startCpu();
        for (let i = 0; i < count; i++) outline = foldOutline(outline, piece, i);
        closeOutline(outline);
        return worked();
      };
      time(2000);
      assert.ok(time(60_000) < 1000, JSON.stringify(piece));
    }
  });

  it('takes time in proportion to a long delta that has many steps', () => {
    const steps = (count: number) => 'word\n\n'.repeat(count);
    assert.ok(growthOf(steps, (text) => foldOutline(EMPTY_OUTLINE, text, 1), 5000) < LINEAR);
  });

  it('scales the tokens of steps to the reported number', () => {
    const steps = outlineOf('aaaaaaaa\n\nbbbb');
    assert.deepEqual(toStepTokens(steps, 30), [20, 10]);
    assert.deepEqual(toStepTokens(steps, undefined), [2, 1]);
    assert.deepEqual(toStepTokens([], 30), []);
  });
});
