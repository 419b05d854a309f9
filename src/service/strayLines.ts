/**
 * Lines of an event stream that are no fields. Servers and gateways that fail in the middle write their error as any other
 * body, often over several lines, or print JSON over several lines of which only the first one begins with `data:`. After a comment
 * as a sign of life, some send a body that is no event stream.
 */
import { decodeChunk } from './decodeChunk.ts';
import { decodeErrorBody } from './errorBody.ts';
import { parseJson } from './json.ts';

/** The data of an event. */
export interface StrayData {
  readonly data: string;
  readonly isError: boolean;
}

export interface StrayLines {
  /** The error or the chunk that is complete with this line. Lines that are fields or comments are ignored. */
  add(line: string): StrayData | undefined;
  /** The data of an event with the lines that came behind it, if only both together are JSON. What follows begins anew. */
  complete(data: string): string;
}

/** More than an error has, in characters. */
const MAX_LENGTH = 64 * 1024;

export const FIELD = /^(?:data|event|id|retry)?(?::|$)/;

/** Data with characters before it that don't belong there. */
const SHIFTED_DATA = /^[\s\0\ufeff]+data:/;

const BEGINNING = /^(?:error:)?\s*[[{]/;

export function createStrayLines(): StrayLines {
  /** The lines since the last event. */
  let text = '';
  /** Where JSON begins in them that isn't complete, and how many of its brackets are open. */
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
      if (alone !== undefined || text.length + line.length > MAX_LENGTH) {
        clear();
        return alone;
      }
      // Within other lines, an indented object is a part of what they print.
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
      if (data !== undefined) clear();
      return data;
    },
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
 * Whether a line of JSON that isn't complete begins other JSON, because the rest of the first never came. Objects in a list can
 * begin without indentation as well.
 */
export const beginsAnew = (line: string, last: string): boolean =>
  /^(?:error:\s*)?[[{]/.test(line) && !/^(?:.?\[|[}\]],)$/.test(last.trimEnd().slice(-2));

/** How many brackets of JSON a line opens, less those that it closes. Strings have no line ends. */
export function openBracketsOf(line: string): number {
  // No pattern has a group that repeats: in a long line, that would exceed the stack.
  const outside = line.replace(/\\./g, '').replace(/"[^"]*"?/g, '');
  let count = 0;
  for (const bracket of outside.replace(/[^[\]{}]/g, '')) count += '[{'.includes(bracket) ? 1 : -1;
  return count;
}

/** An error as a JSON object, in a list or not, or as a field of its own; or a chunk. */
function toData(text: string): StrayData | undefined {
  const data = text.startsWith('error:')
    ? `{"error":${text.slice('error:'.length)}}`
    : text.replace(SHIFTED_DATA, '');
  if (data !== text && data.trim() === '[DONE]') return { data, isError: false };
  if (!/^\s*[[{]/.test(data)) return undefined;
  const json = parseJson(data);
  const isError = decodeErrorBody(json) !== undefined;
  return isError || decodeChunk(json) !== undefined ? { data, isError } : undefined;
}
