/** Ranges of lines, and how they are named. */

/** Lines are counted from 0. `endLine` is included. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

/** The maximum number of ranges that are named. */
const MOST = 3;

/** Lines of a file, as in `src/a.ts:2-4, 8`. */
export function toRangeLabel(label: string, ranges: readonly LineRange[]): string {
  const named = ranges
    .slice(0, MOST)
    .map(({ startLine, endLine }) =>
      startLine === endLine ? `${startLine + 1}` : `${startLine + 1}-${endLine + 1}`,
    );
  return `${label}:${[...named, ...(ranges.length > MOST ? ['…'] : [])].join(', ')}`;
}
