import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { inCutAnswer, readCodeBlocks } from '../../../../src/review/answers/codeBlocks.ts';
import { placeEdits } from '../../../../src/review/edits/editPlacement.ts';
import { isOfDiff, toFileBlocks } from '../../../../src/review/edits/fileBlocks.ts';
import { toFileEdits } from '../../../../src/review/edits/fileEdits.ts';
import { readProposal } from '../../../../src/review/edits/readProposal.ts';
import { toHunks, toLines } from '../../../../src/review/hunks/hunks.ts';
import { hunksOf, REAL_EDITS, type RealEdit, writeDiff } from '../edits/writtenDiffs.ts';

const [one, two, three] = REAL_EDITS.filter((edit) => hunksOf(edit, 3).length > 1).toSorted(
  (a, b) => a.before.length - b.before.length,
) as [RealEdit, RealEdit, RealEdit];
const HOW = {
  context: 3,
  fileHeader: 'git',
  blankBetween: false,
  lostSpaces: 'none',
  lineEnd: '\n',
} as const;
const fenced = (info: string, code: string) =>
  `\`\`\`${info}\n${code}${code.endsWith('\n') ? '' : '\n'}\`\`\`\n`;
const sideOf = (lines: readonly string[], other: string) =>
  lines
    .filter((line) => !line.startsWith(other) && !line.startsWith('\\'))
    .map((line) => `${line.slice(1)}\n`);
const searchesOf = (edit: RealEdit) =>
  hunksOf(edit, 3)
    .map(
      ({ lines }) =>
        `<<<<<<< SEARCH\n${sideOf(lines, '+').join('')}=======\n${sideOf(lines, '-').join('')}>>>>>>> REPLACE\n`,
    )
    .join('\n');
const lined = (text: string, sign: string) =>
  toLines(text)
    .map((line) => sign + line.replace(/\n?$/, '\n'))
    .join('');
const headOf = (text: string) => `1,${toLines(text).length}`;
/** The file is deleted, and written again. */
const rewritten = ({ path, before, after }: RealEdit) =>
  `--- a/${path}\n+++ /dev/null\n@@ -${headOf(before)} +0,0 @@\n${lined(before, '-')}--- /dev/null\n+++ b/${path}\n@@ -0,0 +${headOf(after)} @@\n${lined(after, '+')}`;

/** What an answer proposes with the last of its blocks: each hunk, by its file. */
function lastBlock(answer: string, isComplete: boolean): readonly string[] {
  const [shown] = readCodeBlocks(answer).slice(-1);
  if (shown === undefined) return [];
  const block = isComplete ? shown : inCutAnswer(shown, answer);
  const parts = toFileBlocks([block]);
  return [one, two, three].flatMap(({ path, before }) => {
    const ofFile = parts.filter((part) => part.path === path);
    const diffs = ofFile.filter(isOfDiff);
    if (diffs.length < ofFile.length) return block.isCut ? [] : [block.code];
    const { after } = placeEdits(before, toFileEdits(diffs, before).edits);
    return toHunks(before, after).map(
      ({ offset, before: old, after: fresh }) => `${path} ${offset} ${old} ${fresh}`,
    );
  });
}

const ANSWERS: Readonly<Record<string, string>> = {
  'a diff of several files': `Both change.\n\n${fenced('diff', writeDiff(one, { ...HOW, hunkHeader: 'right' }) + writeDiff(two, { ...HOW, hunkHeader: 'right' }))}\nSo.\n`,
  'a diff without numbers': fenced('diff', writeDiff(three, { ...HOW, hunkHeader: 'empty' })),
  'lines to search for': `1. First:\n\n${fenced(`ts ${one.path}`, searchesOf(one))}\nThen run it.\n`,
  'a file that is written again': fenced('diff', rewritten(two)),
  'the text of a file': fenced(`ts ${one.path}`, one.after),
};

describe('An answer that is cut off', () => {
  for (const [name, answer] of Object.entries(ANSWERS))
    it(`proposes no change that it doesn’t have as a whole, wherever that is: ${name}`, () => {
      const whole = new Set(lastBlock(answer, true));
      const seen = new Set<string>();
      for (let end = 0; end < answer.length; end++)
        for (const hunk of lastBlock(answer.slice(0, end), false)) {
          assert.ok(whole.has(hunk), `${end}: ${answer.slice(Math.max(0, end - 80), end)}\n${hunk}`);
          seen.add(hunk);
        }
      assert.equal(seen.size, whole.size);
    });

  it('proposes no edits that are JSON before all of them are there', () => {
    const answer = JSON.stringify({
      explanation: 'It has `{}`.',
      files: [one, two].map(({ path, before, after }) => ({
        path,
        edits: [{ find: before, replace: after }],
      })),
    });
    assert.equal(readProposal(answer).kind, 'edits');
    for (let end = 0; end < answer.length; end++)
      assert.notEqual(readProposal(answer.slice(0, end)).kind, 'edits', answer.slice(0, end));
  });
});
