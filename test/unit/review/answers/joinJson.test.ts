import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { joinJson, openJsonOf } from '../../../../src/review/answers/joinJson.ts';

const isCut = (text: string) => openJsonOf(text) !== undefined;
const PROPOSAL = {
  explanation: 'The sum skips the last item, so “total” is too small.\n\nIt counts from 0 to the length.',
  files: [
    {
      path: 'src/sum.ts',
      edits: [
        { find: '  for (let i = 0; i < 3; i++)', replace: '  for (let i = 0; i < list.length; i++)' },
        { find: '', replace: '\tconst a = "b\\n";\r\n' },
      ],
    },
    { path: 'ä/漢字 🙂.ts', edits: [] },
  ],
};
const TEXTS = {
  'on one line': JSON.stringify(PROPOSAL),
  indented: `${JSON.stringify(PROPOSAL, null, 2)}\n`,
  'a list': JSON.stringify([PROPOSAL, [[1, 2.5], [], null], 'x']),
  'an indented list': `${JSON.stringify([PROPOSAL, [[1, 2.5], []]], null, 2)}\n`,
  'a list in a fence': `\`\`\`json\n${JSON.stringify([PROPOSAL], null, 2)}\n\`\`\`\n`,
  'in a fence': `\`\`\`json\n${JSON.stringify(PROPOSAL, null, 2)}\n\`\`\`\n`,
};

/** Every place at which a text can be cut so that its first part is the start of an object. */
const cutsOf = (text: string) =>
  Array.from({ length: text.length }, (_, at) => at).filter((at) => isCut(text.slice(0, at)));
const jsonOf = (text: string | undefined): unknown =>
  JSON.parse((text ?? '').replace(/^```json\n|\n```\n*$/g, ''));
/** Texts with JSON in another text. */
const BESIDE = {
  'below text with braces': `Use {} and {name}, not [x]:\n\n${JSON.stringify(PROPOSAL)}`,
  'below other JSON': `{"a": [1]}\n\n[1]\n\n${JSON.stringify(PROPOSAL, null, 1)}`,
  'below code': `\`\`\`ts\nif (a) { b({ c: 1 }); }\n\`\`\`\n\n\`\`\`json\n${JSON.stringify(PROPOSAL)}\n\`\`\`\n`,
};

describe('JSON that was cut off and continued', () => {
  for (const [name, text] of Object.entries(TEXTS)) {
    describe(name, () => {
      it('is the original, wherever it was cut', () => {
        for (const at of cutsOf(text))
          assert.deepEqual(joinJson(text.slice(0, at), text.slice(at)), { text, whole: true }, `at ${at}`);
      });

      it('is the original if it was cut twice', () => {
        const cuts = cutsOf(text);
        fc.assert(
          fc.property(fc.constantFrom(...cuts), fc.constantFrom(...cuts), (one, other) => {
            const [first, second] = one < other ? [one, other] : [other, one];
            const start = joinJson(text.slice(0, first), text.slice(first, second), false);
            assert.equal(start?.whole, false);
            assert.deepEqual(joinJson(start.text, text.slice(second)), { text, whole: true });
          }),
        );
      });

      it('has the same value if the model opens a code block for the rest', () => {
        for (const at of cutsOf(text)) {
          const joined = joinJson(
            text.slice(0, at),
            `\`\`\`json\n${text.slice(at).replace(/\n```\n$/, '')}\n\`\`\``,
          );
          assert.equal(joined?.whole, true, `at ${at}`);
          assert.deepEqual(jsonOf(joined.text), jsonOf(text), `at ${at}`);
        }
      });

      it('has the same value if the model starts again', () => {
        for (const at of cutsOf(text)) {
          const joined = joinJson(text.slice(0, at), text);
          assert.equal(joined?.whole, true, `at ${at}`);
          assert.deepEqual(jsonOf(joined.text), jsonOf(text), `at ${at}`);
        }
      });
    });
  }

  for (const [name, text] of Object.entries(BESIDE))
    it(`is the original, wherever it was cut, ${name}`, () => {
      const json = text.indexOf('"explanation"');
      for (let at = json + 1; text.slice(at).includes('}'); at++) {
        assert.ok(isCut(text.slice(0, at)), `at ${at}`);
        assert.deepEqual(joinJson(text.slice(0, at), text.slice(at)), { text, whole: true }, `at ${at}`);
      }
    });

  it('is the second part if that starts the list again', () => {
    const list = '[{"a": 1}, {"a": 2}, {"b": 3}]';
    for (let at = 1; at < list.length; at++)
      assert.deepEqual(joinJson(list.slice(0, at), list), { text: list, whole: true }, `at ${at}`);
    assert.deepEqual(joinJson('[{"a": 1}, ', '[{"a": 1}, {"a": 2}, {"a"'), {
      text: '[{"a": 1}, {"a": 2}, {"a"',
      whole: false,
    });
  });

  it('is not whole because a bracket is equal by chance and leaves text behind its end', () => {
    const start = joinJson('[{"a": 1}, [', '[1, 2.5], [], null], "x');
    assert.deepEqual(start, { text: '[{"a": 1}, [[1, 2.5], [], null], "x', whole: false });
    assert.equal(joinJson(start.text, '"]')?.whole, true);
    const [first, second] = ['[[1], [', '[2], []]'] as const;
    assert.deepEqual(joinJson(first, second, false), { text: '[[1], [[2], []]', whole: false });
    assert.deepEqual(joinJson(first, second), { text: '[[1], [2], []]', whole: true });
  });

  it('goes on with a list in a list', () => {
    assert.deepEqual(joinJson('[[1], ', '[2]]'), { text: '[[1], [2]]', whole: true });
    assert.deepEqual(joinJson('[1, ', '[2], [3'), { text: '[1, [2], [3', whole: false });
  });

  it('is the original if the model repeats the words before the cut', () => {
    const text = TEXTS.indented;
    // The start of three words before the cut.
    const repeatFrom = (at: number) => /\S+\s+\S+\s+\S*$/.exec(text.slice(0, at))?.index ?? at;
    const cuts = cutsOf(text).filter((at) => /\w{3,}\W+\w{3,}\W*$/.test(text.slice(repeatFrom(at), at)));
    assert.ok(cuts.length > 20, `${cuts.length} places`);
    for (const at of cuts)
      assert.deepEqual(
        joinJson(text.slice(0, at), text.slice(repeatFrom(at))),
        { text, whole: true },
        text.slice(repeatFrom(at), at),
      );
  });

  it('is the original if a few repeated characters would make it invalid', () => {
    assert.equal(joinJson('{"a": 1, "fi', '"files": []}')?.text, '{"a": 1, "files": []}');
  });

  it('admits blank lines before the rest inside a string', () => {
    assert.equal(joinJson('{"a": "one ', '\n\ntwo"}')?.text, '{"a": "one two"}');
  });

  it('finds the rest in a code block below a sentence', () => {
    const joined = joinJson('{"a": "one ', 'Here is the rest:\n\n```json\ntwo", "b": 2}\n```');
    assert.deepEqual(joined, { text: '{"a": "one two", "b": 2}', whole: true });
  });

  it('is the second part if that starts again, also if it is cut off again', () => {
    assert.deepEqual(joinJson('{"list": [', '{"list": [{"a": 1}]}'), {
      text: '{"list": [{"a": 1}]}',
      whole: true,
    });
    assert.deepEqual(joinJson('{"list": [{"a": 1}', '{"list": [{"a": 1}, {"a"'), {
      text: '{"list": [{"a": 1}, {"a"',
      whole: false,
    });
  });

  it('is not an object of its own that only looks like the rest', () => {
    assert.equal(joinJson('{"list": [1', '{"b": 2}]}'), undefined);
  });

  it('can’t be joined to a sentence', () => {
    assert.equal(joinJson('{"a": 1, ', 'I am sorry.'), undefined);
  });

  it('is not cut off if it is whole or no JSON', () => {
    for (const text of ['', 'Sorry.', '{"a": 1}', '{"a": 1}\n', '{a', '[1]', '[1] and 2', 'See [', '[a](b'])
      assert.equal(isCut(text), false, text);
    for (const text of ['{', '{"a', '```json\n{"a": 1,', '[', ' [[1', 'A {b} in {}: {"c', 'A\n[1,'])
      assert.equal(isCut(text), true, text);
  });
});
