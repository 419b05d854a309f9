/** Finds the changes that a selection in a diff editor touches. */
import { structuredPatch } from 'diff';

/** Lines of one side of a diff editor, counted from 0. The last one is included. */
export interface SelectedSide {
  readonly side: 'original' | 'modified';
  readonly startLine: number;
  readonly endLine: number;
}

export interface SelectedChanges {
  /** A unified diff without file names. */
  readonly diff: string;
  /** The lines of the modified text that the diff is about, counted from 0. The last one is included. */
  readonly startLine: number;
  readonly endLine: number;
}

/** The time limit of a comparison, in milliseconds. If it takes longer, there are no changes to select. */
const TIMEOUT_MS = 2000;

/** The number of context lines around each change. A selection that touches only these lines selects the change, too. */
const CONTEXT = 3;

/** The changes in or beside the selected lines; undefined if there are none. */
export function selectChanges(
  original: string,
  modified: string,
  { side, startLine, endLine }: SelectedSide,
): SelectedChanges | undefined {
  const options = { context: CONTEXT, timeout: TIMEOUT_MS };
  // A diff editor shows no change where only the line ends differ.
  const plain = (text: string) => text.replaceAll('\r\n', '\n');
  const found = structuredPatch('', '', plain(original), plain(modified), '', '', options);
  const { hunks } = found ?? { hunks: [] };
  const touched = hunks.filter((hunk) => {
    const [start, lines] =
      side === 'original' ? [hunk.oldStart, hunk.oldLines] : [hunk.newStart, hunk.newLines];
    return startLine < start - 1 + lines && start - 1 <= endLine;
  });
  const [first, last] = [touched[0], touched.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const diff = touched.map(({ oldStart, oldLines, newStart, newLines, lines }) => {
    const [from, to] = [toStart(oldStart, oldLines), toStart(newStart, newLines)];
    return `@@ -${from},${oldLines} +${to},${newLines} @@\n${lines.join('\n')}\n`;
  });
  const start = Math.max(0, first.newStart - 1);
  return {
    diff: diff.join(''),
    startLine: start,
    endLine: Math.max(start, last.newStart - 1 + last.newLines - 1),
  };
}

/** In a unified diff, the start of an empty range is the line above it. */
const toStart = (start: number, lines: number) => (lines === 0 ? start - 1 : start);
