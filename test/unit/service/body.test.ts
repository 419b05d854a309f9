import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { describe, it } from 'mocha';
import { type BodyEvent, readBody } from '../../../src/service/body.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { bytesOf, collect, utf8 } from './wire.ts';

async function read(...pieces: readonly (string | Uint8Array)[]): Promise<BodyEvent[]> {
  return (await collect(readBody(bytesOf(...pieces)))).flat();
}

/** The data of all events, for the tests of the format. */
async function dataOf(...pieces: readonly (string | Uint8Array)[]): Promise<string[]> {
  return (await read(...pieces)).flatMap((event) => (event.type === 'data' ? [event.data] : []));
}

function singleBytes(text: string): Uint8Array[] {
  const bytes = utf8(text);
  return Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
}

const MIXED =
  'data: {"a":"\u00e9\u4f60\u{1f600}"}\n\n: alive\n\nevent: x\ndata:two\ndata: lines\n\ndata: [DONE]\n\n';
const MIXED_EVENTS: BodyEvent[] = [
  { type: 'data', data: '{"a":"\u00e9\u4f60\u{1f600}"}', event: undefined },
  { type: 'comment' },
  { type: 'data', data: 'two\nlines', event: 'x' },
  { type: 'data', data: '[DONE]', event: undefined },
];

describe('The body of a completion', () => {
  const endings = { LF: '\n', CR: '\r', CRLF: '\r\n' };
  for (const [name, ending] of Object.entries(endings)) {
    const text = MIXED.replaceAll('\n', ending);

    it(`is read with lines that end in ${name}, split in two at every byte`, async () => {
      const bytes = utf8(text);
      for (let at = 0; at <= bytes.length; at++) {
        assert.deepEqual(await read(bytes.subarray(0, at), bytes.subarray(at)), MIXED_EVENTS, `cut at ${at}`);
      }
    });

    it(`is read with lines that end in ${name}, one byte at a time, with and without a BOM`, async () => {
      assert.deepEqual(await read(...singleBytes(text)), MIXED_EVENTS);
      assert.deepEqual(await read(...singleBytes(`\ufeff${text}`)), MIXED_EVENTS);
    });

    it(`loses nothing if a body with ${name} ends without its last blank line`, async () => {
      const cut = text.slice(0, text.length - ending.length);
      assert.deepEqual(await read(cut), MIXED_EVENTS);
      assert.deepEqual(await read(cut.slice(0, cut.length - ending.length)), MIXED_EVENTS);
    });
  }

  it('yields an event with the read that completes it, not with the next one', async () => {
    for (const end of ['\n\n', '\r\r', '\r\n\r\n']) {
      const body = readBody(bytesOf(`data: 1${end}`, `data: 2${end}`));
      const first = await body.next();
      assert.deepEqual(first.value, [{ type: 'data', data: '1', event: undefined }], JSON.stringify(end));
      await body.return(undefined);
    }
  });

  it('yields for every read, even if it completes no event', async () => {
    const batches = await collect(readBody(bytesOf(' ', '\n', 'dat', 'a: 1', '\n\n')));
    assert.deepEqual(
      batches.map((batch) => batch.length),
      [0, 0, 0, 0, 1, 0],
    );
  });

  it('is read with a line of 10 MB, in one read and in 4 KB reads, in linear time', async () => {
    const text = `data: ${'x'.repeat(10 * 1024 * 1024)}\n\n`;
    const bytes = utf8(text);
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += 4096) pieces.push(bytes.subarray(at, at + 4096));
    const began = performance.now();
    for (const body of [[bytes], pieces]) {
      const [data] = await dataOf(...body);
      assert.equal(data?.length, 10 * 1024 * 1024);
    }
    assert.ok(performance.now() - began < 3000);
  });

  /** Mebibytes without an end, as from a server that never ends its line. */
  const MEBIBYTE = utf8('x'.repeat(1024 * 1024));
  async function* endless(begin: string, count: { sent: number }): AsyncGenerator<Uint8Array> {
    yield utf8(begin);
    for (; count.sent < 200; count.sent++) yield MEBIBYTE;
  }

  for (const [what, begin] of [
    ['a line of an event', 'data: 1\n\ndata: '],
    ['a comment', 'data: 1\n\n: '],
    ['an event of many lines', 'data: 1\n\ndata: 2\ndata: '],
  ] as const)
    it(`ends with an error for ${what} that does not end, after the events before it`, async () => {
      const count = { sent: 0 };
      const seen: BodyEvent[] = [];
      await assert.rejects(
        async () => {
          for await (const batch of readBody(endless(begin, count))) seen.push(...batch);
        },
        (error) => error instanceof ServiceError && error.kind === 'response-too-large',
      );
      assert.deepEqual(seen, [{ type: 'data', data: '1', event: undefined }]);
      assert.ok(count.sent >= 63 && count.sent < 70, `${count.sent} MB were read`);
    });

  for (const [what, begin] of [
    ['JSON', '{"choices":"'],
    ['a web page', '<p>'],
  ] as const)
    it(`ends with an error for ${what} that does not end`, async () => {
      const count = { sent: 0 };
      await assert.rejects(
        collect(readBody(endless(begin, count))),
        (error) => error instanceof ServiceError && error.kind === 'response-too-large',
      );
      assert.ok(count.sent < 70);
    });

  it('ends with an error for white space that does not end', async () => {
    const spaces = utf8(' '.repeat(1024 * 1024));
    async function* blank() {
      for (let n = 0; n < 200; n++) yield spaces;
    }
    await assert.rejects(collect(readBody(blank())), ServiceError);
  });

  it('can have any number of events if each is small enough', async () => {
    const event = utf8(`data: ${'x'.repeat(1024 * 1024 - 8)}\n\n`);
    let events = 0;
    for await (const batch of readBody(bytesOf(...Array.from({ length: 70 }, () => event))))
      events += batch.length;
    assert.equal(events, 70);
  });

  it('is complete JSON or HTML, whatever the reads are, with a BOM and white space before it', async () => {
    for (const text of ['{"error":{}}', '[1,2]', '<!doctype html><p>Bad gateway']) {
      assert.deepEqual(await read(...singleBytes(`\ufeff \n${text}`)), [
        { type: 'whole', text: ` \n${text}` },
      ]);
    }
  });

  it('E11 is complete plain text if there is no event in it', async () => {
    assert.deepEqual(await read('upstream connect error'), [
      { type: 'whole', text: 'upstream connect error' },
    ]);
  });

  it('has no events if it is empty or white space', async () => {
    assert.deepEqual(await read(), []);
    assert.deepEqual(await read('', '\n', ' '), []);
  });

  it('is read with a replacement character for bytes that are not UTF-8', async () => {
    const data = await dataOf(new Uint8Array([...utf8('data: a'), 0xff, 0xc3]), '\n\ndata: b\n\n');
    assert.deepEqual(data, ['a\ufffd\ufffd', 'b']);
  });

  it('yields everything that arrived before the connection broke', async () => {
    const seen: BodyEvent[] = [];
    const body = readBody(bytesOf('data: 1\n\ndata: 2\n', new Error('reset')));
    await assert.rejects(async () => {
      for await (const batch of body) seen.push(...batch);
    }, /reset/);
    assert.deepEqual(seen, [
      { type: 'data', data: '1', event: undefined },
      { type: 'data', data: '2', event: undefined },
    ]);
  });
});

/**
 * The format cases of the WPT suite `eventsource`, from the HTML standard, for the part that reads a body.
 */
describe('The event stream format of the HTML standard', () => {
  const cases: readonly {
    readonly name: string;
    readonly body: string | Uint8Array;
    readonly data: readonly string[];
    readonly events?: readonly (string | undefined)[];
  }[] = [
    {
      name: 'event-data',
      body: 'data:msg\ndata: msg\n\n:\nfalsefield:msg\n\nfalsefield:msg\nData:data\n\ndata\n\ndata:end\n\n',
      data: ['msg\nmsg', '', 'end'],
    },
    { name: 'format-bom', body: '\ufeffdata:1\n\n\ufeffdata:2\n\ndata:3\n\n', data: ['1', '3'] },
    { name: 'format-bom-2', body: '\ufeff\ufeffdata:1\n\ndata:2\n\ndata:3\n\n', data: ['2', '3'] },
    {
      name: 'format-comments',
      body: `data:1\r:\0\n:\r\ndata:2\n:${'x'.repeat(2048)}\rdata:3\n:data:fail\r:${'x'.repeat(2048)}\ndata:4\n\n`,
      data: ['1\n2\n3\n4'],
    },
    { name: 'format-field-data', body: 'data:\n\ndata\ndata\n\ndata:test\n\n', data: ['', '\n', 'test'] },
    {
      name: 'format-field-event',
      body: 'event:test\ndata:x\n\ndata:x\n\n',
      data: ['x', 'x'],
      events: ['test', undefined],
    },
    { name: 'format-field-event-empty', body: 'event: \ndata:data\n\n', data: ['data'], events: [undefined] },
    { name: 'format-field-id', body: 'id: \u2026\ndata:hello\n\n', data: ['hello'] },
    {
      name: 'format-field-id-2',
      body: 'id: 1\ndata:1\n\nid\ndata:2\n\nid:3\nid:4\ndata:3\n\n',
      data: ['1', '2', '3'],
    },
    { name: 'format-field-id-3', body: 'id: 1\n\ndata:2\n\nid:\n\ndata:4\n\n', data: ['2', '4'] },
    {
      name: 'format-field-id-null',
      body: 'id: \0\ndata:hello\n\nid: a\0b\ndata:again\n\n',
      data: ['hello', 'again'],
    },
    {
      name: 'format-field-parsing',
      body: 'data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n',
      data: ['\0\n 2\n1\n3\n\n4'],
    },
    { name: 'format-field-retry', body: 'retry:3000\ndata:x\n\n', data: ['x'] },
    { name: 'format-field-retry-bogus', body: 'retry:3000\nretry:1000x\ndata:x\n\n', data: ['x'] },
    { name: 'format-field-retry-empty', body: 'retry\ndata:test\n\n', data: ['test'] },
    {
      name: 'format-field-unknown',
      body: 'data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\n\n',
      data: ['test\n'],
    },
    { name: 'format-leading-space', body: 'data:\ttest\rdata: \ndata:test\n\n', data: ['\ttest\n\ntest'] },
    { name: 'format-newlines', body: 'data:test\r\ndata\ndata:test\r\n\r\n', data: ['test\n\ntest'] },
    { name: 'format-null-character', body: 'data:\0\n\n\n\n', data: ['\0'] },
    { name: 'format-utf-8', body: utf8('data:ok\u2026\n\n'), data: ['ok\u2026'] },
    // The standard drops an event without its blank line. Here it counts, because nothing that was received
    // is dropped.
    {
      name: 'format-data-before-final-empty-line',
      body: 'retry:1000\ndata:test1\n\nid:test\ndata:test2',
      data: ['test1', 'test2'],
    },
  ];
  for (const { name, body, data, events } of cases) {
    it(name, async () => {
      const all = await read(body);
      const found = all.flatMap((event) => (event.type === 'data' ? [event] : []));
      assert.deepEqual(
        found.map((event) => event.data),
        data,
      );
      if (events !== undefined)
        assert.deepEqual(
          found.map((event) => event.event),
          events,
        );
    });

    it(`${name}, one byte at a time`, async () => {
      const bytes = typeof body === 'string' ? utf8(body) : body;
      assert.deepEqual(await dataOf(...Array.from(bytes, (_, i) => bytes.subarray(i, i + 1))), data);
    });
  }

  // format-mime-bogus, -trailing-semicolon, -valid-bogus: the content type is ignored, see stream.test.ts.
});
