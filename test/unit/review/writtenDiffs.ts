/** Real edits from the history of this repository, and diffs of them with the faults that models make. */
import { spawnSync } from 'node:child_process';
import { type StructuredPatchHunk, structuredPatch } from 'diff';
import fc from 'fast-check';

export interface RealEdit {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

const MAX_EDITS = 300;
const MAX_CHARACTERS = 60_000;

/** Changed text files, newest first; none without a history. */
export function readRealEdits(): readonly RealEdit[] {
  const log = runGit(
    ['log', '--no-merges', '--diff-filter=M', '--raw', '--no-abbrev', '--format=', '-n400'],
    '',
  );
  const changes = [...log.matchAll(/^:\d+ \d+ (\w{40}) (\w{40}) M\t(\S+\.(?:ts|md|json|css|mjs))$/gm)]
    .filter(([, , , path]) => path !== 'package-lock.json')
    .slice(0, MAX_EDITS);
  const texts = readBlobs(changes.flatMap(([, before = '', after = '']) => [before, after]));
  return changes.flatMap(([, old = '', fresh = '', path = '']) => {
    const [before, after] = [texts.get(old), texts.get(fresh)];
    const isUsable = before !== undefined && after !== undefined && before.length < MAX_CHARACTERS;
    return isUsable ? [{ path, before, after }] : [];
  });
}

const runGit = (args: readonly string[], input: string): string => {
  const { status, stdout } = spawnSync('git', args, { encoding: 'latin1', input, maxBuffer: 2 ** 28 });
  return status === 0 ? stdout : '';
};

function readBlobs(names: readonly string[]): ReadonlyMap<string, string> {
  const blobs = new Map<string, string>();
  const output = runGit(['cat-file', '--batch'], names.map((name) => `${name}\n`).join(''));
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf('\n', at);
    const [name = '', , size] = output.slice(at, end).split(' ');
    blobs.set(name, Buffer.from(output.slice(end + 1, end + 1 + Number(size)), 'latin1').toString('utf8'));
    at = end + 1 + Number(size) + 1;
  }
  return blobs;
}

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
