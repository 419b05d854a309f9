/** Reads which lines of files a question shows, and finds these lines in the current text. */
import type { LineRange } from '../../text/lineRange.ts';
import { withoutLastLineEnd } from '../edits/linePlaces.ts';
import { sectionsOf } from '../questions/reviewQuestion.ts';
import { findAskedLines } from './askedLines.ts';

/** Consecutive lines of a file, without a line end after the last one. */
export interface ShownLines {
  /** The first line when the question was sent, counted from 0. */
  readonly startLine: number;
  readonly lines: readonly string[];
}

/** The numbered lines of a question about code or changes, by the path of their file. A file shown only as a diff has none. */
export function shownLinesOf(question: string): ReadonlyMap<string, readonly ShownLines[]> {
  const shown = new Map<string, readonly ShownLines[]>();
  for (const { path, text } of sectionsOf(question)) {
    const numbered = blocksOf(text.split('\n')).flatMap(toNumbered);
    shown.set(path, [...(shown.get(path) ?? []), ...toRuns(numbered)]);
  }
  return shown;
}

/** The lines of each code block. */
function blocksOf(lines: readonly string[]): readonly (readonly string[])[] {
  const blocks: string[][] = [];
  let fence: string | undefined;
  for (const line of lines) {
    if (fence === undefined) {
      fence = FENCE.exec(line)?.[1];
      if (fence !== undefined) blocks.push([]);
    } else if (line === fence) fence = undefined;
    else blocks.at(-1)?.push(line);
  }
  return blocks;
}

const FENCE = /^(`{3,})[^`]*$/;
const NUMBERED = /^ *(\d+) \| ?(.*)$/s;
/** The line in place of lines that are left out. */
const GAP = '…';

interface NumberedLine {
  readonly at: number;
  readonly line: string;
}

/** The numbered lines of a block; none if the block is a diff. */
function toNumbered(block: readonly string[]): readonly NumberedLine[] {
  const lines = block.filter((line) => line !== GAP).map((line) => NUMBERED.exec(line));
  return lines.some((match) => match === null)
    ? []
    : lines.map((match) => ({ at: Number(match?.[1]) - 1, line: match?.[2] ?? '' }));
}

function toRuns(numbered: readonly NumberedLine[]): readonly ShownLines[] {
  const runs: { startLine: number; lines: string[] }[] = [];
  for (const { at, line } of numbered) {
    const last = runs.at(-1);
    if (last !== undefined && at === last.startLine + last.lines.length) last.lines.push(line);
    else runs.push({ startLine: at, lines: [line] });
  }
  return runs;
}

/**
 * The ranges of a text that a question showed: the lines that are still there, with changes between them. If a file was shown to its
 * end, lines added below the end count as shown.
 *
 * @param within limits the result to these lines, as they were sent: the lines that the question is about. They move with lines that
 * were added above or between them.
 */
export function rangesStillShown(
  shown: readonly ShownLines[],
  text: string,
  within: LineRange = { startLine: 0, endLine: Number.POSITIVE_INFINITY },
): readonly LineRange[] {
  return shown.flatMap(({ startLine: at, lines }): readonly LineRange[] => {
    const span = findAskedLines(text, `${lines.join('\n')}\n`, at);
    if (span === undefined) return [];
    const first = countLineEnds(text.slice(0, span.from));
    const last = first + countLineEnds(withoutLastLineEnd(text.slice(span.from, span.to)));
    const isEnd = text.slice(span.to).trim() === '';
    const lastSent = at + lines.length - 1;
    const startLine = first + Math.max(0, within.startLine - at);
    const isToEnd = isEnd && within.endLine === Number.POSITIVE_INFINITY;
    const endLine = isToEnd ? within.endLine : last - Math.max(0, lastSent - within.endLine);
    return startLine > endLine ? [] : [{ startLine, endLine }];
  });
}

const countLineEnds = (text: string): number => text.split('\n').length - 1;
