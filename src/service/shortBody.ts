/** Reads bodies as a whole: those of errors, and lists of models. */
import { createDeferred } from './deferred.ts';

/** Time limit for reading the body of an error response, in milliseconds. */
const ERROR_BODY_MS = 10_000;

/** Yields the part of a body that arrives within the time limit, in milliseconds. */
async function* within(bytes: AsyncIterable<Uint8Array>, ms: number): AsyncGenerator<Uint8Array> {
  const parts = bytes[Symbol.asyncIterator]();
  const late = createDeferred<void>();
  const timer = setTimeout(late.resolve, ms);
  try {
    for (;;) {
      // The race also handles a read that fails after the time limit.
      const step = await Promise.race([parts.next(), late.promise]);
      if (!step || step.done === true) return;
      yield step.value;
    }
  } finally {
    clearTimeout(timer);
  }
}

/** The maximum length of an error body or a model list, in characters. */
const MAX_BODY_LENGTH = 4 * 1024 * 1024;

/** The body of an error, as far as it arrives in time: the status alone is usually enough. */
export const readErrorText = (bytes: AsyncIterable<Uint8Array>, ms = ERROR_BODY_MS): Promise<string> =>
  readBodyText(within(bytes, ms), true);

/** @param cutIsFine whether to return the part of a broken body that has arrived, instead of throwing the error */
export async function readBodyText(bytes: AsyncIterable<Uint8Array>, cutIsFine = false): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const part of bytes) {
      text += decoder.decode(part, { stream: true });
      if (text.length > MAX_BODY_LENGTH) break;
    }
  } catch (thrown) {
    if (!cutIsFine) throw thrown;
  }
  return text + decoder.decode();
}
