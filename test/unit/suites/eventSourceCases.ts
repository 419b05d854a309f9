/**
 * The cases of the Web Platform Tests about the format of event streams, as data: the bytes that a case's server sends,
 * and the events of the first response. From the folder eventsource of web-platform-tests/wpt (3-Clause BSD), which is not a
 * package; written down here by hand, a case for each of its files `format-*` and `event-data` (docs/suites.md).
 */

export interface EventSourceCase {
  /** The file in the folder eventsource, without `.any.js` and the like. */
  readonly name: string;
  readonly body: string;
  readonly contentType?: string;
  /** The data of the events, in order. With the type in front where it isn't `message`: `test: x`. */
  readonly events: readonly string[];
  /** What we do otherwise than a browser, and why. `events` is what we do. */
  readonly otherwise?: string;
}

/** What the server adds after a message that doesn't say otherwise. */
const END = '\n\n\n';
/** The server of three cases about IDs: without an ID from the browser, it sends this one. */
const withId = (id: string) => `id: ${id}\nretry: 200\ndata: hello\n\n`;
/** The comments of a case are longer than a buffer would be. */
const LONG = 'x'.repeat(2048);

const RECONNECTS = 'Nothing is asked for again, so the ID and the time to wait are ignored.';
const BY_CONTENT = 'A stream is told by its first character, because gateways name the wrong type.';

export const EVENT_SOURCE_CASES: readonly EventSourceCase[] = [
  {
    name: 'event-data',
    body: 'data:msg\ndata: msg\n\n:\nfalsefield:msg\n\nfalsefield:msg\nData:data\n\ndata\n\ndata:end\n\n',
    events: ['msg\nmsg', '', 'end'],
  },
  { name: 'format-bom', body: `\ufeffdata:1\n\n\ufeffdata:2\n\ndata:3${END}`, events: ['1', '3'] },
  { name: 'format-bom-2', body: `\ufeff\ufeffdata:1\n\ndata:2\n\ndata:3${END}`, events: ['2', '3'] },
  {
    name: 'format-comments',
    body: `data:1\r:\0\n:\r\ndata:2\n:${LONG}\rdata:3\n:data:fail\r:${LONG}\ndata:4\n\n`,
    events: ['1\n2\n3\n4'],
  },
  {
    name: 'format-data-before-final-empty-line',
    body: 'retry:1000\ndata:test1\n\nid:test\ndata:test2\n',
    events: ['test1', 'test2'],
    otherwise: 'An event whose closing blank line is missing counts, so that no text is lost (E8).',
  },
  { name: 'format-field-data', body: `data:\n\ndata\ndata\n\ndata:test${END}`, events: ['', '\n', 'test'] },
  { name: 'format-field-event', body: `event:test\ndata:x\n\ndata:x${END}`, events: ['test: x', 'x'] },
  { name: 'format-field-event-empty', body: `event: \ndata:data${END}`, events: ['data'] },
  { name: 'format-field-id', body: withId('…'), events: ['hello'], otherwise: RECONNECTS },
  { name: 'format-field-id-2', body: withId('…'), events: ['hello'], otherwise: RECONNECTS },
  {
    name: 'format-field-id-3',
    body: 'id: 1\ndata: 1\n\nid: 2\ndata:2\n\nid:\ndata:3\n\ndata:4\n\n',
    events: ['1', '2', '3', '4'],
    otherwise: RECONNECTS,
  },
  { name: 'format-field-id-null', body: withId('\0\0'), events: ['hello'], otherwise: RECONNECTS },
  {
    name: 'format-field-parsing',
    body: 'data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n',
    events: ['\0\n 2\n1\n3\n\n4'],
  },
  { name: 'format-field-retry', body: `retry:03000\ndata:x${END}`, events: ['x'], otherwise: RECONNECTS },
  {
    name: 'format-field-retry-bogus',
    body: `retry:3000\nretry:1000x\ndata:x${END}`,
    events: ['x'],
    otherwise: RECONNECTS,
  },
  { name: 'format-field-retry-empty', body: `retry\ndata:test${END}`, events: ['test'] },
  {
    name: 'format-field-unknown',
    body: `data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:test${END}`,
    events: ['test\n\ntest'],
  },
  {
    name: 'format-leading-space',
    body: `data:\ttest\rdata: \ndata:test${END}`,
    events: ['\ttest\n\ntest'],
  },
  {
    name: 'format-mime-bogus',
    body: `data: data${END}`,
    contentType: 'x bogus',
    events: ['data'],
    otherwise: BY_CONTENT,
  },
  {
    name: 'format-mime-trailing-semicolon',
    body: `data: data${END}`,
    contentType: 'text/event-stream;',
    events: ['data'],
  },
  {
    name: 'format-mime-valid-bogus',
    body: `data: data${END}`,
    contentType: 'text/x-bogus',
    events: ['data'],
    otherwise: BY_CONTENT,
  },
  { name: 'format-newlines', body: 'data:test\r\ndata\ndata:test\r\n\r\n', events: ['test\n\ntest'] },
  { name: 'format-null-character', body: `data:\0\n\n${END}`, events: ['\0'] },
  {
    name: 'format-utf-8',
    body: `data:ok…${END}`,
    contentType: 'text/event-stream;charset=windows-1252',
    events: ['ok…'],
  },
];
