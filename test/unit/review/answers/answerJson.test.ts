import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { jsonObjectsIn } from '../../../../src/review/answers/answerJson.ts';
import { growthOf, LINEAR } from '../../../support/growth.ts';

const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n`;

describe('The JSON in an answer', () => {
  it('is the complete answer', () => {
    assert.deepEqual([...jsonObjectsIn(' {"a": 1}\n')], [{ a: 1 }]);
  });

  it('is in fences of JSON and in fences without a language, in order, before it is anywhere else', () => {
    const answer = [
      fenced('ts', '{"b": 2}'),
      fenced('json', '{"a": 1}'),
      fenced('', '{"d": 4}'),
      fenced('JSON', '{"e": 5}'),
    ].join('\n');
    assert.deepEqual([...jsonObjectsIn(answer)], [{ a: 1 }, { d: 4 }, { e: 5 }, { b: 2 }]);
  });

  it('is between the outer braces', () => {
    assert.deepEqual([...jsonObjectsIn('It is {"a": {"b": 1}}, as said.')], [{ a: { b: 1 } }]);
  });

  it('can be before, between, and after text with braces of its own', () => {
    const json = '{"a": [{"b": "} {"}]}';
    for (const [before, after] of [
      ['The option is {strict}. ', ''],
      ['', ' It is for {strict}.'],
      ['Empty braces, `{ }`, or {, or }: ', ' or {"'],
      ['It starts with {"x": ', ' as asked.'],
      ['It starts with {"x": [', ' as asked.'],
      ['A key begins with {" and: ', ''],
      ['An opening brace in a text is "{": ', ' and "}" closes it.'],
      ['{{', '}}'],
    ] as const) {
      const found = [...jsonObjectsIn(`${before}${json}${after}`)];
      assert.ok(
        found.some((one) => JSON.stringify(one) === '{"a":[{"b":"} {"}]}'),
        before,
      );
    }
  });

  it('is each whole object of the text, in order, but none that is in another one', () => {
    assert.deepEqual(
      [...jsonObjectsIn('{"a": {"b": 1}} or {"c": {}}{"d": [{}]}, not {"e": }')],
      [{ a: { b: 1 } }, { c: {} }, { d: [{}] }],
    );
  });

  it('is found in time in proportion to the length of the text', () => {
    for (const part of [
      '{',
      '{"',
      '{"a":',
      '{"a":[',
      '{"a":{},"b":',
      '{"a":[{"b":{}},',
      '{"{":',
      '"{',
      '{"a":"{',
    ])
      assert.ok(
        growthOf(
          (length) => `${part.repeat(length)}x`,
          (text) => [...jsonObjectsIn(text)],
          1500,
        ) < LINEAR,
        part,
      );
  });

  it('is an object, not a list or a text, and complete', () => {
    for (const answer of ['', '[1]', '"a"', '1', 'null', '{"a": 1', 'No braces.'])
      assert.deepEqual([...jsonObjectsIn(answer)], [], answer);
  });
});
