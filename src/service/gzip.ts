/** Decompresses bodies that some gateways compress although the request asks for `identity`. */
import { pipeline, Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { drain } from './drain.ts';
import type { TransportResponse } from './transport.ts';

/**
 * The response with its body decompressed. Each part is decompressed as it arrives, so that a stream remains
 * a stream. A body that is cut off ends there without an error; the missing finish reason shows that it is
 * incomplete (R9). A body that breaks gives all that had arrived, and then its error.
 */
export function decompress(response: TransportResponse): TransportResponse {
  const isZipped = /\bgzip\b/i.test(response.headers['content-encoding'] ?? '');
  return isZipped ? { ...response, body: unzip(response.body) } : response;
}

/** The first byte of every gzip file. No text starts with it. */
const MAGIC = 0x1f;

async function* unzip(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const parts = bytes[Symbol.asyncIterator]();
  const first = await parts.next();
  if (first.done) return;
  const all = concat(first.value, parts);
  // Gateways that decompress a body don't always remove the `content-encoding` header.
  if (first.value[0] !== MAGIC) {
    yield* all;
    return;
  }
  let broken: { readonly error: unknown } | undefined;
  // For the decompressor, a break is an end, so that it still gives what it has.
  const untilBroken = async function* () {
    try {
      yield* all;
    } catch (error) {
      broken = { error };
    }
  };
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  yield* drain(pipeline(Readable.from(untilBroken(), { objectMode: true }), gunzip, ignoreEnd));
  if (broken !== undefined) throw broken.error;
}

async function* concat(
  first: Uint8Array,
  others: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield first;
    for (let next = await others.next(); !next.done; next = await others.next()) yield next.value;
  } finally {
    await others.return?.();
  }
}

/** The consumer of the pipeline gets its error. */
function ignoreEnd(): void {}
