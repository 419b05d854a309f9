import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { jsonObjectsIn } from '../../../src/review/answerJson.ts';

const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n`;

describe('The JSON in an answer', () => {
  it('is the complete answer first', () => {
    assert.deepEqual([...jsonObjectsIn(' {"a": 1}\n')], [{ a: 1 }, { a: 1 }]);
  });

  it('is in fences of JSON and in fences without a language, in order, but in no others', () => {
    const answer = [
      fenced('json', '{"a": 1}'),
      fenced('ts', '{"b": 2}'),
      fenced('jsonc', '{"c": 3}'),
      fenced('', '{"d": 4}'),
      fenced('JSON', '{"e": 5}'),
    ].join('\n');
    assert.deepEqual([...jsonObjectsIn(answer)], [{ a: 1 }, { d: 4 }, { e: 5 }]);
  });

  it('is between the outer braces', () => {
    assert.deepEqual([...jsonObjectsIn('It is {"a": {"b": 1}}, as said.')], [{ a: { b: 1 } }]);
  });

  it('is an object, not a list or a text, and complete', () => {
    for (const answer of ['', '[1]', '"a"', '1', 'null', '{"a": 1', 'No braces.'])
      assert.deepEqual([...jsonObjectsIn(answer)], [], answer);
  });
});
