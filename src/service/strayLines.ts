/**
 * Reads the lines of an event stream that aren't fields. Servers and gateways that fail in the middle of a stream write their
 * error like any other body, often over several lines, or print JSON over several lines of which only the first one begins with
 * `data:`. After a comment as a sign of life, some send a body that isn't an event stream.
 */
import { decodeAnyError } from './frameworkError.ts';
import { asArray, asObject, parseJson } from './json.ts';

/** The data of an event. */
export interface StrayData {
  readonly data: string;
  readonly isError: boolean;
}

export interface StrayLines {
  /** Adds a line, and returns the error or chunk that it completes. Lines that are fields or comments are ignored. */
  add(line: string): StrayData | undefined;
  /** Forgets the lines since the last event. */
  clear(): void;
  /** The data of an event, joined with the lines that came after it if only both together are JSON. Forgets these lines. */
  complete(data: string): string;
}

/** The maximum number of characters that are kept, which is more than an error has. */
const MAX_LENGTH = 64 * 1024;

export const FIELD = /^(?:data|event|id|retry)?(?::|$)/;

/** Data after characters that don't belong there. */
const SHIFTED_DATA = /^[\s\0\ufeff]+data:/;

const BEGINNING = /^(?:error:)?\s*[[{]/;

export function createStrayLines(): StrayLines {
  /** The lines since the last event. */
  let text = '';
  /** The offset in `text` at which incomplete JSON begins, and the number of its open brackets. */
  let from = 0;
  let open = 0;
  let last = '';
  const clear = () => {
    text = '';
    open = 0;
  };
  return {
    add(line) {
      if (FIELD.test(line)) return undefined;
      const alone = toData(line);
      if (alone?.isError || text.length + line.length > MAX_LENGTH) clear();
      if (alone?.isError || line.length > MAX_LENGTH) return alone;
      if (alone !== undefined) {
        // The line may also be the rest of the data of the current event.
        text += `${line}\n`;
        open = 0;
        return alone;
      }
      // Within other lines, an indented object is part of the text that they print.
      const begins =
        open > 0 ? beginsAnew(line, last) : BEGINNING.test(line) && (text === '' || !/^\s/.test(line));
      if (begins) {
        from = text.length;
        open = 0;
      }
      last = line;
      text += `${line}\n`;
      if (!begins && open === 0) return undefined;
      open = Math.max(0, open + openBracketsOf(line));
      if (open > 0) return undefined;
      const data = toData(text.slice(from));
      if (data?.isError) clear();
      return data;
    },
    clear,
    complete(data) {
      // Almost every event has no such lines.
      if (text === '') return data;
      const whole = `${data}\n${text}`;
      clear();
      return parseJson(data) === undefined && parseJson(whole) !== undefined ? whole : data;
    },
  };
}

/**
 * Whether a line begins new JSON although the JSON before it isn't complete, because its rest never came. Objects in a list can
 * also begin without indentation.
 *
 * @param last the line before it
 */
export const beginsAnew = (line: string, last: string): boolean =>
  /^(?:error:\s*)?[[{]/.test(line) && !/^(?:.?\[|[}\]],)$/.test(last.trimEnd().slice(-2));

/** The number of JSON brackets that a line opens, minus the number that it closes. Strings don't contain line ends. */
export function openBracketsOf(line: string): number {
  // No pattern repeats a group, because in a long line that would exceed the stack.
  const outside = line.replace(/\\./g, '').replace(/"[^"]*"?/g, '');
  let count = 0;
  for (const bracket of outside.replace(/[^[\]{}]/g, '')) count += '[{'.includes(bracket) ? 1 : -1;
  return count;
}

/** The data in a text: an error as a JSON object, in a list or not, or after `error:`; a chunk; or `[DONE]`. */
function toData(text: string): StrayData | undefined {
  const data = text.startsWith('error:')
    ? `{"error":${text.slice('error:'.length)}}`
    : text.replace(SHIFTED_DATA, '');
  if (data.trim() === '[DONE]') return { data, isError: false };
  if (!/^\s*[[{]/.test(data)) return undefined;
  const json = parseJson(data);
  const isError = decodeAnyError(json) !== undefined;
  return isError || isChunk(json) ? { data, isError } : undefined;
}

/** Usage isn't enough: one line of a chunk that is printed over several lines can have it, too. */
const isChunk = (json: unknown): boolean => asArray(asObject(json)?.['choices']) !== undefined;
