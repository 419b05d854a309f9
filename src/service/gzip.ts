/** Decompresses bodies that some gateways compress although the request asks for `identity`. */
import { pipeline, Readable } from 'node:stream';
import { constants, createGunzip, gunzipSync } from 'node:zlib';
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

/** The longest compressed body that is kept in order to read again what came right before damage; in bytes. */
const MAX_KEPT = 1024 * 1024;
/** The most that can come from the part with the damage, in bytes. */
const MAX_REST = 16 * 1024 * 1024;

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
  let kept: Uint8Array[] = [];
  let keptLength = 0;
  // For the decompressor, a break is an end, so that it still gives what it has.
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
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  let given = 0;
  try {
    for await (const part of drain(
      pipeline(Readable.from(untilBroken(), { objectMode: true }), gunzip, ignoreEnd),
    )) {
      given += part.length;
      yield part;
    }
  } catch (error) {
    const rest = beforeDamage(Buffer.concat(kept), given).subarray(given);
    if (rest.length > 0) yield rest;
    throw error;
  }
  if (broken !== undefined) throw broken.error;
}

/**
 * All bytes before the damage, decompressed. The decompressor throws away what it had from the part with the damage, so
 * the longest beginning without damage is searched for. Empty if not even the first `given` bytes can be had again.
 */
function beforeDamage(zipped: Uint8Array, given: number): Uint8Array {
  let best: Uint8Array = new Uint8Array();
  let good = 0;
  let bad = zipped.length + 1;
  while (bad - good > 1) {
    const length = Math.floor((good + bad) / 2);
    try {
      best = gunzipSync(zipped.subarray(0, length), {
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: given + MAX_REST,
      });
      good = length;
    } catch {
      bad = length;
    }
  }
  return best;
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
