/** Creates excerpts of answers in JSON, such as proposals and findings: their words without the syntax. */
import { parseJson } from '../service/json.ts';

/** Marks the start and end of a match in a snippet; text doesn't normally contain these characters. */
export const MATCH_MARKS = { start: '\u0002', end: '\u0003' } as const;

/**
 * Marks of a match in complete JSON, where the characters of `MATCH_MARKS` would be invalid. They are from the Private Use Area.
 * `startCode` and `endCode` are for the SQL query.
 */
export const JSON_MARKS = { start: '\uE002', end: '\uE003', startCode: 0xe002, endCode: 0xe003 } as const;

/** The number of words before a match. */
const WORDS_BEFORE = 5;
const WORDS = 16;

/**
 * The words around the first match in the values of a JSON text.
 *
 * @param marked the whole text, with `JSON_MARKS`
 * @param snippet an excerpt of the text with `MATCH_MARKS`, used if the JSON was cut off
 * @returns undefined if only names of fields match
 */
export function toJsonSnippet(marked: string, snippet: string): string | undefined {
  const value = parseJson(marked);
  if (value === undefined) return withoutJsonForm(snippet);
  const found = findMarked(value);
  return found === undefined ? undefined : cutAround(found);
}

/** The words of an excerpt of JSON with `MATCH_MARKS`; undefined if only names of fields match. */
export function withoutJsonForm(snippet: string): string | undefined {
  const words = withoutForm(snippet.replace(/\s+/g, ' ')).replace(/\s+/g, ' ').trim();
  return words.includes(MATCH_MARKS.start) ? words : undefined;
}

function findMarked(value: unknown): string | undefined {
  for (const one of stringsOf(value)) if (one.includes(JSON_MARKS.start)) return one;
  return undefined;
}

/** All strings in a JSON value, in order, without the names of fields. */
export function* stringsOf(value: unknown): Generator<string> {
  // An explicit stack, because the nesting of an answer has no limit.
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') yield next;
    if (typeof next === 'object' && next !== null) open.push(...Object.values(next).toReversed());
  }
}

function cutAround(text: string): string {
  const words = text.trim().split(/\s+/);
  const at = words.findIndex((word) => word.includes(JSON_MARKS.start));
  const from = Math.max(0, at - WORDS_BEFORE);
  const to = from + WORDS;
  const cut = words.slice(from, to).join(' ');
  const closed = cut.lastIndexOf(JSON_MARKS.start) > cut.lastIndexOf(JSON_MARKS.end) ? JSON_MARKS.end : '';
  return `${from > 0 ? '…' : ''}${cut}${closed}${to < words.length ? '…' : ''}`
    .replaceAll(JSON_MARKS.start, MATCH_MARKS.start)
    .replaceAll(JSON_MARKS.end, MATCH_MARKS.end);
}

const ESCAPES: Readonly<Record<string, string>> = { n: ' ', t: ' ', r: ' ', '"': '"', '\\': '\\', '/': '/' };

/** The words of an excerpt of JSON that may begin and end anywhere. It must not have runs of blanks. */
function withoutForm(snippet: string): string {
  return snippet
    .replace(/"[^"\\]{0,80}" ?:/g, ' ')
    .replace(/(?<!\\)["{}[\]]|(?<=(?<!\\)["}\]]) ?,/g, ' ')
    .replace(/\\(["\\/ntr])/g, (_, one: string) => ESCAPES[one] ?? ' ');
}
