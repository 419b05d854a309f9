import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { placeEdits } from '../../../../src/review/edits/editPlacement.ts';
import { readDiff, toEditsOfDiff } from '../../../../src/review/edits/unifiedDiff.ts';
import { toLines } from '../../../../src/review/hunks/hunks.ts';
import { changedText } from '../texts.ts';
import { type Habits, habits, hunksOf, REAL_EDITS, type RealEdit, writeDiff } from './writtenDiffs.ts';

/** The text after some hunks of an edit, by their true line numbers. */
function applyHunks(edit: RealEdit, context: number, takes: (index: number) => boolean): string {
  const lines = toLines(edit.before);
  for (const [index, hunk] of [...hunksOf(edit, context).entries()].reverse()) {
    if (!takes(index)) continue;
    const fresh = hunk.lines.filter((line) => /^[ +]/.test(line)).map((line) => `${line.slice(1)}\n`);
    lines.splice(hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1, hunk.oldLines, ...fresh);
  }
  return lines.join('');
}

const withoutEnd = (text: string): string => text.replace(/\n$/, '');

/** Checks that a diff is applied to the lines that it was made from, or refused. Gives the number of both. */
function check(edit: RealEdit, how: Habits): { readonly placed: number; readonly refused: number } {
  const edits = toEditsOfDiff(writeDiff(edit, how));
  assert.equal(edits.length, hunksOf(edit, how.context).length, 'the number of hunks');
  const { after, unplaced } = placeEdits(edit.before, edits);
  for (const { reason } of unplaced)
    assert.ok(['several', 'overlaps', 'file-exists'].includes(reason), reason);
  const refused = new Set(unplaced.map((one) => edits.indexOf(one.edit)));
  const expected = applyHunks(edit, how.context, (index) => !refused.has(index));
  assert.equal(withoutEnd(after), withoutEnd(expected));
  return { placed: edits.length - unplaced.length, refused: unplaced.length };
}

/** Both texts with LF, and with or without an end of the last line: a proposal keeps it as it is in the file. */
function withSameEnds(
  texts: Pick<RealEdit, 'before' | 'after'>,
  hasEnd: boolean,
): Pick<RealEdit, 'before' | 'after'> {
  const lines = (text: string) => text.replaceAll('\r\n', '\n').replace(/\n+$/, '');
  const [before, after] = [lines(texts.before), lines(texts.after)];
  const withEnd = (text: string) => (text === '' ? '' : `${text}\n`);
  const isEmpty = before === '' || after === '';
  return hasEnd || isEmpty ? { before: withEnd(before), after: withEnd(after) } : { before, after };
}

describe('A diff with the faults that models make', () => {
  it('is applied to the lines that it was made from, or refused, for any pair of texts', () => {
    fc.assert(
      fc.property(changedText, habits, fc.boolean(), (texts, how, hasEnd) => {
        const edit = { path: 'src/a.ts', ...withSameEnds(texts, hasEnd) };
        fc.pre(edit.before !== edit.after);
        check(edit, how);
      }),
      { numRuns: 2000 },
    );
  });

  it('is applied to the lines that it was made from, or refused, for the edits of this repository', () => {
    fc.assert(
      fc.property(fc.nat(REAL_EDITS.length - 1), habits, fc.boolean(), (at, how, hasEnd) => {
        const edit = REAL_EDITS[at];
        if (edit !== undefined) check({ ...edit, ...withSameEnds(edit, hasEnd) }, how);
      }),
      { numRuns: 300 },
    );
  });

  it('is rarely refused when it has three unchanged lines around its changes', () => {
    let [placed, refused] = [0, 0];
    for (const edit of REAL_EDITS) {
      const count = check(edit, {
        context: 3,
        hunkHeader: 'wrong',
        fileHeader: 'plain',
        blankBetween: true,
        lostSpaces: 'blank',
        lineEnd: '\n',
      });
      placed += count.placed;
      refused += count.refused;
    }
    assert.ok(refused < 0.03 * placed, `${refused} of ${placed + refused} were refused`);
  });

  it('is split by its files', () => {
    const some = fc.uniqueArray(fc.constantFrom(...REAL_EDITS), {
      minLength: 2,
      maxLength: 4,
      selector: ({ path }) => path,
    });
    fc.assert(
      fc.property(some, habits, fc.constantFrom('git', 'plain', 'dated'), (files, how, header) => {
        // Without any header between them, two files can only be told apart by names as Git writes them.
        const fileHeader = how.hunkHeader === 'none' ? 'git' : header;
        const texts = files.map((edit) => writeDiff(edit, { ...how, fileHeader }));
        assert.deepEqual(
          readDiff(texts.join(how.blankBetween ? how.lineEnd : '')),
          texts.flatMap((text, index) => {
            const alone = toEditsOfDiff(text);
            return alone.length === 0 ? [] : [{ path: files[index]?.path, edits: alone }];
          }),
        );
      }),
      { numRuns: 100 },
    );
  });
});
