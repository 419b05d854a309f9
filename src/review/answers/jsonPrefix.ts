/** Distinguishes incomplete JSON from text that isn't JSON, and finds the JSON in a text. */

/**
 * `whole`: the text starts with a complete value, which ends before `end`. `open`: the text is the start of a value. `broken`:
 * neither.
 */
export type JsonPrefix =
  | { readonly state: 'whole'; readonly end: number }
  | { readonly state: 'open' }
  | { readonly state: 'broken' };

const OPEN: JsonPrefix = { state: 'open' };
const BROKEN: JsonPrefix = { state: 'broken' };

/** The token that can come next. `item` and `entry` are the first one of a list and of an object, which can also end there. */
type Next = 'value' | 'item' | 'key' | 'entry' | 'colon' | 'comma';

const SPACE = /[ \t\r\n]*/y;
// The loop is unrolled so that the regular expression engine doesn't recurse for a string of a megabyte.
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON admits none of them in a string.
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*/y;
const ESCAPE_START = /^\\(?:u[\da-fA-F]{0,3})?$/;
const WORD = /[\w.+-]*/y;
const LITERAL = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
const LITERAL_START =
  /^(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|-|-?(?:0|[1-9]\d*)(?:\.\d*)?|-?(?:0|[1-9]\d*)(?:\.\d+)?[eE][+-]?\d*)$/;

/** Reads an object or a list at the start of a text. What follows its end is not read. */
export function readJsonPrefix(text: string): JsonPrefix {
  return readFrom(text, 0, []);
}

/** The JSON objects in a text, in order. An object in another one is left out. */
export function* jsonObjectTextsIn(text: string): Generator<string> {
  // Brackets that are still open where one reading ends can't be complete in another reading, so they aren't read again. Otherwise,
  // the time would be quadratic.
  const known = new Set<number>();
  let at = text.indexOf('{');
  while (at !== -1) {
    const open: number[] = [];
    const read = known.has(at) ? BROKEN : readFrom(text, at, open);
    const whole = read.state === 'whole';
    if (whole) yield text.slice(at, read.end);
    for (const one of open) known.add(one);
    at = text.indexOf('{', whole ? read.end : at + 1);
  }
}

/**
 * The offset of the incomplete JSON at the end of a text; undefined if there is none. A list counts only at the start of a line,
 * because brackets within sentences are rarely JSON.
 */
export function findOpenJson(text: string): number | undefined {
  // Brackets that are still open where one reading breaks would break at the same place, so they aren't read again. Otherwise, the
  // time would be quadratic.
  const known = new Set<number>();
  BRACKET.lastIndex = 0;
  for (let found = BRACKET.exec(text); found !== null; found = BRACKET.exec(text)) {
    const at = BRACKET.lastIndex - 1;
    const open: number[] = [];
    const read = known.has(at) ? BROKEN : readFrom(text, at, open);
    if (read.state === 'open') return at;
    if (read.state === 'whole') BRACKET.lastIndex = read.end;
    for (const one of open) known.add(one);
  }
  return undefined;
}

const BRACKET = /\{|^[ \t]*\[/gm;

/** Reads an object or a list at an offset of a text. Afterwards, `open` has the offsets of the brackets that aren't closed. */
function readFrom(text: string, start: number, open: number[]): JsonPrefix {
  const opened = () => text[open.at(-1) ?? text.length];
  let next: Next = 'value';
  let at = endOf(SPACE, text, start) ?? start;
  while (at < text.length) {
    const sign = text[at] ?? '';
    if ((sign === '{' || sign === '[') && (next === 'value' || next === 'item')) {
      open.push(at);
      next = sign === '{' ? 'entry' : 'item';
      at++;
    } else if (closes(sign, opened(), next)) {
      open.pop();
      at++;
      if (open.length === 0) return { state: 'whole', end: at };
      next = 'comma';
    } else if (sign === ',' && next === 'comma') {
      next = opened() === '{' ? 'key' : 'value';
      at++;
    } else if (sign === ':' && next === 'colon') {
      next = 'value';
      at++;
    } else {
      const end = open.length === 0 ? undefined : endOfScalar(text, at, next);
      if (end === undefined) return BROKEN;
      if (end === 'open') return OPEN;
      next = afterScalar(next);
      at = end;
    }
    at = endOf(SPACE, text, at) ?? at;
  }
  return OPEN;
}

const afterScalar = (next: Next): Next => (next === 'key' || next === 'entry' ? 'colon' : 'comma');

function closes(sign: string, opened: string | undefined, next: Next): boolean {
  if (sign === '}') return opened === '{' && (next === 'entry' || next === 'comma');
  return sign === ']' && opened === '[' && (next === 'item' || next === 'comma');
}

/** The offset behind a key, a string, a number, or another literal; `open` if the text ends in it; undefined if there is none. */
function endOfScalar(text: string, at: number, next: Next): number | 'open' | undefined {
  if (next === 'colon' || next === 'comma') return undefined;
  if (text[at] === '"') {
    const end = endOf(STRING, text, at) ?? at;
    if (text[end] === '"') return end + 1;
    return end === text.length || ESCAPE_START.test(text.slice(end, end + 7)) ? 'open' : undefined;
  }
  if (next === 'key' || next === 'entry') return undefined;
  const end = endOf(WORD, text, at) ?? at;
  const word = text.slice(at, end);
  if (end < text.length) return LITERAL.test(word) ? end : undefined;
  return LITERAL.test(word) || LITERAL_START.test(word) ? 'open' : undefined;
}

/** The offset behind the match of a sticky pattern at `at`; undefined if it doesn't match there. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
