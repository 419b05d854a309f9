import { finished, type Readable } from 'node:stream';
import { createDeferred } from './deferred.ts';

/**
 * Yields all parts of a stream, and throws its error only after them. The iterator of the stream itself throws at once, so that
 * parts that had arrived but weren't read yet are lost. The stream is destroyed when the consumer stops iterating.
 *
 * @param failureOf returns the error of the connection, which the stream itself doesn't know
 */
export async function* drain(
  stream: Readable,
  failureOf: () => unknown = () => undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  let woken = createDeferred<void>();
  let end: { readonly error: unknown } | undefined;
  stream.on('readable', () => woken.resolve());
  // Errors after the consumer has stopped iterating are ignored.
  stream.on('error', () => undefined);
  finished(stream, { writable: false }, (error) => {
    end = { error };
    woken.resolve();
  });
  try {
    for (;;) {
      // Before the read, so that data that arrives while a part is being consumed isn't missed.
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
