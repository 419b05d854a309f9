/** Reads the text of a body that isn't an event stream: as a whole, or as lines of JSON. */
import type { BodyEvent, TextReader } from './bodyTypes.ts';
import { ServiceError } from './errors.ts';
import { isPartOfEvent } from './eventBody.ts';
import { asArray, asObject, parseJson } from './json.ts';
import { MAX_EVENT_LENGTH } from './limits.ts';
import { beginsAnew, FIELD, openBracketsOf } from './strayLines.ts';

const LINE_END = /[\r\n]/;

/** Reads a body that isn't an event stream. */
export function createWholeReader(onEvent: (event: BodyEvent) => void): TextReader {
  const parts: string[] = [];
  let length = 0;
  let lines: TextReader | undefined;
  let isFirstLine = true;
  let hasEnd = false;
  return {
    read(text) {
      if (lines !== undefined) return lines.read(text);
      parts.push(text);
      length += text.length;
      if (length > MAX_EVENT_LENGTH) throw new ServiceError('response-too-large');
      // Only white space has come after the first line. The parts aren't joined again with each read.
      if (!isFirstLine || (hasEnd && text.trim() === '')) return;
      hasEnd ||= LINE_END.test(parts.length === 1 ? text.trimStart() : text);
      if (!hasEnd) return;
      const all = parts.join('').trimStart();
      const end = all.search(LINE_END);
      // A body that is a single line of JSON can end with a line end.
      if (all.slice(end).trim() === '') return;
      isFirstLine = false;
      if (asObject(parseJson(all.slice(0, end))) === undefined) return;
      lines = createLineReader(onEvent);
      lines.read(all);
    },
    end() {
      if (lines === undefined) onEvent({ type: 'whole', text: parts.join('') });
      else lines.end();
    },
    cut() {
      if (lines === undefined) onEvent({ type: 'whole', text: parts.join(''), cut: true });
      else lines.cut();
    },
  };
}

/**
 * Reads JSON objects in lines, which some gateways stream instead of events. An object, such as an error, can be printed over
 * several lines.
 */
function createLineReader(onEvent: (event: BodyEvent) => void): TextReader {
  let line = '';
  /** The lines of an object or a list that isn't complete, the number of its open brackets, and its last line. */
  let open = '';
  let brackets = 0;
  let last = '';
  /** The name of the event that the lines belong to, until a blank line. */
  let name: string | undefined;
  let hasReturn = false;
  const give = (data: string) => {
    open = '';
    brackets = 0;
    if (data.trim() !== '') onEvent({ type: 'data', data, event: name });
  };
  const report = (text: string) => {
    if (text.startsWith(':')) return onEvent({ type: 'comment' });
    const data = withoutName(text);
    if (text.startsWith('event:')) name = text.slice('event:'.length).trim() || undefined;
    else if (text === '' && open === '') name = undefined;
    if (FIELD.test(data)) return;
    if (open !== '' && beginsAnew(data, last)) give(open);
    // Almost every line is complete.
    if (open === '' && !goesOn(data)) return give(data);
    open += `${data}\n`;
    last = data;
    brackets += openBracketsOf(data);
    if (brackets <= 0) give(open);
  };
  return {
    read(text) {
      // A CRLF can be split between two reads. It isn't a blank line.
      line += hasReturn && text.startsWith('\n') ? text.slice(1) : text;
      hasReturn = text === '' ? hasReturn : text.endsWith('\r');
      if (LINE_END.test(text)) {
        const all = line.split(/\r\n|[\r\n]/);
        line = all.pop() ?? '';
        for (const data of all) report(data);
      }
      if (line.length + open.length > MAX_EVENT_LENGTH) throw new ServiceError('response-too-large');
    },
    end() {
      // An object that the end of the body cuts off isn't damage: the missing finish reason or usage shows that the stream was
      // cut off (R9, Q10).
      if (!isPartOfEvent(line)) report(line);
      if (!isPartOfEvent(open)) give(open);
    },
    cut() {
      const rest = open + withoutName(line);
      if (isObjectOrList(rest)) give(rest);
    },
  };
}

/** Some services write lines of an event stream among those of JSON, usually as the last one: `data: [DONE]`. */
const withoutName = (line: string): string => line.replace(/^data:/, '');

/** Whether a line is the first line of an object or a list that is printed over several lines. */
const goesOn = (line: string): boolean => /^\s*[[{]/.test(line) && '[{,'.includes(line.trimEnd().slice(-1));

const isObjectOrList = (text: string): boolean => {
  const json = parseJson(text);
  return (asObject(json) ?? asArray(json)) !== undefined;
};
