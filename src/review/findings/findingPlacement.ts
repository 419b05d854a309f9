/** Finds the lines of a finding in its file by its quotation. */
import { splitLines } from '../../text/lineEnds.ts';
import type { LineRange } from '../../text/lineRange.ts';
import type { Finding } from './findings.ts';

/**
 * `no-file`: the file was not under review or can't be read. `no-quotation`: the quotation is empty. `not-found`: the
 * file doesn't contain the quotation. `ambiguous`: the file contains it several times, and not at the reported lines.
 */
export type UnplacedFindingReason = 'no-file' | 'no-quotation' | 'not-found' | 'ambiguous';

export type Placement =
  | ({ readonly placed: true } & LineRange)
  | { readonly placed: false; readonly reason: UnplacedFindingReason };

/**
 * The lines of a finding in a text: the reported lines if they contain the quotation, otherwise the only lines that
 * match it.
 */
export function placeFinding(
  { evidence, startLine, endLine }: Pick<Finding, 'evidence' | 'startLine' | 'endLine'>,
  text: string,
): Placement {
  const quoted = toQuotedLines(evidence);
  if (quoted.length === 0) return { placed: false, reason: 'no-quotation' };
  const lines = splitLines(text);
  const places = findQuotation(quoted, lines).map((at) => ({
    startLine: at,
    endLine: at + quoted.length - 1,
  }));
  const reported = { startLine: startLine - 1, endLine: endLine - 1 };
  const exists =
    reported.startLine >= 0 && reported.startLine <= reported.endLine && reported.endLine < lines.length;
  if (exists && places.some((place) => contains(reported, place))) return { placed: true, ...reported };
  const touching = exists ? places.filter((place) => touches(reported, place)) : [];
  const [place, ...more] = touching.length === 1 ? touching : places;
  if (place === undefined) return { placed: false, reason: 'not-found' };
  return more.length === 0 ? { placed: true, ...place } : { placed: false, reason: 'ambiguous' };
}

/** Whether a quotation is in a text several times. */
export const isRepeated = (evidence: string, text: string): boolean =>
  findQuotation(toQuotedLines(evidence), splitLines(text)).length > 1;

/** The lines of a quotation without white space at both ends, because models quote without indentation. */
function toQuotedLines(evidence: string): readonly string[] {
  const trimmed = evidence.trim();
  return trimmed === '' ? [] : splitLines(trimmed).map((line) => line.trim());
}

/** The lines at which a quotation starts. It can start and end within a line. */
function findQuotation(quoted: readonly string[], lines: readonly string[]): readonly number[] {
  const last = quoted.length - 1;
  return lines.flatMap((_, at) => {
    const found = quoted.every((part, offset) => {
      const line = lines[at + offset]?.trim();
      if (line === undefined) return false;
      if (last === 0) return line.includes(part);
      if (offset === 0) return line.endsWith(part);
      return offset === last ? line.startsWith(part) : line === part;
    });
    return found ? [at] : [];
  });
}

const contains = (outer: LineRange, inner: LineRange) =>
  outer.startLine <= inner.startLine && inner.endLine <= outer.endLine;

/** Whether two ranges have a line in common. */
export const touches = (one: LineRange, other: LineRange): boolean =>
  one.startLine <= other.endLine && other.startLine <= one.endLine;

/** A replacement in a text, as reported by editors. Lines and characters count from 0. */
export interface LineChange {
  readonly startLine: number;
  readonly startCharacter: number;
  readonly endLine: number;
  readonly endCharacter: number;
  readonly text: string;
}

/** The lines after a change: changes above move them, changes within make them longer or shorter. */
export function shiftLines(range: LineRange, change: LineChange): LineRange {
  const inserted = splitLines(change.text).length - 1;
  const added = inserted - (change.endLine - change.startLine);
  const { startLine, endLine } = range;
  if (change.startLine > endLine) return range;
  // A change that ends before the first character doesn't affect the lines, unless text is inserted on the same line.
  const before = change.endLine === startLine && change.endCharacter === 0;
  const above = change.endLine < startLine || (before && (change.startLine < startLine || added !== 0));
  if (above) return { startLine: startLine + added, endLine: endLine + added };
  const start = Math.min(startLine, change.startLine);
  // Lines that are deleted below the range don't shorten it, nor does joining the next line to its last line.
  const endsLine = change.text === '' ? change.startCharacter === 0 : /[\r\n]$/.test(change.text);
  const last = change.startLine + inserted - (change.endCharacter === 0 && endsLine ? 1 : 0);
  return { startLine: start, endLine: Math.max(start, change.endLine > endLine ? last : endLine + added) };
}

/**
 * Whether a change joins lines with others, or deletes or replaces all of them. Afterwards, text that wasn't in these lines may be
 * at their place.
 */
export function joinsOthers({ startLine, endLine }: LineRange, change: LineChange): boolean {
  const reachesUp = change.startLine < startLine;
  if (change.startLine > endLine || (reachesUp && change.endLine < startLine)) return false;
  if (reachesUp && change.endLine === startLine && change.endCharacter === 0)
    return change.startCharacter > 0 && !/[\r\n]/.test(change.text);
  // If the change ends with the last line and starts below the first one, the first line is still there.
  const isOfLast =
    change.endLine === endLine + 1 && change.endCharacter === 0 && change.startLine > startLine;
  return reachesUp || (change.endLine > endLine && !isOfLast);
}
