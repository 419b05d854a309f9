/**
 * Lines of an event stream that are no fields. Servers and gateways that fail in the middle write their error as any other
 * body, often over several lines, or print JSON over several lines of which only the first one begins with `data:`.
 */
import { decodeErrorBody } from './errorBody.ts';
import { asObject, parseJson } from './json.ts';

export interface StrayLines {
  /** The error that is complete with this line, as the data of an event. Lines that are fields or comments are ignored. */
  add(line: string): string | undefined;
  /** The data of an event with the lines that came behind it, if only both together are JSON. What follows begins anew. */
  complete(data: string): string;
}

/** More than an error has, in characters. */
const MAX_LENGTH = 64 * 1024;

const FIELD = /^(?:data|event|id|retry)?(?::|$)/;

export function createStrayLines(): StrayLines {
  let text = '';
  return {
    add(line) {
      if (FIELD.test(line)) return undefined;
      const alone = toErrorData(line);
      text = alone !== undefined || text.length + line.length > MAX_LENGTH ? '' : `${text}${line}\n`;
      // The last line of an object isn't indented, so the lines are not parsed for each one.
      if (alone !== undefined || !line.startsWith('}') || !/^(?:error:)?\s*\{/.test(text)) return alone;
      const data = toErrorData(text);
      text = '';
      return data;
    },
    complete(data) {
      const whole = text === '' || parseJson(data) !== undefined ? data : `${data}\n${text}`;
      text = '';
      return asObject(parseJson(whole)) === undefined ? data : whole;
    },
  };
}

/** An error as a JSON object, or as a field of its own. */
function toErrorData(text: string): string | undefined {
  const data = text.startsWith('error:') ? `{"error":${text.slice('error:'.length)}}` : text;
  return data.trimStart().startsWith('{') && decodeErrorBody(parseJson(data)) !== undefined
    ? data
    : undefined;
}
