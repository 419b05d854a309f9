/** Finds lines that were sent in a text that may have changed since. */
import type { LineRange } from '../../text/lineRange.ts';
import { lineEndOf, withLineEnd } from '../edits/editPlacement.ts';
import { findSavedLines, type Span } from '../edits/linePlaces.ts';

/**
 * The range of lines that were sent: at their original line, or else where they occur exactly once.
 *
 * @param isOnlyThere whether to look only at the original line, because equal lines elsewhere are others
 */
export function findSentText(
  text: string,
  sent: string,
  line: number,
  isOnlyThere = false,
): Span | undefined {
  const end = lineEndOf(text);
  const lines = withLineEnd(sent, end);
  // The sent text was the empty line below the last line end.
  if (lines === '')
    return text === '' || text.endsWith('\n') ? { from: text.length, to: text.length } : undefined;
  const found = findSavedLines(text, lines);
  const there = offsetOfLine(text, line);
  const place =
    found.find(({ from }) => from === there) ?? (found.length === 1 && !isOnlyThere ? found[0] : undefined);
  if (place === undefined) return undefined;
  const withEnd = lines.endsWith('\n') && text.startsWith(end, place.to);
  return withEnd ? { from: place.from, to: place.to + end.length } : place;
}

/** The range of lines in a text, in UTF-16 code units, with the last line end. */
export const spanOf = (text: string, { startLine, endLine }: LineRange): Span => ({
  from: offsetOfLine(text, startLine) ?? text.length,
  to: offsetOfLine(text, endLine + 1) ?? text.length,
});

function offsetOfLine(text: string, line: number): number | undefined {
  let at = 0;
  for (let passed = 0; passed < line; passed++) {
    at = text.indexOf('\n', at) + 1;
    if (at === 0) return undefined;
  }
  return at;
}
