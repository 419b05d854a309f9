/** Edits from the history of this repository, and diffs of them with the faults that models make. */
import { readFileSync } from 'node:fs';
import { applyPatch, type StructuredPatchHunk, structuredPatch } from 'diff';
import fc from 'fast-check';

export interface RealEdit {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

const stored = new URL('../../../fixtures/edits.json', import.meta.url);

/** Changed text files. They are kept here, so that a clone without a history has them as well. */
export const REAL_EDITS: readonly RealEdit[] = (
  JSON.parse(readFileSync(stored, 'utf8')) as readonly {
    readonly path: string;
    readonly before: string;
    readonly patch: string;
  }[]
).map(({ path, before, patch }) => {
  const after = applyPatch(before, patch);
  if (after === false)
    throw new Error(`test/fixtures/edits.json: the patch of ${path} does not fit its text`);
  return { path, before, after };
});

/** How a diff is written. */
export interface Habits {
  /** Unchanged lines above and below a change. */
  readonly context: number;
  readonly hunkHeader: 'right' | 'wrong' | 'empty' | 'dots' | 'none';
  readonly fileHeader: 'git' | 'plain' | 'dated' | 'none';
  readonly blankBetween: boolean;
  /** Unchanged lines that lose the space before them. */
  readonly lostSpaces: 'none' | 'blank' | 'unindented';
  readonly lineEnd: '\n' | '\r\n';
}

export const habits: fc.Arbitrary<Habits> = fc.record({
  context: fc.constantFrom(1, 3, 5),
  hunkHeader: fc.constantFrom('right', 'wrong', 'empty', 'dots', 'none'),
  fileHeader: fc.constantFrom('git', 'plain', 'dated', 'none'),
  blankBetween: fc.boolean(),
  lostSpaces: fc.constantFrom('none', 'blank', 'unindented'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
});

/** The hunks of an edit, with their true places. */
export const hunksOf = ({ before, after }: RealEdit, context: number): readonly StructuredPatchHunk[] =>
  structuredPatch('', '', before, after, '', '', { context }).hunks;

/** A diff of an edit. Its lines are right; everything else is as the habits say. */
export function writeDiff(edit: RealEdit, how: Habits): string {
  const hunks = hunksOf(edit, how.context);
  // Without headers, several hunks are one text with gaps that nobody can read.
  const hunkHeader = how.hunkHeader === 'none' && hunks.length > 1 ? 'empty' : how.hunkHeader;
  const lines = hunks.flatMap((hunk, index) => [
    ...(hunkHeader === 'none' ? [] : [headerOf(hunk, hunkHeader)]),
    ...hunk.lines.map((line) => writeLine(line, how.lostSpaces)),
    ...(how.blankBetween && index < hunks.length - 1 ? [''] : []),
  ]);
  return [...fileHeaderOf(edit.path, how.fileHeader), ...lines].map((line) => line + how.lineEnd).join('');
}

function fileHeaderOf(path: string, kind: Habits['fileHeader']): readonly string[] {
  switch (kind) {
    case 'git':
      return [
        `diff --git a/${path} b/${path}`,
        'index 1234567..89abcde 100644',
        `--- a/${path}`,
        `+++ b/${path}`,
      ];
    case 'plain':
      return [`--- ${path}`, `+++ ${path}`];
    case 'dated':
      return [
        `--- ${path}\t2023-04-10 12:34:56.000000000 +0800`,
        `+++ ${path}\t2023-04-10 12:35:00.000000000 +0800`,
      ];
    case 'none':
      return [];
  }
}

function headerOf(
  { oldStart, oldLines, newStart, newLines }: StructuredPatchHunk,
  kind: Exclude<Habits['hunkHeader'], 'none'>,
): string {
  switch (kind) {
    case 'right':
      return `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
    case 'wrong':
      return `@@ -${oldStart + 7},${oldLines + 2} +${newStart + 3},${Math.max(0, newLines - 1)} @@ function f() {`;
    case 'empty':
      return '@@';
    case 'dots':
      return '@@ ... @@';
  }
}

function writeLine(line: string, lost: Habits['lostSpaces']): string {
  if (lost === 'blank' && line === ' ') return '';
  return lost === 'unindented' && /^ [^\s+\-@\\]/.test(line) && !line.startsWith(' diff ')
    ? line.slice(1)
    : line;
}
