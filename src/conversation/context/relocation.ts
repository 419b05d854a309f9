/** Finds selected lines again in a text that has changed. */
import type { ContextPart } from './context.ts';

/** A text as lines, without line breaks. A document already has its lines, so its text doesn't have to be joined and split. */
export interface TextLines {
  readonly count: number;
  readonly at: (line: number) => string;
}

export function toTextLines(text: string): TextLines {
  const lines = text.split('\n');
  return { count: lines.length, at: (line) => lines[line] ?? '' };
}

/** The number of characters that are compared between two pauses, which takes about a millisecond. */
export const PAUSE_CHARACTERS = 65_536;

/**
 * Finds a part in the current text, and returns it with its current lines. If the text occurs more than once, the occurrence
 * nearest to the old position is used. Undefined if the text isn't found. The time is proportional to the length of both texts,
 * even if they are repetitive. Yields for pauses: the caller decides when to continue.
 */
export function* relocatePart(
  lines: TextLines,
  part: ContextPart,
): Generator<undefined, ContextPart | undefined> {
  const { text, range } = part;
  if (range === undefined || text === '') return undefined;
  const starts = text.includes('\n') ? findRuns(lines, toWholeLines(part)) : findInLines(lines, text);
  let nearest: number | undefined;
  for (const start of starts) {
    if (start === undefined) {
      yield;
      continue;
    }
    if (nearest === undefined || Math.abs(start - range.startLine) < Math.abs(nearest - range.startLine))
      nearest = start;
    // All others are further away.
    if (start >= range.startLine) break;
  }
  if (nearest === undefined) return undefined;
  return { ...part, range: { startLine: nearest, endLine: nearest + range.endLine - range.startLine } };
}

/**
 * The lines of a part. A text that was cut ends with the line break of its last line. In other texts, an empty line follows the
 * last line break.
 */
function toWholeLines({ text, linesInAll }: ContextPart): readonly string[] {
  const lines = text.split('\n');
  return linesInAll !== undefined && lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Yields the first line of each occurrence of complete lines, in order, and undefined for a pause. */
function* findRuns(lines: TextLines, wanted: readonly string[]): Generator<number | undefined> {
  const matcher = yield* createMatcher(wanted.length, (line) => wanted[line]);
  let work = 0;
  for (let line = 0; line < lines.count; line++) {
    const text = lines.at(line);
    const { comparisons } = matcher;
    if (matcher.take(text)) yield line - wanted.length + 1;
    work += (matcher.comparisons - comparisons) * (text.length + 1);
    if (work < PAUSE_CHARACTERS) continue;
    work = 0;
    yield undefined;
  }
}

/** Yields each line that contains a text, in order, and undefined for a pause. */
function* findInLines(lines: TextLines, wanted: string): Generator<number | undefined> {
  const matcher = yield* createMatcher(wanted.length, (at) => wanted.charCodeAt(at));
  let pauseAt = matcher.comparisons + PAUSE_CHARACTERS;
  for (let line = 0; line < lines.count; line++) {
    const text = lines.at(line);
    let found = false;
    for (let at = 0; at < text.length && !found; at++) {
      found = matcher.take(text.charCodeAt(at));
      if (matcher.comparisons < pauseAt) continue;
      pauseAt = matcher.comparisons + PAUSE_CHARACTERS;
      yield undefined;
    }
    if (found) yield line;
    matcher.take(LINE_BREAK);
  }
}

const LINE_BREAK = 10;

interface Matcher<T> {
  /** Takes the next symbol, and returns whether the pattern ends with it. */
  readonly take: (symbol: T) => boolean;
  /** All comparisons so far. */
  readonly comparisons: number;
}

/** The Knuth-Morris-Pratt search, which reads each symbol once. */
function* createMatcher<T>(
  length: number,
  symbolAt: (index: number) => T | undefined,
): Generator<undefined, Matcher<T>> {
  /** For each length of the pattern's start: the length of the longest shorter start that it ends with. */
  const borders = new Int32Array(length + 1);
  let comparisons = 0;
  const longest = (matched: number, symbol: T | undefined) => {
    for (let size = matched; ; size = borders[size] ?? 0) {
      comparisons++;
      if (symbolAt(size) === symbol) return size + 1;
      if (size === 0) return 0;
    }
  };
  for (let size = 1; size < length; size++) {
    borders[size + 1] = longest(borders[size] ?? 0, symbolAt(size));
    if (size % PAUSE_CHARACTERS === 0) yield;
  }
  let matched = 0;
  return {
    take(symbol) {
      matched = longest(matched === length ? (borders[matched] ?? 0) : matched, symbol);
      return matched === length;
    },
    get comparisons() {
      return comparisons;
    },
  };
}
