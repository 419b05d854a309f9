/** Finds text in a file: complete lines, or words strictly inside one line. */

/** A range of a text, in UTF-16 code units. `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Whether two ranges have a character in common. */
export const overlap = (a: Span, b: Span): boolean => a.from < b.to && b.from < a.to;

/** Whether two ranges overlap or start at the same position. For two insertions at the same position, the order would be a guess. */
export const meet = (a: Span, b: Span): boolean => overlap(a, b) || a.from === b.from;

/**
 * The ranges of complete lines in a text, without the line end of the last line. Text and lines must have the same kind of line end.
 * A line end at the end of `lines` is ignored, so that the last line of a file is found, too.
 */
export function findLines(text: string, lines: string): readonly Span[] {
  const body = withoutLastLineEnd(lines);
  return findAll(text, body).filter(
    ({ from, to }) => startsLine(text, from) && endsLine(text, to) && !isAfterLastLine(text, body, to),
  );
}

/** The same. If there are none, the ranges of the lines without trailing white space, which editors trim when they save a file. */
export function findSavedLines(text: string, lines: string): readonly Span[] {
  const found = findLines(text, lines);
  const trimmed = toTrimmed(lines);
  return found.length > 0 || trimmed === lines || trimmed.trim() === '' ? found : findLines(text, trimmed);
}

/** A text without trailing white space in its lines. A `\r` that belongs to a line end stays. */
export const toTrimmed = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd() + (line.endsWith('\r') ? '\r' : ''))
    .join('\n');

/**
 * The ranges of lines that were sent without the white space before the first and after the last of them. This white space is not
 * part of the ranges.
 */
export function findTrimmedLines(text: string, lines: string): readonly Span[] {
  const body = withoutLastLineEnd(lines);
  // If the lines have white space there, it isn't missing but differs from that of the file.
  if (/^\s|\s$/.test(body) || body === '') return [];
  return findAll(text, body).filter(
    ({ from, to }) => indentBefore(text, from) !== undefined && endsLine(text, skip(text, to, INDENT)),
  );
}

/**
 * The ranges of words inside a line, with other text on both sides. Words at the start or end of a line are not found, because they
 * were probably meant as a complete line. Words that are part of longer ones are not found either, such as `count = 1` in `(discount
 * = 10)`.
 */
export const findInsideLines = (text: string, words: string): readonly Span[] =>
  findWords(text, words).filter(
    ({ from, to }) =>
      !startsLine(text, skipBack(text, from, SPACE)) && !endsLine(text, skip(text, to, SPACE)),
  );

/** The same, also at the start and the end of a line. */
export function findWords(text: string, words: string): readonly Span[] {
  if (words.trim() === '' || words.trim() !== words || words.includes('\n')) return [];
  return findAll(text, words).filter(
    ({ from, to }) =>
      !continuesAt(text.slice(Math.max(0, from - 2), from), words) &&
      !continuesAt(words, text.slice(to, to + 1)),
  );
}

/** The white space between the start of a line and a position in it; undefined if there is other text. */
export function indentBefore(text: string, at: number): string | undefined {
  const from = skipBack(text, at, INDENT);
  return startsLine(text, from) ? text.slice(from, at) : undefined;
}

/** White space inside a line. */
const INDENT = /[ \t]/;
const SPACE = /[^\S\n]/;

/** The end of the white space behind a position. Reads only this white space, because a line can be as long as its file. */
function skip(text: string, at: number, space: RegExp): number {
  let end = at;
  while (space.test(text[end] ?? '')) end++;
  return end;
}

/** The start of the white space before a position. */
function skipBack(text: string, at: number, space: RegExp): number {
  let from = at;
  while (space.test(text[from - 1] ?? '')) from--;
  return from;
}

/** A text without its last line end, if it has one. */
export const withoutLastLineEnd = (text: string): string => text.replace(/\r?\n$/, '');

export const contains = (text: string, part: string): boolean => findAll(text, part).length > 0;

/**
 * Longer texts are searched for with `findLong`. The time of the built-in search is the product of both lengths if the texts repeat
 * themselves, such as blank lines.
 */
const LONG = 250;

function findAll(text: string, part: string): readonly Span[] {
  if (part.length > LONG) return findLong(text, part);
  const places: Span[] = [];
  for (let at = text.indexOf(part); at !== -1 && at <= text.length; at = text.indexOf(part, at + 1)) {
    places.push({ from: at, to: at + part.length });
    // Otherwise, the empty text would be found at the end without end.
    if (at === text.length) break;
  }
  return places;
}

/** Knuth–Morris–Pratt: reads each character once. The built-in search skips text that can't be the start of the part. */
function findLong(text: string, part: string): readonly Span[] {
  const places: Span[] = [];
  /** For each length of a prefix of the part, the length of its longest border. */
  const repeated = new Int32Array(part.length + 1);
  const next = (found: number, code: number): number => {
    let length = found;
    while (length > 0 && part.charCodeAt(length) !== code) length = repeated[length] ?? 0;
    return part.charCodeAt(length) === code ? length + 1 : 0;
  };
  for (let at = 1; at < part.length; at++) repeated[at + 1] = next(repeated[at] ?? 0, part.charCodeAt(at));
  const start = part.slice(0, LONG);
  let found = 0;
  for (let at = text.indexOf(start); at !== -1 && at < text.length; ) {
    found = next(found, text.charCodeAt(at));
    at++;
    if (found === part.length) places.push({ from: at - found, to: at });
    if (found === 0) at = text.indexOf(start, at);
  }
  return places;
}

const startsLine = (text: string, at: number): boolean => at === 0 || text[at - 1] === '\n';

const endsLine = (text: string, at: number): boolean =>
  at === text.length || text[at] === '\n' || text.startsWith('\r\n', at);

/** Whether a match is behind the last line. The line end at the end of a file doesn't begin another, empty line. */
const isAfterLastLine = (text: string, body: string, to: number): boolean =>
  to === text.length && (body === '' || body.endsWith('\n'));

const OPERATOR = /[-+*/%=<>!&|^~?:]/;

/** Whether a word or an operator is cut between two texts, or the second text belongs to a longer name. */
function continuesAt(left: string, right: string): boolean {
  const before = left.at(-1) ?? '';
  const after = right[0] ?? '';
  const isWord = (character: string) =>
    /[\p{L}\p{N}\p{M}_$@#\u{200d}]/u.test(character) || character > '\ud7ff';
  if (isWord(before) && isWord(after)) return true;
  if (OPERATOR.test(before) && OPERATOR.test(after)) return true;
  return isWord(after) && /(\.|::|->)$/.test(left);
}
