import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type JsonNode, readJsonText } from '../../../src/panel/jsonText.ts';

const problemOf = (text: string) => {
  const read = readJsonText(text);
  return read.ok ? undefined : read.problem;
};

/** The value of a tree, built only from the text of its leaves. */
function toValue({ kind, from, to, children }: JsonNode, text: string): unknown {
  if (kind === 'array') return children.map((child) => toValue(child, text));
  if (kind === 'object')
    return Object.fromEntries(children.map((child) => [String(child.key), toValue(child, text)]));
  return JSON.parse(text.slice(from, to));
}

const parses = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('Parsed JSON', () => {
  it('is a tree of values with their positions', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 2), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), undefined, indent);
        const read = readJsonText(text);
        assert.ok(read.ok);
        assert.deepEqual(JSON.stringify(toValue(read.root, text)), JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('fails at the same position as JSON.parse, also after a change of one character', () => {
    const sign = fc.constantFrom(...'{}[]",:\\0123456789eE+-.truefalsn \n\t\u0000é/');
    fc.assert(
      fc.property(fc.json(), fc.nat(), sign, (json, at, letter) => {
        const place = at % (json.length + 1);
        for (const text of [
          json.slice(0, place) + letter + json.slice(place),
          json.slice(0, place) + json.slice(place + 1),
          json.slice(0, place),
        ])
          assert.equal(readJsonText(text).ok, parses(text), text);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps the digits of long numbers, the order of keys, and duplicate keys', () => {
    const text = '{"2": 12345678901234567890.10, "1": 0, "1": 1}';
    const read = readJsonText(text);
    assert.ok(read.ok);
    assert.deepEqual(
      read.root.children.map(({ key, from, to }) => [key, text.slice(from, to)]),
      [
        ['2', '12345678901234567890.10'],
        ['1', '0'],
        ['1', '1'],
      ],
    );
  });

  it('reports the line and column of the first error', () => {
    assert.deepEqual(problemOf('{\n  "a": 1,\n  b: 2\n}'), {
      kind: 'unexpected',
      offset: 14,
      line: 3,
      column: 3,
    });
    assert.deepEqual(problemOf('{"a": [1, 2'), { kind: 'ends-early', offset: 11, line: 1, column: 12 });
    for (const cut of ['{', '[1', '{"a": 1', '{"a": {"b": 1}', '["a" \n'])
      assert.equal(problemOf(cut)?.kind, 'ends-early', cut);
    assert.deepEqual(problemOf('{}\r\nthere'), { kind: 'after-the-end', offset: 4, line: 2, column: 1 });
    for (const more of ['{}"x', '{"a":1}"', '{"a":1} "rest'])
      assert.equal(problemOf(more)?.kind, 'after-the-end', more);
    assert.equal(problemOf('{} "x')?.offset, 3);
    assert.deepEqual(problemOf('{"a": "x\ny"}')?.column, 9);
    assert.deepEqual(problemOf('[1,]'), { kind: 'unexpected', offset: 3, line: 1, column: 4 });
    assert.equal(problemOf('')?.kind, 'ends-early');
  });

  it('can have a string of several megabytes, but not unlimited nesting', () => {
    assert.ok(readJsonText(JSON.stringify({ a: 'x"\n'.repeat(2_000_000) })).ok);
    assert.equal(problemOf('['.repeat(100_000))?.kind, 'too-deep');
  });
});
