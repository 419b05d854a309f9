/** Decompresses bodies that some gateways compress although the request asks for `identity`. */
import { pipeline, Readable, type Transform } from 'node:stream';
import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  gunzipSync,
  inflateRawSync,
  inflateSync,
} from 'node:zlib';
import { drain } from './drain.ts';
import type { TransportResponse } from './transport.ts';

/** A compressed body that is cut off isn't an error. */
const CUT_IS_FINE = { finishFlush: constants.Z_SYNC_FLUSH };
const CUT_IS_FINE_IN_BROTLI = { finishFlush: constants.BROTLI_OPERATION_FLUSH };

interface Format {
  /** Whether a body that begins with these bytes can have this format. */
  begins(start: Uint8Array): boolean;
  create(): Transform;
  /** Throws if the output has more than `maxOutputLength` bytes. */
  readAll(zipped: Uint8Array, maxOutputLength: number): Uint8Array;
}

const GZIP: Format = {
  // The first byte of every gzip file. No text starts with it.
  begins: ([first]) => first === 0x1f,
  create: () => createGunzip(CUT_IS_FINE),
  readAll: (zipped, maxOutputLength) => gunzipSync(zipped, { ...CUT_IS_FINE, maxOutputLength }),
};

/** `deflate` is the zlib format (RFC 9110, 8.4.1.2). Its first byte is “x” almost always, and never begins an event. */
const ZLIB: Format = {
  begins: ([first = 0, second]) =>
    (first & 0x0f) === 8 && (second === undefined || (first * 256 + second) % 31 === 0),
  create: () => createInflate(CUT_IS_FINE),
  readAll: (zipped, maxOutputLength) => inflateSync(zipped, { ...CUT_IS_FINE, maxOutputLength }),
};

/** `deflate` without the zlib header, as some servers send it. */
const RAW_DEFLATE: Format = {
  begins: (start) => !isText(start),
  create: () => createInflateRaw(CUT_IS_FINE),
  readAll: (zipped, maxOutputLength) => inflateRawSync(zipped, { ...CUT_IS_FINE, maxOutputLength }),
};

const BROTLI: Format = {
  begins: (start) => !isText(start),
  create: () => createBrotliDecompress(CUT_IS_FINE_IN_BROTLI),
  readAll: (zipped, maxOutputLength) =>
    brotliDecompressSync(zipped, { ...CUT_IS_FINE_IN_BROTLI, maxOutputLength }),
};

/** The formats that a `content-encoding` can mean, the most certain one first. */
const FORMATS: Readonly<Record<string, readonly Format[]>> = {
  gzip: [GZIP],
  'x-gzip': [GZIP],
  deflate: [ZLIB, RAW_DEFLATE],
  br: [BROTLI],
};

/**
 * Returns the response with its body decompressed. Each part is decompressed as it arrives, so a stream remains a stream. A body
 * that is cut off ends there without an error; the missing finish reason shows that it is incomplete (R9). A body that breaks
 * gives everything that had arrived, and then throws its error. A body that was compressed several times, or in an unknown
 * format, stays as it is. Gzip is also detected without the header, because some gateways remove it.
 */
export function decompress(response: TransportResponse): TransportResponse {
  const name = encodingOf(response.headers);
  if (name === undefined) return { ...response, body: unzipUnnamed(response.body) };
  const formats = FORMATS[name];
  return formats === undefined ? response : { ...response, body: unzip(response.body, formats) };
}

/** The compression of a body in lower case, according to the headers. Undefined if it isn't compressed. */
export function encodingOf(headers: TransportResponse['headers']): string | undefined {
  const names = (headers['content-encoding'] ?? '').toLowerCase().split(',');
  const named = names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
  return named.length === 0 ? undefined : named.join(', ');
}

/** The maximum length of a compressed body that is kept, so that the text right before damage can be read again. In bytes. */
const MAX_KEPT = 1024 * 1024;
/** The maximum length of the decompressed text before the damaged part, and within it. In bytes. */
const MAX_REST = 16 * 1024 * 1024;

/** The number of bytes at the beginning that show whether a body is text. Compressed data never look like text for that long. */
const START_LENGTH = 16;

/** Whether there is nothing but printable characters and white space among these bytes of UTF-8. */
function isText(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, START_LENGTH * 2), { stream: true });
  return /^[^\p{Cc}\ufffd]*$/u.test(text.replace(/[\t\r\n]/g, ''));
}

/** Unzips a body that begins like gzip. This isn't a generator, because each part of all other bodies would have to pass through it. */
function unzipUnnamed(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const parts = body[Symbol.asyncIterator]();
      let all: AsyncIterator<Uint8Array> | undefined;
      const first = async (): Promise<IteratorResult<Uint8Array>> => {
        const part = await parts.next();
        if (part.done || part.value.length === 0) return part;
        all = GZIP.begins(part.value) ? unzipAll(concat(part.value, undefined, parts), GZIP) : parts;
        return all === parts ? part : all.next();
      };
      return {
        next: () => (all === undefined ? first() : all.next()),
        return: async () => (await (all ?? parts).return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}

async function* unzip(
  bytes: AsyncIterable<Uint8Array>,
  formats: readonly Format[],
): AsyncGenerator<Uint8Array> {
  const parts = bytes[Symbol.asyncIterator]();
  const { start, end } = await readStart(parts);
  const all = concat(start, end, parts);
  const format = formats.find(({ begins }) => begins(start));
  // Gateways that decompress a body don't always remove the `content-encoding` header.
  if (format === undefined) yield* all;
  else yield* unzipAll(all, format);
}

interface Ended {
  readonly error?: unknown;
}

/** Reads the first bytes, enough to detect the format. `end` is set if the body ended or broke before that. */
async function readStart(
  parts: AsyncIterator<Uint8Array>,
): Promise<{ readonly start: Uint8Array; readonly end: Ended | undefined }> {
  let start: Uint8Array = new Uint8Array();
  try {
    while (start.length < START_LENGTH) {
      const next = await parts.next();
      if (next.done) return { start, end: {} };
      start = start.length === 0 ? next.value : Buffer.concat([start, next.value]);
    }
  } catch (error) {
    return { start, end: { error } };
  }
  return { start, end: undefined };
}

async function* unzipAll(all: AsyncIterable<Uint8Array>, format: Format): AsyncGenerator<Uint8Array> {
  let broken: Ended | undefined;
  let kept: Uint8Array[] = [];
  let keptLength = 0;
  // A break looks like the end to the decompressor, so that it still gives everything it has.
  const untilBroken = async function* () {
    try {
      for await (const part of all) {
        keptLength += part.length;
        if (keptLength > MAX_KEPT) kept = [];
        else kept.push(part);
        yield part;
      }
    } catch (error) {
      broken = { error };
    }
  };
  let given = 0;
  try {
    for await (const part of drain(
      pipeline(Readable.from(untilBroken(), { objectMode: true }), format.create(), ignoreEnd),
    )) {
      given += part.length;
      yield part;
    }
  } catch (error) {
    const rest = beforeDamage(Buffer.concat(kept), given, format).subarray(given);
    if (rest.length > 0) yield rest;
    throw error;
  }
  if (broken !== undefined) throw broken.error;
}

/**
 * Decompresses everything before the damage. The decompressor discards its output of the damaged part, so this searches for the
 * longest beginning without damage. Returns nothing if more than `MAX_REST` bytes came before, because reading them again blocks
 * the extension host.
 */
function beforeDamage(zipped: Uint8Array, given: number, { readAll }: Format): Uint8Array {
  // A few compressed bytes can become very many.
  if (given > MAX_REST) return new Uint8Array();
  let best: Uint8Array = new Uint8Array();
  let good = 0;
  let bad = zipped.length + 1;
  while (bad - good > 1) {
    const length = Math.floor((good + bad) / 2);
    try {
      best = readAll(zipped.subarray(0, length), given + MAX_REST);
      good = length;
    } catch {
      bad = length;
    }
  }
  return best;
}

async function* concat(
  start: Uint8Array,
  end: Ended | undefined,
  others: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    if (start.length > 0) yield start;
    if (end !== undefined && 'error' in end) throw end.error;
    if (end !== undefined) return;
    for (let next = await others.next(); !next.done; next = await others.next()) yield next.value;
  } finally {
    await others.return?.();
  }
}

/** The consumer of the pipeline gets its error. */
function ignoreEnd(): void {}
