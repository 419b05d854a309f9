import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createBodyReader } from '../../../src/service/body.ts';
import type { BodyEvent } from '../../../src/service/bodyTypes.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { growthOf, LINEAR, startCpu } from '../../support/growth.ts';
import { bytesOf, collect, readBody, utf8 } from './wire.ts';

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
    const worked = startCpu();
    for (const body of [[bytes], pieces]) {
      const [data] = await dataOf(...body);
      assert.equal(data?.length, 10 * 1024 * 1024);
    }
    assert.ok(worked() < 3000, `${worked()} ms`);
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
    ['a line that is no field', 'data: 1\n\nx'],
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

  it('is read in linear time with white space behind a line of JSON that does not end', () => {
    const blank = utf8(' '.repeat(1024));
    const growth = growthOf(
      (length) => [utf8('{"a":1}\n'), ...Array.from({ length }, () => blank)],
      (parts) => {
        const reader = createBodyReader(() => undefined);
        for (const part of parts) reader.read(part);
      },
      400,
    );
    assert.ok(growth < LINEAR, `${growth}`);
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
