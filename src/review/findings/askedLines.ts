/** Finds the lines that a question was about in a text that may have changed since. */

import type { LineRange } from '../../text/lineRange.ts';
import { lineEndOf, type Span, withLineEnd } from '../edits/editPlacement.ts';
import { findLines } from '../edits/linePlaces.ts';
import { diffLines, toLines } from '../hunks/hunks.ts';
import { shiftLines } from './findingPlacement.ts';
import { changesBetween, joiningOthers } from './followedLines.ts';
import { findSentText, spanOf } from './sentText.ts';

/**
 * The range of the lines in the current text: unchanged, or between those that are still the same. A line that was replaced at the
 * start or end of the sent lines counts as the line in its place.
 *
 * @param line the first line when they were sent, counted from 0
 * @returns undefined if less than half of the lines are left, or if they are no longer close together
 */
export function findAskedLines(text: string, sent: string, line: number): Span | undefined {
  const same = findSentText(text, sent, line);
  if (same !== undefined) return same;
  const lines = toLines(withLineEnd(sent, lineEndOf(text)));
  const matches = withoutStrays(toMatches(lines, text));
  const first = matches[0];
  const last = matches.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const now = toLines(text);
  const start = Math.max(0, first.now - first.sent);
  const end = Math.min(now.length, last.now + lines.length - last.sent);
  const isClose = end - start <= lines.length * 2 + MAX_MORE_LINES;
  const kept = matches.filter(({ telling }) => telling).length;
  if (!isClose || kept * 2 < lines.filter(isTelling).length) return undefined;
  const from = now.slice(0, start).join('').length;
  return { from, to: from + now.slice(start, end).join('').length };
}

/**
 * The range of lines that occur again in the surrounding lines that were sent with them. Which occurrence is meant follows from the
 * places of the surrounding lines.
 *
 * @returns undefined also if the lines don't occur in the surrounding ones, or were deleted
 */
export function findRepeatedLines(
  text: string,
  sent: string,
  line: number,
  around: readonly (LineRange & { readonly text: string })[],
): Span | undefined {
  const lines = withLineEnd(sent.endsWith('\n') ? sent : `${sent}\n`, '\n');
  const last = line + toLines(lines).length - 1;
  const above = around.find(({ endLine }) => endLine === line - 1);
  const below = around.find(({ startLine }) => startLine === last + 1);
  const whole = (above?.text ?? '') + lines + (below?.text ?? '');
  const begin = above?.startLine ?? line;
  const part = findLines(whole, lines).length > 1 ? findAskedLines(text, whole, begin) : undefined;
  if (part === undefined) return undefined;
  const now = text.slice(part.from, part.to);
  const range = { startLine: line - begin, endLine: last - begin };
  const changes = changesBetween(whole, now);
  if (joiningOthers(range, changes).some((one) => one.text === '')) return undefined;
  const { from, to } = spanOf(now, changes.reduce<LineRange>(shiftLines, range));
  return { from: part.from + from, to: part.from + to };
}

/** The lines in the current text may be twice as many as were sent, and this many more. */
const MAX_MORE_LINES = 10;
/** If more new lines than this are before a line such as `}`, it is taken for another line. */
const MAX_GAP_LINES = 3;

/** An unchanged line, with its index in the sent lines and in the current text. */
interface Match {
  readonly sent: number;
  readonly now: number;
  readonly telling: boolean;
}

/** Whether a line has words. Lines such as `}` occur everywhere. */
const isTelling = (line: string): boolean => /\w/.test(line);

function toMatches(lines: readonly string[], text: string): readonly Match[] {
  const matches: Match[] = [];
  let sent = 0;
  let now = 0;
  for (const { from, to } of diffLines(lines.join(''), text)) {
    const before = toLines(from);
    if (from === to)
      for (const [index, line] of before.entries())
        matches.push({ sent: sent + index, now: now + index, telling: isTelling(line) });
    sent += before.length;
    now += toLines(to).length;
  }
  return matches;
}

/** The matches without those at the start and end that are equal only by chance. */
function withoutStrays(matches: readonly Match[]): readonly Match[] {
  let first = matches.findIndex(({ telling }) => telling);
  let last = matches.findLastIndex(({ telling }) => telling);
  if (first === -1) return [];
  while (isNear(matches[first - 1], matches[first])) first--;
  while (isNear(matches[last], matches[last + 1])) last++;
  return matches.slice(first, last + 1);
}

const isNear = (one: Match | undefined, next: Match | undefined): boolean =>
  one !== undefined && next !== undefined && next.now - one.now - (next.sent - one.sent) <= MAX_GAP_LINES;
