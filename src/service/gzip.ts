/** Bodies that come compressed although `identity` was asked for, as some gateways send them. */
import { pipeline } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import type { TransportResponse } from './transport.ts';

/**
 * The response with its body readable. Each part is unpacked as it comes, so that a stream stays one. A body that is
 * cut short ends where it was cut, with all that came: it lacks the finish reason, which tells it (R9).
 */
export function decompress(response: TransportResponse): TransportResponse {
  const isZipped = /\bgzip\b/i.test(response.headers['content-encoding'] ?? '');
  return isZipped ? { ...response, body: unzip(response.body) } : response;
}

/** The first byte of every gzip. No text begins with it. */
const MAGIC = 0x1f;

async function* unzip(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const parts = bytes[Symbol.asyncIterator]();
  const first = await parts.next();
  if (first.done) return;
  const all = concat(first.value, parts);
  // Gateways that unpack a body forget the header that says that it is packed.
  if (first.value[0] !== MAGIC) yield* all;
  else yield* pipeline(all, createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }), ignoreEnd);
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

/** Whoever reads the pipeline gets its error. */
function ignoreEnd(): void {}
