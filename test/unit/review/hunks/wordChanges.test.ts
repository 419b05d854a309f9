import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { toWordChanges } from '../../../../src/review/hunks/wordChanges.ts';

const marked = (deleted: string, added: string) => {
  const changes = toWordChanges(deleted, added);
  return [
    changes.deleted.map(({ from, to }) => deleted.slice(from, to)),
    changes.added.map(({ from, to }) => added.slice(from, to)),
  ];
};

describe('Changed words', () => {
  it('are those of either text that the other one doesn’t have', () => {
    assert.deepEqual(marked('  var all = sum(prices);\n', '  const all = sum(prices);\n'), [
      ['var'],
      ['const'],
    ]);
  });

  it('are none when lines are only added or only deleted', () => {
    assert.deepEqual(marked('', 'a new line\n'), [[], []]);
    assert.deepEqual(marked('an old line\n', ''), [[], []]);
  });

  it('are none when the texts have little in common', () => {
    assert.deepEqual(marked('return all - all;\n', 'throw new Error("no");\n'), [[], []]);
  });

  it('are none in texts that take long to compare', () => {
    const long = 'one two three four five\n'.repeat(500);
    assert.deepEqual(marked(long, `${long}six\n`), [[], []]);
  });

  it('are in order, don’t overlap, and without them both texts are the same', () => {
    const text = fc
      .array(fc.constantFrom('var', 'let', 'x', '=', ' ', '\n', '😀', '(', '\r\n'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (deleted, added) => {
        const changes = toWordChanges(deleted, added);
        const without = (whole: string, stretches: typeof changes.added) => {
          let kept = '';
          let at = 0;
          for (const { from, to } of stretches) {
            assert.ok(at <= from && from < to && to <= whole.length);
            kept += whole.slice(at, from);
            at = to;
          }
          return kept + whole.slice(at);
        };
        if (changes.deleted.length + changes.added.length > 0)
          assert.equal(without(deleted, changes.deleted), without(added, changes.added));
      }),
    );
  });
});
