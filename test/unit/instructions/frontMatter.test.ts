import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseFrontMatter } from '../../../src/instructions/frontMatter.ts';

describe('Front matter', () => {
  it('has fields as text or as lists, and is not part of the text', () => {
    const text = [
      '---',
      'description: "Rules: for tests" # not this',
      "applyTo: '**/*.ts,**/*.tsx'",
      'effort: low   # why',
      'tools: [read_file, "find", \'a,b\']',
      'names:',
      '  - one',
      '  - "two"',
      '# a comment',
      '---',
      '',
      'Be brief.',
    ].join('\n');
    assert.deepEqual(parseFrontMatter(text), {
      fields: {
        description: 'Rules: for tests',
        applyTo: '**/*.ts,**/*.tsx',
        effort: 'low',
        tools: ['read_file', 'find', 'a,b'],
        names: ['one', 'two'],
      },
      body: 'Be brief.',
    });
  });

  it('is not there without an end, in the middle, or in a plain text', () => {
    for (const text of ['Be brief.', '---\nBe brief.', 'Hello\n---\na: b\n---\n', '----\na: b\n---\n'])
      assert.deepEqual(parseFrontMatter(text), { fields: {}, body: text });
  });

  it('keeps what it does not understand out of the fields', () => {
    const { fields, body } = parseFrontMatter('---\n{}\n__proto__: x\na: |\n  b\nempty:\n---\nText');
    assert.deepEqual(fields, { a: '|', empty: '' });
    assert.equal(body, 'Text');
    assert.equal(Object.getPrototypeOf(fields), Object.prototype);
  });
});
