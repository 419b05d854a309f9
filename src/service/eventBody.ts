/**
 * Reads the text of an event stream. Also finds errors in lines that aren't fields. If all data are in such lines, as after a
 * comment that was sent as a sign of life, the body isn't an event stream, and these lines are read as data.
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
  /** The first data were in a line that isn't a field. */
  let isOfLines = false;
  /** The lines that aren't fields, until there are data. */
  let others = '';
  /** The number of chunks in lines among events that aren't fields. */
  let damaged = 0;
  /** An error in lines that aren't fields was reported. Nothing after it is read, including the rest of the same event. */
  let hasFailed = false;
  /** The body ended or broke, perhaps in the middle of an event. */
  let isOver = false;
  const stray = createStrayLines();
  let found: StrayData | undefined;
  /** Lines of text after the data of an event that hasn't ended. They are passed on after the event. */
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
      // End the event that these lines interrupt, so that its data so far come before the error.
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
      // A `[` alone is the beginning of the list that contains the error.
      if (hasFailed || (found?.isError && data.trim() === '[')) return;
      // Some gateways put whole events into the data of others.
      const own = data.startsWith('data:') ? data.replace(NAMES, '') : data;
      const all = stray.complete(own);
      // An event that the end of the body cuts off isn't damage: the missing finish reason or usage shows that the stream was cut
      // off (R9, Q10).
      const whole = isOver && event !== 'error' ? readableIn(all) : all;
      if (whole === undefined) return;
      hasData = true;
      // The lines that looked like chunks were the rest of these data.
      if (all !== own) damaged = 0;
      reportDamaged();
      onEvent({ type: 'data', data: whole, event });
      // If the data aren't complete, these lines are part of them.
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
  // The text after the last line end.
  let line = '';
  /** The first five characters of `line`. Searching a long line with each read would take quadratic time. */
  let head = '';
  return {
    read(text) {
      begin ??= text;
      // If a line that isn't a field is split between two reads, the parser drops it. So it is added here, before the text that
      // follows it.
      const lineEnd = head === 'data:' || mayBeField(line) ? -1 : text.search(/[\r\n]/);
      lines.read(text, head);
      if (lineEnd !== -1) addLine(line + text.slice(0, lineEnd));
      // Some services drop blank lines and keep the connection open. The event with `[DONE]` would never end, so it is ended
      // here.
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
      // The parser doesn't count a line that it has dropped because it isn't a field.
      if (tooLong || line.length > MAX_EVENT_LENGTH) throw new ServiceError('response-too-large');
    },
    end() {
      // The parser drops the beginning of a last line that isn't a field.
      addLine(line, true);
      isOver = true;
      parser.feed('\n\n');
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

/** The maximum length of `words`, which is more than servers write. */
const MOST_WORDS = 100;

/** Text that isn't an unknown field, the rest of JSON, or a web page. */
const WORDS = /^(?![a-z-]+:)[^"{}[\]<]+$/;

/** `data:` at the beginning of lines, once or several times. */
const NAMES = /^(?:data: ?)+/gm;

const DONE_LINE = /(?<=[\r\n])(?:data: *)+\[DONE\] *[\r\n]/g;
/** A line with more characters than this isn't the beginning of a `[DONE]` line. */
const LONG_LINE = 30;

/**
 * The offsets in a text after its `[DONE]` lines. There can be several, because one in the data of an event doesn't end the
 * stream.
 *
 * @param line the beginning of the first line, which came before this text
 */
function endsOfDone(line: string, text: string): readonly number[] {
  const mayBegin = line !== '' && line.length <= LONG_LINE;
  if (!mayBegin && !text.includes('[DONE]')) return [];
  const start = line.length > LONG_LINE ? ' ' : `\n${line}`;
  return [...(start + text).matchAll(DONE_LINE)].map(
    ({ index, 0: found }) => index + found.length - start.length,
  );
}

/** Whether a line can be the beginning of a field name. The parser keeps such a line until it is complete. */
const mayBeField = (line: string): boolean => FIELDS.some((name) => name.startsWith(line));

const FIELDS = ['data', 'event', 'id', 'retry'];

/** Searches for the rare `\r` only after the last `\n`, because searching all of the text takes as long as parsing it. */
function afterLastLine(text: string): string {
  const rest = text.slice(text.lastIndexOf('\n') + 1);
  return rest.slice(rest.lastIndexOf('\r') + 1);
}

/** The data of the event in which the body ends, without the last line if that was cut off. Undefined if nothing is left. */
function readableIn(data: string): string | undefined {
  const lines = data.split('\n');
  const isOne = !lines.some(isRead) || parseJson(data) !== undefined;
  if (isOne) return isPartOfEvent(data) ? undefined : data;
  return isPartOfEvent(lines.at(-1) ?? '') ? lines.slice(0, -1).join('\n') : data;
}

/** Whether a line is an event of its own. Strings and numbers aren't, because they can be lines of an object. */
const isRead = (text: string): boolean => text.trim() === '[DONE]' || asObject(parseJson(text)) !== undefined;

/** Whether a text is the beginning of an object, of a list, or of another `data:`. */
export function isPartOfEvent(text: string): boolean {
  const data = text.replace(NAMES, '').trim();
  return (
    'data:'.startsWith(data) || (/^[[{]/.test(data) && data !== '[DONE]' && parseJson(data) === undefined)
  );
}
