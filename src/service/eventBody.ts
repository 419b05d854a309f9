/**
 * Reads the text of an event stream, with errors in lines that are no fields. If all data are in such lines, as behind a comment that was sent
 * as a sign of life, the body is no event stream, and they are read as well.
 */
import { createParser } from 'eventsource-parser';
import type { BodyEvent, TextReader } from './bodyTypes.ts';
import { ServiceError } from './errors.ts';
import { asObject, parseJson } from './json.ts';
import { MAX_EVENT_LENGTH } from './limits.ts';
import { createLinesBefore } from './linesBefore.ts';
import { createStrayLines, FIELD, type StrayData } from './strayLines.ts';

export function createEventReader(onEvent: (event: BodyEvent) => void): TextReader {
  let begin: string | undefined;
  let hasComment = false;
  let hasData = false;
  let tooLong = false;
  /** The first data were in a line that is no field. */
  let isOfLines = false;
  /** The lines that are no fields, until there are data. */
  let others = '';
  /** How many chunks are in such lines among events. */
  let damaged = 0;
  /** An error in lines that are no fields was reported. Nothing of what follows is read, also of the same event. */
  let hasFailed = false;
  /** The body ended or broke, perhaps in the middle of an event. */
  let isOver = false;
  const stray = createStrayLines();
  let found: StrayData | undefined;
  /** Lines of text behind the data of an event that hasn't ended: they were said after it. */
  let words: string[] = [];
  const lines = createLinesBefore();
  /** @param isIn whether the line is in the text that was read last */
  const addLine = (line: string, isIn = false) => {
    if (hasFailed) return;
    found = stray.add(line);
    if (!hasData && others.length < MAX_EVENT_LENGTH && !FIELD.test(line)) others += `${line}\n`;
    if (found === undefined) {
      if (!WORDS.test(line) || FIELD.test(line)) return;
      if (words.length > 0 || lines.isData(isIn ? line : undefined)) {
        if (words.length < MOST_WORDS) words.push(line);
      } else if (hasData) onEvent({ type: 'words', text: line });
      return;
    }
    if (found.isError) {
      // The event that the lines interrupt comes before their error, with the data that it has so far.
      parser.feed('\n\n');
      hasFailed = true;
    } else if (hasData && !isOfLines) {
      if (found.data.trim() !== '[DONE]') damaged++;
      return;
    } else {
      isOfLines = true;
      stray.clear();
    }
    hasData = true;
    onEvent({ type: 'data', data: found.data, event: found.isError ? 'error' : undefined });
  };
  const reportDamaged = () => {
    for (; damaged > 0; damaged--) onEvent({ type: 'damaged' });
  };
  const parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent({ data, event }) {
      // A bracket alone is the beginning of the list that the error is in.
      if (hasFailed || (found?.isError && data.trim() === '[')) return;
      // Gateways wrap whole events into the data of others.
      const own = data.startsWith('data:') ? data.replace(NAMES, '') : data;
      const all = stray.complete(own);
      // That isn't damage: what is missing behind it shows that the stream was cut off (R9, Q10).
      const whole = isOver && event !== 'error' ? readableIn(all) : all;
      if (whole === undefined) return;
      hasData = true;
      // The lines were the rest of these data.
      if (all !== own) damaged = 0;
      reportDamaged();
      onEvent({ type: 'data', data: whole, event });
      // Otherwise they are a part of the data.
      if (words.length > 0 && readableIn(whole) === whole)
        for (const text of words) onEvent({ type: 'words', text });
      words = [];
    },
    onComment() {
      if (hasFailed) return;
      hasComment = true;
      onEvent({ type: 'comment' });
    },
    // The event stream format requires that unknown fields are ignored.
    onError({ type, line: unknown }) {
      if (type === 'max-buffer-size-exceeded') tooLong = true;
      if (type === 'unknown-field' && unknown !== undefined) addLine(unknown, true);
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
      lines.read(text, head);
      if (lineEnd !== -1) addLine(line + text.slice(0, lineEnd));
      // Its event has no end where a service drops blank lines, and keeps the connection open.
      let from = 0;
      for (const end of endsOfDone(line, text)) {
        parser.feed(`${text.slice(from, end)}\n\n`);
        from = end;
      }
      parser.feed(text.slice(from));
      const rest = afterLastLine(text);
      const goesOn = rest.length === text.length;
      line = goesOn ? line + text : rest;
      head = `${goesOn ? head : ''}${rest.slice(0, 5)}`.slice(0, 5);
      // The parser has dropped a line that is no field, and so doesn't count it.
      if (tooLong || line.length > MAX_EVENT_LENGTH) throw new ServiceError('response-too-large');
    },
    end(rest) {
      // The parser drops the beginning of a last line that is no field.
      addLine(line, true);
      isOver = true;
      parser.feed(`${rest}\n\n`);
      reportDamaged();
      const text = hasComment ? others : (begin ?? '');
      if (!hasData && !(hasComment && text === '')) onEvent({ type: 'whole', text });
    },
    cut() {
      addLine(line, true);
      isOver = true;
      parser.feed('\n\n');
      reportDamaged();
    },
  };
}

/** More than servers write. */
const MOST_WORDS = 100;

/** Text that isn't an unknown field, the rest of JSON, or a page. */
const WORDS = /^(?![a-z-]+:)[^"{}[\]<]+$/;

/** The names of the field before data. */
const NAMES = /^(?:data: ?)+/gm;

const DONE_LINE = /(?<=[\r\n])(?:data: *)+\[DONE\] *[\r\n]/g;
/** Longer than the beginning of such a line, in characters. */
const LONG_LINE = 30;

/**
 * Where lines that end the stream end in a text. There can be several, because the first isn't one if it is in the data of an event.
 *
 * @param line what is before the text in its first line
 */
function endsOfDone(line: string, text: string): readonly number[] {
  const mayBegin = line !== '' && line.length <= LONG_LINE;
  if (!mayBegin && !text.includes('[DONE]')) return [];
  const start = line.length > LONG_LINE ? ' ' : `\n${line}`;
  return [...(start + text).matchAll(DONE_LINE)].map(
    ({ index, 0: found }) => index + found.length - start.length,
  );
}

/** Whether the parser keeps a line, because it is the beginning of a field. It isn't with the first character of another one. */
const mayBeField = (line: string): boolean => FIELDS.some((name) => name.startsWith(line));

const FIELDS = ['data', 'event', 'id', 'retry'];

/** Looks for the rare line end only behind the usual one, because looking through each read takes as long as parsing it. */
function afterLastLine(text: string): string {
  const rest = text.slice(text.lastIndexOf('\n') + 1);
  return rest.slice(rest.lastIndexOf('\r') + 1);
}

/** The data of an event that the body ends in, without its last line if that was cut off; undefined if that leaves nothing. */
function readableIn(data: string): string | undefined {
  const lines = data.split('\n');
  const isOne = !lines.some(isRead) || parseJson(data) !== undefined;
  if (isOne) return isPartOfEvent(data) ? undefined : data;
  return isPartOfEvent(lines.at(-1) ?? '') ? lines.slice(0, -1).join('\n') : data;
}

/** Strings and numbers can be lines of an object. */
const isRead = (text: string): boolean => text.trim() === '[DONE]' || asObject(parseJson(text)) !== undefined;

/** Whether it is the beginning of an object or a list, or of another name. */
export function isPartOfEvent(text: string): boolean {
  const data = text.replace(NAMES, '').trim();
  return (
    'data:'.startsWith(data) || (/^[[{]/.test(data) && data !== '[DONE]' && parseJson(data) === undefined)
  );
}
