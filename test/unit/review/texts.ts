/** Texts like those of real files: all line ends, tabs, emoji, combining characters, and repeated lines. */
import fc from 'fast-check';

const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('', '}', '\treturn x;', '  a', 'b', '/* ü */', '👩‍👩‍👧 e\u0301', '\u{1F600}'),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replace(/[\r\n]/g, '')),
  },
);

const end = fc.constantFrom('\n', '\r\n');

const toText = (lines: readonly string[], eol: string, last: boolean): string =>
  lines.length === 0 ? '' : lines.join(eol) + (last ? eol : '');

export const someText = fc
  .tuple(fc.array(line, { maxLength: 30 }), end, fc.boolean())
  .map(([lines, eol, last]) => toText(lines, eol, last));

/**
 * A text, and the same text after some lines were deleted, inserted, or replaced; sometimes a completely different one.
 */
export const changedText = fc
  .tuple(
    fc.array(line, { maxLength: 30 }),
    fc.array(fc.tuple(fc.nat(30), fc.nat(3), fc.array(line, { maxLength: 3 })), { maxLength: 6 }),
    end,
    fc.boolean(),
    fc.boolean(),
    fc.option(someText, { freq: 8 }),
  )
  .map(([lines, splices, eol, last, lastAfter, other]) => {
    const after = [...lines];
    for (const [at, count, more] of splices) after.splice(at % (after.length + 1), count, ...more);
    return { before: toText(lines, eol, last), after: other ?? toText(after, eol, lastAfter) };
  });
