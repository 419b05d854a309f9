/** Reads the text of a body that is no event stream: as a whole, or its JSON in lines. */
import type { BodyEvent, TextReader } from './bodyTypes.ts';
import { ServiceError } from './errors.ts';
import { isPartOfEvent } from './eventBody.ts';
import { asArray, asObject, parseJson } from './json.ts';
import { MAX_EVENT_LENGTH } from './limits.ts';
import { beginsAnew, FIELD, openBracketsOf } from './strayLines.ts';

const LINE_END = /[\r\n]/;

/** Anything but an event stream. */
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
      // Nothing but white space has come behind the first line: that isn't joined with each read.
      if (!isFirstLine || (hasEnd && text.trim() === '')) return;
      hasEnd ||= LINE_END.test(parts.length === 1 ? text.trimStart() : text);
      if (!hasEnd) return;
      const all = parts.join('').trimStart();
      const end = all.search(LINE_END);
      // A reply that is one line of JSON can end with a line end.
      if (all.slice(end).trim() === '') return;
      isFirstLine = false;
      if (asObject(parseJson(all.slice(0, end))) === undefined) return;
      lines = createLineReader(onEvent);
      lines.read(all);
    },
    end(rest) {
      if (lines === undefined) onEvent({ type: 'whole', text: parts.join('') + rest });
      else lines.end(rest);
    },
    cut() {
      if (lines === undefined) onEvent({ type: 'whole', text: parts.join(''), cut: true });
      else lines.cut();
    },
  };
}

/** JSON objects in lines, as some gateways stream them instead of events. One of them, such as an error, can have several. */
function createLineReader(onEvent: (event: BodyEvent) => void): TextReader {
  let line = '';
  /** The lines of an object or a list that isn't complete, how many of its brackets are open, and its last line. */
  let open = '';
  let brackets = 0;
  let last = '';
  /** Of the event that the lines are, until a blank line. */
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
      // A line end can come in two reads. It is no blank line.
      line += hasReturn && text.startsWith('\n') ? text.slice(1) : text;
      hasReturn = text === '' ? hasReturn : text.endsWith('\r');
      if (LINE_END.test(text)) {
        const all = line.split(/\r\n|[\r\n]/);
        line = all.pop() ?? '';
        for (const data of all) report(data);
      }
      if (line.length + open.length > MAX_EVENT_LENGTH) throw new ServiceError('response-too-large');
    },
    end(rest) {
      const all = line + rest;
      // That isn't damage: what is missing behind it shows that the stream was cut off (R9, Q10).
      if (!isPartOfEvent(all)) report(all);
      if (!isPartOfEvent(open)) give(open);
    },
    cut() {
      const rest = open + withoutName(line);
      if (isObjectOrList(rest)) give(rest);
    },
  };
}

/** Some services write lines of an event stream among those of JSON, mostly the last one: `data: [DONE]`. */
const withoutName = (line: string): string => line.replace(/^data:/, '');

/** Whether a line is the first one of an object or a list that is printed over several. */
const goesOn = (line: string): boolean => /^\s*[[{]/.test(line) && '[{,'.includes(line.trimEnd().slice(-1));

const isObjectOrList = (text: string): boolean => {
  const json = parseJson(text);
  return (asObject(json) ?? asArray(json)) !== undefined;
};
