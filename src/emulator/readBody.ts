/** Reads the body of a request, up to a limit. */
import type { IncomingMessage } from 'node:http';

/** Number of bytes over the limit that are read and discarded, so that the client can read the refusal. */
const DISCARDED_BYTES = 64 * 1024 * 1024;

/** The body, `too-large`, or `broken` when the client disconnected before the end. */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Buffer | 'too-large' | 'broken'> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of request) {
      const bytes = Buffer.from(piece);
      length += bytes.length;
      if (length > maxBytes + DISCARDED_BYTES) break;
      if (length <= maxBytes) pieces.push(bytes);
    }
  } catch {
    return 'broken';
  }
  return length > maxBytes ? 'too-large' : Buffer.concat(pieces);
}
