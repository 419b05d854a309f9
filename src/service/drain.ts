import { finished, type Readable } from 'node:stream';
import { createDeferred } from './deferred.ts';

/**
 * The parts of a stream, and only then its error, if it breaks. The iterator of a stream itself throws at once, and
 * what had arrived but wasn't read yet is lost. The stream is destroyed when the consumer leaves.
 *
 * @param failureOf the error of its connection, which the stream itself doesn't know
 */
export async function* drain(
  stream: Readable,
  failureOf: () => unknown = () => undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  let woken = createDeferred<void>();
  let end: { readonly error: unknown } | undefined;
  stream.on('readable', () => woken.resolve());
  // An error after the consumer has left concerns nobody.
  stream.on('error', () => undefined);
  finished(stream, { writable: false }, (error) => {
    end = { error };
    woken.resolve();
  });
  try {
    for (;;) {
      // Before the read: what arrives while a part is being consumed must not be missed.
      woken = createDeferred<void>();
      const part: Uint8Array | null = stream.read();
      if (part !== null) yield part;
      else if (end === undefined) await woken.promise;
      else {
        const error = end.error ?? failureOf();
        if (error) throw error;
        return;
      }
    }
  } finally {
    stream.destroy();
  }
}
