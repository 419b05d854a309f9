import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { placeEdits } from '../../../../src/review/edits/editPlacement.ts';
import { decodeProposal, type ProposedEdit } from '../../../../src/review/edits/proposalAnswer.ts';
import { readProposal } from '../../../../src/review/edits/readProposal.ts';
import { damageJson, damageText, jsonDamage, runsOf, textDamage } from '../../../support/mutations.ts';

const COUNT = 12;
/** Each line is there once, also without its indentation. */
const LINES = Array.from({ length: COUNT }, (_, line) => `${'  '.repeat(line % 3)}line ${line} of the file;`);

/** Edits of different lines, two lines apart. */
const edits = fc
  .tuple(fc.uniqueArray(fc.nat(COUNT / 3 - 1), { minLength: 1, maxLength: 3 }), fc.constantFrom('\n', '\r\n'))
  .map(([places, end]) => ({
    text: LINES.join(end) + end,
    edits: places.map(
      (place): ProposedEdit => ({
        find: LINES.slice(place * 3, place * 3 + 2).join('\n'),
        replace: `instead of ${place * 3}`,
      }),
    ),
  }));

/** The lines that no edit speaks of stay, in their order. */
function checkOthers(text: string, after: string, all: readonly ProposedEdit[]): void {
  const named = all.map(({ find }) => find);
  const others = text.split(/\r?\n/).filter((line) => line !== '' && !mayMean(named, line));
  let from = 0;
  for (const line of others) {
    const at = after.indexOf(line, from);
    assert.ok(at >= 0, `“${line}” is gone or elsewhere, after ${JSON.stringify(all)}`);
    from = at + line.length;
  }
}

/** Whether an edit quotes the line, whatever its indentation, or is itself a part of it. */
const mayMean = (named: readonly string[], line: string) =>
  named.some((find) => find.includes(line.trim()) || line.includes(find.trim()));

describe('Damaged proposals', () => {
  it('name the field that is wrong, or change no line but those that they quote', () => {
    fc.assert(
      fc.property(edits, fc.array(jsonDamage, { minLength: 1, maxLength: 3 }), (one, damage) => {
        const whole: unknown = { explanation: '', files: [{ path: 'a.ts', edits: one.edits }] };
        const decoded = decodeProposal(damage.reduce(damageJson, whole));
        if (!decoded.ok) {
          assert.notEqual(decoded.malformed.expected, undefined);
          return;
        }
        for (const file of decoded.answer.files) {
          const { after, unplaced } = placeEdits(one.text, file.edits);
          if (unplaced.length === file.edits.length) assert.equal(after, one.text);
          checkOthers(one.text, after, file.edits);
        }
      }),
      runsOf(200),
    );
  }).timeout(3_600_000);

  it('with a damaged quotation have no place, or change no line but those that they quote', () => {
    fc.assert(
      fc.property(edits, fc.nat(2), textDamage, (one, which, damage) => {
        const at = which % one.edits.length;
        const all = one.edits.map((edit, index) =>
          index === at ? { ...edit, find: damageText(edit.find, damage).text } : edit,
        );
        const { after, unplaced } = placeEdits(one.text, all);
        checkOthers(one.text, after, all);
        // The others have their place, whatever happened to this one, unless it lies across them now.
        for (const { edit, reason } of unplaced)
          assert.ok(edit === all[at] || reason === 'overlaps', `${edit.find}: ${reason}`);
      }),
      runsOf(200),
    );
  }).timeout(3_600_000);

  it('in a damaged answer are read or refused, and never break the reader', () => {
    const answer = (all: readonly ProposedEdit[]) =>
      `\`\`\`json\n${JSON.stringify({ explanation: 'So.', files: [{ path: 'a.ts', edits: all }] }, null, 2)}\n\`\`\`\n`;
    fc.assert(
      fc.property(edits, textDamage, (one, damage) => {
        const read = readProposal(damageText(answer(one.edits), damage).text);
        if (read.kind !== 'edits') return;
        for (const file of read.answer.files)
          checkOthers(one.text, placeEdits(one.text, file.edits).after, file.edits);
      }),
      runsOf(200),
    );
  }).timeout(3_600_000);
});
