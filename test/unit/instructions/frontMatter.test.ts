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
      unread: new Set(),
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
      assert.deepEqual(parseFrontMatter(text), { fields: {}, unread: new Set(), body: text });
  });

  it('keeps what it does not understand out of the fields', () => {
    const { fields, unread, body } = parseFrontMatter(
      '---\n{}\n__proto__: x\na: b\nempty:\nc: {d: e}\nf:\n  g: h\ni: [j\n---\nText',
    );
    assert.deepEqual(fields, { a: 'b', empty: '', c: '{d: e}', f: '', i: '' });
    assert.deepEqual([...unread], ['', 'c', 'f', 'i']);
    assert.equal(body, 'Text');
    assert.equal(Object.getPrototypeOf(fields), Object.prototype);
  });

  it('can have lists and texts of several lines', () => {
    const { fields, unread, body } = parseFrontMatter(
      [
        '---',
        'tools:',
        '  [',
        '    read_file, # a comment',
        '    "find",',
        '  ]',
        'applyTo: [',
        '  "**/*.ts",',
        "  '**/*.tsx' ]",
        'description: >',
        '  Finds',
        '  races.',
        '',
        'other: |-',
        '  one',
        '  two',
        'long: a',
        '  b',
        'last: [c]',
        '---',
        'Text',
      ].join('\n'),
    );
    assert.deepEqual(fields, {
      tools: ['read_file', 'find'],
      applyTo: ['**/*.ts', '**/*.tsx'],
      description: 'Finds races.',
      other: 'one\ntwo',
      long: 'a b',
      last: ['c'],
    });
    assert.deepEqual([unread.size, body], [0, 'Text']);
  });

  it('has lists without the comments behind them, whatever quotation marks are in both', () => {
    for (const [written, list] of [
      ["['a', 'b'] # it's fine", ['a', 'b']],
      ['[a, b] # not "c"', ['a', 'b']],
      ["[it's, b] # why", ["it's", 'b']],
      ['[\'a #1\', "b # 2", c#3]# no', undefined],
      ['[\'a #1\', "b # 2", c#3] # 4', ['a #1', 'b # 2', 'c#3']],
    ] as const) {
      const { fields, unread } = parseFrontMatter(`---\ntools: ${written}\n---\nText`);
      assert.deepEqual([fields['tools'], unread.size], list ? [list, 0] : ['', 1], written);
    }
  });

  it('is text if it has more than 1,000 lines', () => {
    const elements = (count: number) => `---\ntools:\n${'- a\n'.repeat(count)}---\nBe brief.`;
    assert.equal(parseFrontMatter(elements(997)).fields['tools']?.length, 997);
    assert.equal(parseFrontMatter(elements(998)).isOpen, true);
  });

  it('is text if it has no field', () => {
    const text = '---\nUse tabs.\n---\nBe brief.';
    assert.deepEqual(parseFrontMatter(text), { fields: {}, unread: new Set(), body: text });
    assert.equal(parseFrontMatter('---\n# none\n---\nBe brief.').body, 'Be brief.');
  });
});
