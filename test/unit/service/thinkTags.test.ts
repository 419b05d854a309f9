import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { flushTags, NO_TAGS, splitTags, TAGS, takeTagged } from '../../../src/service/thinkTags.ts';
import { growthOf, LINEAR } from '../../support/growth.ts';

interface Split {
  readonly reasoning: string;
  readonly answer: string;
  readonly closes: number;
}

/** The final text, if `content` arrives in these pieces. */
function split(pieces: readonly string[], trusting = true): Split {
  let state = NO_TAGS;
  let reasoning = '';
  let answer = '';
  let closes = 0;
  const take = (parts: ReturnType<typeof flushTags>) => {
    for (const part of parts) {
      if (part.kind === 'reasoning') reasoning += part.text;
      else if (part.kind === 'answer') answer += part.text;
      else {
        closes++;
        if (part.wasReasoning) {
          reasoning = answer;
          answer = '';
        }
      }
    }
  };
  for (const piece of pieces) {
    const next = splitTags(state, piece, trusting);
    state = next.state;
    take(next.parts);
  }
  take(flushTags(state));
  return { reasoning, answer, closes };
}

/** All ways to split a text in two, and all its single characters. */
function cuts(text: string): string[][] {
  const twos = Array.from({ length: text.length + 1 }, (_, at) => [text.slice(0, at), text.slice(at)]);
  return [...twos, [...text], text.split('')];
}

describe('Reasoning in tags inside content', () => {
  const cases: readonly (readonly [string, string, Split])[] = [
    [
      'R4 removes tagged reasoning from the answer',
      '<think>I think.</think>\n\nYes.',
      { reasoning: 'I think.', answer: '\n\nYes.', closes: 1 },
    ],
    [
      'R4 accepts the other tags of the family',
      '◁think▷Hm ◁ x◁/think▷Yes.',
      { reasoning: 'Hm ◁ x', answer: 'Yes.', closes: 1 },
    ],
    [
      'R4 ignores white space before the tag',
      '\n \n<think>a</think>b',
      { reasoning: 'a', answer: 'b', closes: 1 },
    ],
    [
      'R4 treats everything before a lone closing tag as reasoning',
      'I think < so.\n</think>\n\nYes.',
      { reasoning: 'I think < so.\n', answer: '\n\nYes.', closes: 1 },
    ],
    [
      'R4 treats everything before a lone closing tag of the other kind as reasoning',
      'Hm.◁/think▷Yes.',
      { reasoning: 'Hm.', answer: 'Yes.', closes: 1 },
    ],
    [
      'R4 keeps reasoning that never closes',
      '<think>I was cut o',
      { reasoning: 'I was cut o', answer: '', closes: 0 },
    ],
    [
      'R4 keeps reasoning that ends inside its closing tag',
      '<think>almost</thin',
      { reasoning: 'almost</thin', answer: '', closes: 0 },
    ],
    ['R4 reads empty reasoning', '<think>\n</think>Yes.', { reasoning: '\n', answer: 'Yes.', closes: 1 }],
    [
      'ignores tags after the answer has started after reasoning',
      '<think>a</think>b </think> <think>c</think>',
      { reasoning: 'a', answer: 'b </think> <think>c</think>', closes: 1 },
    ],
    [
      'does not change an answer without tags',
      'a < b, a </b> and </thinking> < /think>',
      { reasoning: '', answer: 'a < b, a </b> and </thinking> < /think>', closes: 0 },
    ],
    [
      'does not change an answer that ends like a tag',
      'Write </thin',
      { reasoning: '', answer: 'Write </thin', closes: 0 },
    ],
    [
      'does not change content that starts like a tag',
      '<thin',
      { reasoning: '', answer: '<thin', closes: 0 },
    ],
    [
      'ignores tags in code spans',
      'Use `<think>` and `</think>` here.',
      { reasoning: '', answer: 'Use `<think>` and `</think>` here.', closes: 0 },
    ],
    [
      'ignores a closing tag in a code span, wherever it is',
      'The `</think>` and `</think>` tags.',
      { reasoning: '', answer: 'The `</think>` and `</think>` tags.', closes: 0 },
    ],
    [
      'ignores tags in strings of code',
      'text.split(\'</think>\').join("</think>")',
      { reasoning: '', answer: 'text.split(\'</think>\').join("</think>")', closes: 0 },
    ],
    [
      'ignores a pair of tags in the middle of an answer',
      'It writes <think>a</think> first.',
      { reasoning: '', answer: 'It writes <think>a</think> first.', closes: 0 },
    ],
    [
      'finds the real closing tag after one that is only mentioned',
      'The `</think>` tag…</think>Yes.',
      { reasoning: 'The `</think>` tag…', answer: 'Yes.', closes: 1 },
    ],
    [
      'uses the first closing tag of either kind',
      'a◁/think▷b</think>c',
      { reasoning: 'a', answer: 'b</think>c', closes: 1 },
    ],
  ];
  for (const [name, text, expected] of cases) {
    it(`${name}, however it is split`, () => {
      assert.deepEqual(split([text]), expected);
      for (const pieces of cuts(text)) assert.deepEqual(split(pieces), expected, JSON.stringify(pieces));
    });
  }

  it('R4 treats tags as text after reasoning arrived under its own name', () => {
    const text = '<think>a</think>b';
    for (const pieces of cuts(text)) assert.equal(split(pieces, false).answer, text);
  });

  it('R4 treats a closing tag behind a quoted opening tag of its line as text, and a later one as the end', () => {
    const codes = [
      'Strip them:\n```python\nre.sub(r"<think>.*?</think>", "", s)\n```\nThat is all.',
      'Or split("<think>a</think>").',
    ];
    for (const code of codes)
      for (const pieces of cuts(code)) {
        assert.deepEqual(split(pieces), { reasoning: '', answer: code, closes: 0 });
        const thought = split([...pieces, '\n</think>', 'Done.']);
        assert.deepEqual(thought, { reasoning: `${code}\n`, answer: 'Done.', closes: 1 });
      }
  });

  it('R4 treats a lone closing tag as text where its line has an open quotation mark, as in a template string or in JSON', () => {
    for (const code of [
      'Use `a</think>b`.',
      '```js\nconst text = `<b>x</think>`;\n```\nDone.',
      '{"pattern":"a</think>","other":"b </think>"}',
    ])
      for (const pieces of cuts(code)) {
        assert.deepEqual(split(pieces), { reasoning: '', answer: code, closes: 0 });
        const thought = split([...pieces, '\n</think>', 'Done.']);
        assert.deepEqual(thought, { reasoning: `${code}\n`, answer: 'Done.', closes: 1 });
      }
    // No string or code span ends with its line: an inch, or a quotation that began in another line.
    for (const before of ['It is 5" wide.', 'He says "do this\nand that".', 'Escape the ` sign.'])
      for (const line of ['\n', '\r\n'])
        for (const pieces of cuts(`${before}</think>${line}Done.`))
          assert.deepEqual(split(pieces), { reasoning: before, answer: `${line}Done.`, closes: 1 });
    assert.deepEqual(split(['It is 5" ', '</think>']), {
      reasoning: '',
      answer: 'It is 5" </think>',
      closes: 0,
    });
    const answer = '`<b>x<think>`\n</think>';
    for (const pieces of cuts(answer)) assert.deepEqual(split(pieces), { reasoning: '', answer, closes: 0 });
  });

  it('R4 ends reasoning without an opening tag, whatever its code looks like', () => {
    for (const reasoning of ['```js\nfoo()\n', 'One ` more.\n', '```\n~~~\n```\n', 'Not `<think>` again.\n'])
      for (const pieces of cuts(`${reasoning}</think>Hi`))
        assert.deepEqual(split(pieces), { reasoning, answer: 'Hi', closes: 1 });
  });

  it('keeps every character except the tags, with the same result for every split', () => {
    const word = fc.constantFrom(
      '<think>',
      '</think>',
      '◁think▷',
      '◁/think▷',
      '<',
      '</',
      '`',
      "'",
      '\n',
      ' ',
      'ab',
      '</th',
      '◁',
      '\u{1f600}',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), fc.array(fc.nat(80), { maxLength: 8 }), (words, at) => {
        const text = words.join('');
        const marks = [
          0,
          ...at.map((mark) => Math.min(mark, text.length)).sort((a, b) => a - b),
          text.length,
        ];
        const pieces = marks.slice(1).map((mark, i) => text.slice(marks[i] ?? 0, mark));
        const whole = split([text]);
        assert.deepEqual(split(pieces), whole);
        if (!/^\s*(<think>|◁think▷)/.test(text) && whole.closes === 0) assert.equal(whole.answer, text);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('White space before an answer', () => {
  it('is read in linear time, also if it doesn’t end, as from a model that repeats line breaks', () => {
    const work = (count: number) => {
      let state = NO_TAGS;
      for (let at = 0; at < count; at++) ({ state } = splitTags(state, '\n\n', true));
    };
    const growth = growthOf((count) => count, work, 4000);
    assert.ok(growth < LINEAR, `${growth}`);
  });

  it('is part of the answer if there is a lot of it, and otherwise before the tag', () => {
    const kindsOf = (lead: string) => splitTags(NO_TAGS, lead, true).parts.map(({ kind }) => kind);
    const [short, long] = ['\n'.repeat(1000), '\n'.repeat(1001)];
    assert.deepEqual([kindsOf(short), kindsOf(long)], [[], ['answer']]);
    for (const pieces of [
      [`${long}<think>a</think>b`],
      [long, '<think>a</think>b'],
      [short, '\n<think>a</think>b'],
    ])
      assert.deepEqual(split(pieces), { reasoning: '', answer: `${long}<think>a</think>b`, closes: 0 });
    assert.deepEqual(split([short, '<think>a</think>b']), { reasoning: 'a', answer: 'b', closes: 1 });
  });
});

describe('Reasoning in tags at the beginning of a whole text', () => {
  for (const { open, close } of TAGS)
    it(`is what is before the first closing tag: ${open}`, () => {
      const taken = (text: string) => {
        const { reasoning, rest } = takeTagged(text) ?? {};
        return [reasoning, rest];
      };
      assert.deepEqual(taken(`${open}Hm ${open} x${close}Yes${close}`), [`Hm ${open} x`, `Yes${close}`]);
      assert.deepEqual(taken(` \n${open} Hm${close}`), [' Hm', '']);
      assert.deepEqual(taken(` Hm${close}\nYes`), [' Hm', '\nYes'], 'without an opening tag');
      assert.deepEqual(taken(`So ${open}Hm${close}Yes`), [`So ${open}Hm`, 'Yes']);
      assert.equal(takeTagged(`${open}Hm`), undefined);
    });

  it('ends at the first closing tag, also if another pair opened it', () => {
    assert.deepEqual(takeTagged('<think>a◁/think▷b</think>c'), { reasoning: 'a', rest: 'b</think>c' });
  });
});
