import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { placeEdits } from '../../../../src/review/edits/editPlacement.ts';

/** The number of random cases. `RUNS=100000` is the long version. */
const RUNS = Number(process.env['RUNS'] ?? 1000);

const LINES = ['}', '', 'a', '  b', '\tc', 'a b a', '  a', 'x = 1;', '    }', 'e\u0301 😀', '  x = 1;', ' '];

/** Lines that are replaced by others, and how many of those above and below are named with them. */
const change = fc.record({
  at: fc.nat(12),
  count: fc.nat(3),
  added: fc.array(fc.constantFrom(...LINES), { maxLength: 3 }),
  above: fc.nat(3),
  below: fc.nat(3),
  /** Which of the last line ends are left out. */
  cut: fc.nat(3),
});

const story = fc.record({
  lines: fc.array(fc.constantFrom(...LINES, ...Array(6).fill(undefined)), { maxLength: 10 }),
  isEnded: fc.boolean(),
  end: fc.constantFrom('\n' as const, '\r\n' as const),
  changes: fc.array(change, { minLength: 1, maxLength: 4 }),
});

const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const withoutEnd = (text: string, isCut: boolean): string => (isCut ? text.replace(/(?<=.)\n$/, '') : text);

describe('Edits that name the same unchanged lines, some of which are there several times', () => {
  it('have no place, or give the text with all changes, byte for byte', () => {
    fc.assert(
      fc.property(story, ({ lines: some, isEnded, end, changes }) => {
        const lines = some.map((line, at) => line ?? `line ${at}`);
        // An empty last line without a line end is none.
        if (!isEnded && lines.at(-1) === '') lines.push('z');
        const text = joined(lines).replaceAll('\n', end);
        const before = isEnded ? text : text.slice(0, -end.length || undefined);
        const made: { from: number; to: number; added: readonly string[] }[] = [];
        const edits = changes.flatMap(({ at, count, added, above, below, cut }) => {
          const from = at % (lines.length + 1);
          const to = Math.min(lines.length, from + count);
          const [first, last] = [Math.max(0, from - above), Math.min(lines.length, to + below)];
          const meets = made.some((other) => from <= other.to && other.from <= to);
          if (meets || first === last || (from === to && added.length === 0)) return [];
          made.push({ from, to, added });
          const find = joined(lines.slice(first, last));
          const replace = joined([...lines.slice(first, from), ...added, ...lines.slice(to, last)]);
          return [{ find: withoutEnd(find, (cut & 1) > 0), replace: withoutEnd(replace, (cut & 2) > 0) }];
        });
        const { after, unplaced } = placeEdits(before, edits, undefined, end);
        // An edit that is there twice, word for word, is made once.
        const isRepeated = new Set(edits.map((edit) => JSON.stringify(edit))).size < edits.length;
        if (edits.length === 0 || isRepeated || unplaced.length > 0) return;
        const wanted = [...lines];
        for (const { from, to, added } of made.toSorted((a, b) => b.from - a.from))
          wanted.splice(from, to - from, ...added);
        const ended = joined(wanted).replaceAll('\n', end);
        assert.ok(
          [after, after + (isEnded ? '' : end)].includes(ended),
          JSON.stringify([before, edits, after]),
        );
      }),
      { numRuns: RUNS },
    );
  });
});
