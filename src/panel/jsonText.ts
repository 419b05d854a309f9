/**
 * JSON text as a tree of its values, each with the place where it stands. `JSON.parse` knows no places, loses digits of
 * long numbers and the order of keys that are numbers; host and page read the same text here.
 */

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

export interface JsonNode {
  readonly kind: JsonKind;
  /** Name or index in its parent; undefined at the top. */
  readonly key: string | number | undefined;
  /** Offsets into the text, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  readonly children: readonly JsonNode[];
}

/** Where a text stops being JSON. Line and column count from 1. */
export interface JsonProblem {
  readonly kind: 'unexpected' | 'ends-early' | 'after-the-end' | 'too-deep';
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

export type JsonText =
  | { readonly ok: true; readonly root: JsonNode }
  | { readonly ok: false; readonly problem: JsonProblem };

/** Values in values; deeper ones are for programs, and would exhaust the stack here. */
const MOST_LEVELS = 500;

export function readJsonText(text: string): JsonText {
  const cursor: Cursor = { text, at: 0 };
  try {
    skipSpace(cursor);
    const root = readValue(cursor, undefined, 0);
    skipSpace(cursor);
    if (cursor.at < text.length) fail('after-the-end', cursor.at);
    return { ok: true, root };
  } catch (error) {
    if (error instanceof Stop) return { ok: false, problem: placeOf(text, error) };
    throw error;
  }
}

interface Cursor {
  readonly text: string;
  at: number;
}

class Stop extends Error {
  readonly kind: JsonProblem['kind'];
  readonly offset: number;
  constructor(kind: JsonProblem['kind'], offset: number) {
    super(kind);
    this.kind = kind;
    this.offset = offset;
  }
}

function fail(kind: JsonProblem['kind'], offset: number): never {
  throw new Stop(kind, offset);
}

/** What stands here is wrong, or nothing stands here any more. */
const failAt = ({ text, at }: Cursor): never => fail(at >= text.length ? 'ends-early' : 'unexpected', at);

function placeOf(text: string, { kind, offset }: Stop): JsonProblem {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { kind, offset, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

const SPACE = /[ \t\r\n]*/y;
/** What ends a stretch of plain characters in a string. One stretch after the other: no pattern runs over megabytes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON admits none of them in a string.
const SPECIAL = /["\\\u0000-\u001f]/g;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/** How far a pattern goes from here; -1 when it does not begin. */
function match(pattern: RegExp, { text, at }: Cursor): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function skipSpace(cursor: Cursor): void {
  cursor.at = match(SPACE, cursor);
}

function readValue(cursor: Cursor, key: JsonNode['key'], depth: number): JsonNode {
  if (depth > MOST_LEVELS) fail('too-deep', cursor.at);
  const sign = cursor.text[cursor.at];
  if (sign === '{' || sign === '[') return readContainer(cursor, key, depth, sign);
  const from = cursor.at;
  if (sign === '"') {
    readString(cursor);
    return leaf('string', key, from, cursor.at);
  }
  const number = match(NUMBER, cursor);
  const to = number === -1 ? match(WORD, cursor) : number;
  if (to === -1) failAt(cursor);
  cursor.at = to;
  return leaf(number === -1 ? (sign === 'n' ? 'null' : 'boolean') : 'number', key, from, to);
}

const leaf = (kind: JsonKind, key: JsonNode['key'], from: number, to: number): JsonNode => ({
  kind,
  key,
  from,
  to,
  children: [],
});

/** The source of a string with its quotes. */
function readString(cursor: Cursor): string {
  const { text } = cursor;
  const from = cursor.at;
  if (text[from] !== '"') failAt(cursor);
  cursor.at++;
  for (;;) {
    SPECIAL.lastIndex = cursor.at;
    cursor.at = SPECIAL.exec(text)?.index ?? text.length;
    if (text[cursor.at] === '"') break;
    const end = match(ESCAPE, cursor);
    if (end === -1) failAt(cursor);
    cursor.at = end;
  }
  cursor.at++;
  return text.slice(from, cursor.at);
}

function readContainer(cursor: Cursor, key: JsonNode['key'], depth: number, open: '{' | '['): JsonNode {
  const from = cursor.at;
  const close = open === '{' ? '}' : ']';
  const children: JsonNode[] = [];
  cursor.at++;
  skipSpace(cursor);
  while (children.length > 0 || cursor.text[cursor.at] !== close) {
    const name = open === '{' ? readName(cursor) : children.length;
    children.push(readValue(cursor, name, depth + 1));
    skipSpace(cursor);
    if (cursor.text[cursor.at] === close) break;
    if (cursor.text[cursor.at] !== ',') failAt(cursor);
    cursor.at++;
    skipSpace(cursor);
  }
  cursor.at++;
  return { kind: open === '{' ? 'object' : 'array', key, from, to: cursor.at, children };
}

function readName(cursor: Cursor): string {
  const name: unknown = JSON.parse(readString(cursor));
  skipSpace(cursor);
  if (cursor.text[cursor.at] !== ':') failAt(cursor);
  cursor.at++;
  skipSpace(cursor);
  return String(name);
}
