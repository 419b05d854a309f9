import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { readJsonPrefix } from '../../../../src/review/answers/jsonPrefix.ts';
import { growthOf, LINEAR } from '../../../support/growth.ts';

const stateOf = (text: string) => readJsonPrefix(text).state;

describe('The start of a JSON text', () => {
  it('is open wherever the text is cut, and whole at its end', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 2), (json, indent) => {
        const text = JSON.stringify({ value: JSON.parse(json), more: [1.5e3, -2, true, null] }, null, indent);
        for (let at = 0; at < text.length; at++) assert.equal(stateOf(text.slice(0, at)), 'open', text);
        assert.deepEqual(readJsonPrefix(text), { state: 'whole', end: text.length });
      }),
    );
  });

  it('is whole before what follows it', () => {
    assert.deepEqual(readJsonPrefix(' {"a": []}\n```\n'), { state: 'whole', end: 10 });
  });

  for (const text of [
    'Sorry',
    '"text"',
    '{a',
    '{"a" "b"',
    '{"a": 1,}',
    '{"a": 01,',
    '{"a": tru }',
    '[1 2',
    '[1}',
    '{"a"]',
    '{,',
    '{"a": "b\n',
    '{"a": "\\x',
    '{"a": {"b": "x"}"',
  ]) {
    it(`is broken if it is ${JSON.stringify(text)}`, () => {
      assert.equal(stateOf(text), 'broken');
    });
  }

  it('can be a string of a megabyte, with and without escapes', () => {
    assert.equal(stateOf(`{"a": "${'x'.repeat(1e6)}`), 'open');
    assert.equal(stateOf(`{"a": "${'\\n'.repeat(1e6)}"}`), 'whole');
  });

  it('is read in time in proportion to its length', () => {
    for (const part of ['1', '1.', '1e', '-', 'true', '"', '[', '1,', '\\\\'])
      assert.ok(
        growthOf(
          (length) => `[${part.repeat(length)}x`,
          (text) => readJsonPrefix(text),
          8000,
        ) < LINEAR,
        part,
      );
  });
});
