/** Reads the body of a request, up to a limit. */
import type { IncomingMessage } from 'node:http';

/** Bytes that are read and thrown away past the limit, so that the client gets to see the refusal. */
const DISCARDED_BYTES = 64 * 1024 * 1024;

/** The body, or `too-large`, or `broken` when the client went away in the middle. */
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
