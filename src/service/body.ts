/** The body of a 200, from bytes to events: a stream of server-sent events, or whatever came in its place. */
import { createParser } from 'eventsource-parser';
import { ServiceError } from './errors.ts';
import { LONGEST_EVENT } from './limits.ts';

export type BodyEvent =
  | { readonly type: 'data'; readonly data: string; readonly event: string | undefined }
  | { readonly type: 'comment' }
  /** The body is no event stream: all of its text, once it has ended; of plain text, what the first read brought. */
  | { readonly type: 'whole'; readonly text: string };

/**
 * Reads a body as events, in batches of what one read brought. JSON and HTML are told by their first character, not
 * by the content type, which gateways get wrong. Accepts CR, LF and CRLF, a BOM, bytes split anywhere, and an end
 * without the closing blank line. What is longer than `LONGEST_EVENT` ends it with a ServiceError, after what came before.
 */
export async function* readBody(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly BodyEvent[]> {
  const decoder = new TextDecoder();
  let batch: BodyEvent[] = [];
  let parsed = false;
  const push = (event: BodyEvent) => {
    parsed = true;
    batch.push(event);
  };
  let tooLong = false;
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent: ({ data, event }) => push({ type: 'data', data, event }),
    onComment: () => push({ type: 'comment' }),
    // Fields that the format does not have are passed over, as it wants.
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') tooLong = true;
    },
  });
  // The one BOM that may stand at the start is the decoder's; the parser would take another.
  parser.feed('\ufeff');
  let start = '';
  let whole: string[] | undefined;
  let wholeLength = 0;
  let sniffed = false;
  let lineEnded = false;
  try {
    for await (const part of bytes) {
      let text = decoder.decode(part, { stream: true });
      if (!sniffed) {
        start += text;
        // All before it was white space.
        const first = text.trimStart()[0];
        if (first === undefined) {
          if (start.length > LONGEST_EVENT) throw new ServiceError('response-too-large');
          yield [];
          continue;
        }
        sniffed = true;
        if ('{[<'.includes(first)) whole = [];
        text = start;
      }
      if (whole === undefined) {
        parser.feed(text);
        if (text !== '') lineEnded = text.endsWith('\n') || text.endsWith('\r');
      } else {
        whole.push(text);
        wholeLength += text.length;
        tooLong = wholeLength > LONGEST_EVENT;
      }
      yield batch;
      batch = [];
      if (tooLong) {
        lineEnded = false;
        throw new ServiceError('response-too-large');
      }
    }
  } catch (thrown) {
    // A connection that breaks takes no complete line back.
    if (lineEnded) {
      parser.feed('\n\n');
      yield batch;
    }
    throw thrown;
  }
  const rest = decoder.decode();
  if (whole !== undefined) {
    yield [{ type: 'whole', text: whole.join('') + rest }];
    return;
  }
  if (!sniffed) return;
  // An end without the closing blank line loses nothing that had arrived.
  parser.feed(`${rest}\n\n`);
  yield parsed ? batch : [{ type: 'whole', text: start }];
}
