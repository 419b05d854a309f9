/**
 * The hunks of a large file with 20,000 lines and 200 hunks. Measures finding them, tracking them on a keystroke, and
 * accepting one, compared with the library's own diff of the same texts as the lower bound.
 */
import { performance } from 'node:perf_hooks';
import { diffArrays } from 'diff';
import { toTextEdit } from '../../src/review/hunks/anchors.ts';
import { toHunks, toLines } from '../../src/review/hunks/hunks.ts';
import { type FileProposal, toFileProposal } from '../../src/review/proposals/proposal.ts';
import { withChanges } from '../../src/review/proposals/proposalTextChanges.ts';

const LINES = 20_000;
const HUNKS = 200;
const RUNS = 9;

const before = Array.from({ length: LINES }, (_, i) => `  const value${i} = compute(${i % 97}, 'text');\n`);
const after = before.map((line, i) =>
  i % (LINES / HUNKS) === 50 ? `${line.replace('const', 'let')}  check(${i});\n` : line,
);
const texts = { before: before.join(''), after: after.join('') };

function median(run: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0;
}

const propose = (): FileProposal =>
  toFileProposal({ uri: 'file:///a', label: 'a', isNew: false, ...texts, asked: undefined, unplaced: [] });

function type(file: FileProposal, offset: number, removed: number, inserted: string): FileProposal {
  const text = file.text.slice(0, offset) + inserted + file.text.slice(offset + removed);
  return withChanges(file, [{ offset, removed, inserted }], text);
}

const floor = median(() => diffArrays(toLines(texts.before), toLines(texts.after)));
const find = median(() => toHunks(texts.before, texts.after));
const file = propose();
const key = median(() => type(file, 1000, 0, 'x'));
const accept = median(() => {
  const edit = file.hunks[100] && toTextEdit(file.hunks[100]);
  return edit && type(file, edit.from, edit.to - edit.from, edit.text);
});

console.log(
  `${LINES} lines, ${texts.before.length} characters, ${file.hunks.length} hunks; medians of ${RUNS}`,
);
console.log(`the library's diff of the lines   ${floor.toFixed(1)} ms`);
console.log(
  `finding the hunks                 ${find.toFixed(1)} ms, ${(find / floor).toFixed(2)} times that`,
);
console.log(`following one keystroke           ${key.toFixed(1)} ms`);
console.log(`following the taking of one hunk  ${accept.toFixed(1)} ms`);
