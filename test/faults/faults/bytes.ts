/** Streams whose bytes are unusual, and those whose compression is broken. */
import { constants, createBrotliCompress, createDeflate, createGzip } from 'node:zlib';
import { type Fault, IN_BODY, IN_TEXT, type Phase } from '../fault.ts';
import { asSse, type Encode, SSE_HEAD, type Style } from '../reply.ts';
import { COMPLETE, cut, lost } from './expect.ts';

const WHOLE: readonly Phase[] = ['headers', 'arguments', 'tool-round'];
const utf8 = (text: string) => new TextEncoder().encode(text);
const dataOf = (data: object | string) => (typeof data === 'string' ? data : JSON.stringify(data));

const style = (name: string, toPieces: (sse: string) => readonly (string | Uint8Array)[]): Fault => ({
  name,
  phases: WHOLE,
  style: () => ({ encode: async (event) => toPieces((await asSse(event)).join('')) }),
  expected: () => COMPLETE,
});

const encoded = (name: string, encode: Encode): Fault => ({
  name,
  phases: WHOLE,
  style: () => ({ encode }),
  expected: () => COMPLETE,
});

/** Cut inside every character of more than one byte. */
function insideCharacters(text: string): readonly Uint8Array[] {
  const bytes = utf8(text);
  const cuts = [0, ...[...bytes.keys()].filter((at) => ((bytes[at] ?? 0) & 0xc0) === 0x80), bytes.length];
  return cuts.slice(1).map((end, at) => bytes.subarray(cuts[at], end));
}

export const FRAMINGS: readonly Fault[] = [
  style('utf8-split', insideCharacters),
  style('crlf', (sse) => [sse.replaceAll('\n', '\r\n')]),
  style('cr', (sse) => [sse.replaceAll('\n', '\r')]),
  style('crlf-split', (sse) => sse.replaceAll('\n', '\r\n').split(/(?<=\r)/)),
  style('data-without-space', (sse) => [sse.replace('data: ', 'data:')]),
  style('comments-inside', (sse) => [`: busy\n${sse.replace(/\n\n$/, '\n: busy\n\n')}`]),
  style('unknown-fields', (sse) => [`id: 7\nretry: 100\nx-other: y\n${sse}`]),
  style('unknown-events', (sse) => [`event: heartbeat\ndata: {"alive":true}\n\n${sse}`]),
  encoded('multi-line-data', ({ data }) => [
    `${JSON.stringify(data, undefined, 1)
      .split('\n')
      .map((line) => `data: ${typeof data === 'string' ? data : line}`)
      .join('\n')}\n\n`,
  ]),
  encoded('null-fields', ({ data }) => [
    `data: ${dataOf(typeof data === 'string' ? data : { ...data, usage: 'usage' in data ? data.usage : null, service_tier: null })}\n\n`,
  ]),
  encoded('empty-choices-between', ({ data }) => [
    'data: {"id":"chatcmpl-1","choices":[]}\n\ndata: {"choices":null}\n\n',
    `data: ${dataOf(data)}\n\n`,
  ]),
  encoded('null-delta-between', ({ data }) => [
    'data: {"choices":[{"index":0,"delta":null}]}\n\ndata: {"choices":[{"index":0,"delta":{"content":null}}]}\n\n',
    `data: ${dataOf(data)}\n\n`,
  ]),
  encoded('json-lines', ({ data }) => [`${dataOf(data)}\n`]),
  {
    name: 'bom',
    phases: WHOLE,
    style() {
      let first = true;
      return {
        async encode(event) {
          const bom = first ? '\ufeff' : '';
          first = false;
          return [bom + (await asSse(event)).join('')];
        },
      };
    },
    expected: () => COMPLETE,
  },
  {
    name: 'line-of-10-mb',
    phases: ['headers'],
    transports: ['node', 'undici-h2'],
    async act(reply) {
      await reply.write(`: ${'x'.repeat(10 * 1024 * 1024)}\n\n`);
      await reply.finish();
    },
    expected: () => COMPLETE,
  },
  {
    name: 'broken-event',
    phases: IN_TEXT.filter((phase) => phase !== 'arguments'),
    async act(reply) {
      await reply.write('data: {"choices":[{"delta":\n\n');
      await reply.finish();
    },
    expected: () => ({ ...COMPLETE, also: ['damaged-events'] }),
  },
];

type Compressor = ReturnType<typeof createGzip | typeof createBrotliCompress | typeof createDeflate>;

const zipped = (): Style => compressed('gzip', createGzip(), constants.Z_SYNC_FLUSH);

/** A compressed stream, with every event flushed. */
function compressed(name: string, compressor: Compressor, flush: number): Style {
  const flushed = (text: string) =>
    new Promise<readonly Uint8Array[]>((resolve) => {
      compressor.write(text);
      compressor.flush(flush, () => resolve(readAll(compressor)));
    });
  return {
    head: { headers: { ...SSE_HEAD, 'content-encoding': name } },
    encode: async (event) => flushed((await asSse(event)).join('')),
    last: () =>
      new Promise((resolve) => {
        compressor.end();
        compressor.once('end', () => resolve(parts));
        const parts: Uint8Array[] = [];
        compressor.on('data', (part: Uint8Array) => parts.push(part));
      }),
  };
}

function readAll(compressor: Compressor): readonly Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let part: Uint8Array | null = compressor.read(); part !== null; part = compressor.read())
    parts.push(part);
  return parts;
}

const brotli = (): Style => compressed('br', createBrotliCompress(), constants.BROTLI_OPERATION_FLUSH);

const IN_GZIP = IN_BODY.filter((phase) => phase !== 'headers');

export const COMPRESSIONS: readonly Fault[] = [
  { name: 'gzip', phases: WHOLE, style: zipped, expected: () => COMPLETE },
  {
    name: 'deflate',
    phases: WHOLE,
    style: () => compressed('deflate', createDeflate(), constants.Z_SYNC_FLUSH),
    expected: () => COMPLETE,
  },
  { name: 'br', phases: WHOLE, style: brotli, expected: () => COMPLETE },
  { name: 'br-cut', phases: IN_GZIP, style: brotli, act: (reply) => reply.end(), expected: cut },
  { name: 'br-fin', phases: IN_GZIP, style: brotli, act: (reply) => reply.close(), expected: lost },
  { name: 'gzip-cut', phases: IN_GZIP, style: zipped, act: (reply) => reply.end(), expected: cut },
  { name: 'gzip-fin', phases: IN_GZIP, style: zipped, act: (reply) => reply.close(), expected: lost },
  {
    name: 'gzip-reset',
    phases: IN_GZIP,
    style: zipped,
    async act(reply) {
      await reply.seen();
      reply.reset();
    },
    expected: lost,
  },
  {
    name: 'gzip-damaged',
    phases: IN_GZIP,
    style: zipped,
    async act(reply) {
      await reply.seen();
      await reply.write(Buffer.from('ffffffffffffffffffff', 'hex'));
      await reply.end();
    },
    expected: lost,
  },
  {
    name: 'gzip-named-only',
    phases: WHOLE,
    style: () => ({ head: { headers: { ...SSE_HEAD, 'content-encoding': 'gzip' } } }),
    expected: () => COMPLETE,
  },
];
