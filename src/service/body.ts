/**
 * Converts the body of a 200 response from bytes to events: server-sent events, or the complete text of any
 * other body.
 */
import { createParser } from 'eventsource-parser';
import { ServiceError } from './errors.ts';
import { asArray, asObject, parseJson } from './json.ts';
import { MAX_EVENT_LENGTH } from './limits.ts';
import { beginsAnew, createStrayLines, openBracketsOf } from './strayLines.ts';

export type BodyEvent =
  | { readonly type: 'data'; readonly data: string; readonly event: string | undefined }
  | { readonly type: 'comment' }
  /**
   * The body isn't an event stream. For JSON and HTML, the complete text after the body ends; for plain text,
   * the result of the first read. JSON objects in lines are data, each as soon as its line is complete. If `cut`, the stream broke, and the text is what had arrived.
   */
  | { readonly type: 'whole'; readonly text: string; readonly cut?: true };

/** Reads a body part by part. */
export interface BodyReader {
  /** The next bytes, which may be split anywhere. */
  read(part: Uint8Array): void;
  /** The body ended. Without its closing blank line, the last event still counts. */
  end(): void;
  /** The connection broke. Lines that are complete still count. */
  cut(): void;
}

/**
 * Reads a body as events, each as soon as it is complete. JSON and HTML are detected by their first character, not by
 * the content type, because gateways get it wrong. Accepts CR, LF, and CRLF, and a BOM. If an event or body is longer
 * than `MAX_EVENT_LENGTH`, gives what came before it and throws a ServiceError.
 */
export function createBodyReader(onEvent: (event: BodyEvent) => void): BodyReader {
  // Node's decoder removes a second BOM as well when the first one is split, so the one that is allowed is removed below.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let start = '';
  let reader: TextReader | undefined;
  return {
    read(part) {
      const text = decoder.decode(part, { stream: true });
      if (reader !== undefined) return reader.read(text);
      start += text;
      // Everything before this was white space.
      const first = text.trimStart()[0];
      if (first !== undefined) {
        reader = '{[<'.includes(first) ? createWholeReader(onEvent) : createEventReader(onEvent);
        reader.read(start.replace(/^\ufeff/, ''));
      } else if (start.length > MAX_EVENT_LENGTH) throw new ServiceError('response-too-large');
    },
    end() {
      reader?.end(decoder.decode());
    },
    cut() {
      reader?.cut();
    },
  };
}

/** The same for the text of a body, when its kind is known. */
interface TextReader extends Pick<BodyReader, 'cut'> {
  read(text: string): void;
  /** @param rest the replacement for bytes at the end that are no character */
  end(rest: string): void;
}

const LINE_END = /[\r\n]/;

/** Anything but an event stream. */
function createWholeReader(onEvent: (event: BodyEvent) => void): TextReader {
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
      hasEnd ||= LINE_END.test(parts.length === 1 ? text.trimStart() : text);
      if (!hasEnd || !isFirstLine) return;
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
  const give = (data: string) => {
    open = '';
    brackets = 0;
    if (data.trim() !== '') onEvent({ type: 'data', data, event: undefined });
  };
  const report = (data: string) => {
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
      line += text;
      if (LINE_END.test(text)) {
        const all = line.split(LINE_END);
        line = all.pop() ?? '';
        for (const data of all) report(data);
      }
      if (line.length + open.length > MAX_EVENT_LENGTH) throw new ServiceError('response-too-large');
    },
    end(rest) {
      report(line + rest);
      give(open);
    },
    cut() {
      const rest = open + line;
      if (isObjectOrList(rest)) give(rest);
    },
  };
}

/** Whether a line is the first one of an object or a list that is printed over several. */
const goesOn = (line: string): boolean => /^\s*[[{]/.test(line) && '[{,'.includes(line.trimEnd().slice(-1));

const isObjectOrList = (text: string): boolean => {
  const json = parseJson(text);
  return (asObject(json) ?? asArray(json)) !== undefined;
};

function createEventReader(onEvent: (event: BodyEvent) => void): TextReader {
  let begin: string | undefined;
  let hasEvents = false;
  let tooLong = false;
  /** An error in lines that are no fields was reported. Nothing of what follows is read, also of the same event. */
  let hasFailed = false;
  const stray = createStrayLines();
  let error: string | undefined;
  const addLine = (line: string) => {
    if (!hasFailed) error = stray.add(line);
    if (hasFailed || error === undefined) return;
    // The event that the lines interrupt comes before their error, with the data that it has so far.
    parser.feed('\n\n');
    hasFailed = true;
    hasEvents = true;
    onEvent({ type: 'data', data: error, event: undefined });
  };
  const parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent({ data, event }) {
      // A bracket alone is the beginning of the list that the error is in.
      if (hasFailed || (error !== undefined && data.trim() === '[')) return;
      hasEvents = true;
      onEvent({ type: 'data', data: stray.complete(data), event });
    },
    onComment() {
      if (hasFailed) return;
      hasEvents = true;
      onEvent({ type: 'comment' });
    },
    // The event stream format requires that unknown fields are ignored.
    onError({ type, line: unknown }) {
      if (type === 'max-buffer-size-exceeded') tooLong = true;
      if (type === 'unknown-field' && unknown !== undefined) addLine(unknown);
    },
  });
  // The one BOM that is allowed is already removed. Without this, the parser would remove a second one.
  parser.feed('\ufeff');
  // What follows the last line end.
  let line = '';
  /** Its first characters: looking at a long line with each read would take time that grows with its square. */
  let head = '';
  return {
    read(text) {
      begin ??= text;
      // The parser drops a line that is no field if its end comes with another read. It comes before what follows it.
      const lineEnd = head === 'data:' || mayBeField(line) ? -1 : text.search(/[\r\n]/);
      if (lineEnd !== -1) addLine(line + text.slice(0, lineEnd));
      parser.feed(text);
      const rest = afterLastLine(text);
      const goesOn = rest.length === text.length;
      line = goesOn ? line + text : rest;
      head = `${goesOn ? head : ''}${rest.slice(0, 5)}`.slice(0, 5);
      // The parser has dropped a line that is no field, and so doesn't count it.
      if (tooLong || line.length > MAX_EVENT_LENGTH) throw new ServiceError('response-too-large');
    },
    end(rest) {
      // The parser drops the beginning of a last line that is no field.
      addLine(line);
      parser.feed(`${rest}\n\n`);
      if (!hasEvents) onEvent({ type: 'whole', text: begin ?? '' });
    },
    cut() {
      addLine(line);
      if (isWholeLine(line)) parser.feed('\n\n');
    },
  };
}

/** Whether the parser keeps a line, because it is the beginning of a field. It isn't with the first character of another one. */
const mayBeField = (line: string): boolean => FIELDS.some((name) => name.startsWith(line));

const FIELDS = ['data', 'event', 'id', 'retry'];

/** Looks for the rare line end only behind the usual one, because looking through each read takes as long as parsing it. */
function afterLastLine(text: string): string {
  const rest = text.slice(text.lastIndexOf('\n') + 1);
  return rest.slice(rest.lastIndexOf('\r') + 1);
}

/** Whether the last line is complete, although its end can be missing. The beginning of a JSON object isn't JSON. */
function isWholeLine(line: string): boolean {
  // The last line of an object or a list that begins with the data of an event.
  if (/^[}\]]*$/.test(line)) return true;
  const data = line.startsWith('data:') ? line.slice('data:'.length).trim() : '';
  return data === '[DONE]' || asObject(parseJson(data)) !== undefined;
}
