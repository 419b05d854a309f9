/**
 * Converts the body of a 200 response from bytes to events: server-sent events, or the complete text of any
 * other body.
 */
import { createParser } from 'eventsource-parser';
import { ServiceError } from './errors.ts';
import { asObject, parseJson } from './json.ts';
import { MAX_EVENT_LENGTH } from './limits.ts';

export type BodyEvent =
  | { readonly type: 'data'; readonly data: string; readonly event: string | undefined }
  | { readonly type: 'comment' }
  /**
   * The body isn't an event stream. For JSON and HTML, the complete text after the body ends; for plain text,
   * the result of the first read. If `cut`, the stream broke, and the text is what had arrived.
   */
  | { readonly type: 'whole'; readonly text: string; readonly cut?: true };

/**
 * Reads a body as events, in one batch per read. JSON and HTML are detected by their first character, not by
 * the content type, because gateways get it wrong. Accepts CR, LF, and CRLF, a BOM, bytes that are split
 * anywhere, and an end without the closing blank line. If an event or body is longer than `MAX_EVENT_LENGTH`,
 * yields what came before it and throws a ServiceError.
 */
export async function* readBody(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly BodyEvent[]> {
  // Node's decoder removes a second BOM as well when the first one is split, so the one that is allowed is removed below.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let batch: BodyEvent[] = [];
  let parsed = false;
  const push = (event: BodyEvent) => {
    parsed = true;
    batch.push(event);
  };
  let tooLong = false;
  const parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: ({ data, event }) => push({ type: 'data', data, event }),
    onComment: () => push({ type: 'comment' }),
    // The event stream format requires that unknown fields are ignored.
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') tooLong = true;
    },
  });
  // The one BOM that is allowed is removed below, for every kind of body. Without this, the parser would remove a
  // second one.
  parser.feed('\ufeff');
  let start = '';
  let whole: string[] | undefined;
  let wholeLength = 0;
  let sniffed = false;
  // What follows the last line end.
  let line = '';
  try {
    for await (const part of bytes) {
      let text = decoder.decode(part, { stream: true });
      if (!sniffed) {
        start += text;
        // Everything before this was white space.
        const first = text.trimStart()[0];
        if (first === undefined) {
          if (start.length > MAX_EVENT_LENGTH) throw new ServiceError('response-too-large');
          yield [];
          continue;
        }
        sniffed = true;
        if ('{[<'.includes(first)) whole = [];
        start = start.replace(/^\ufeff/, '');
        text = start;
      }
      if (whole === undefined) {
        parser.feed(text);
        const lineStart = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
        line = lineStart === 0 ? line + text : text.slice(lineStart);
      } else {
        whole.push(text);
        wholeLength += text.length;
        tooLong = wholeLength > MAX_EVENT_LENGTH;
      }
      yield batch;
      batch = [];
      if (tooLong) throw new ServiceError('response-too-large');
    }
  } catch (thrown) {
    if (tooLong) throw thrown;
    // When the connection breaks, lines that are complete still count.
    if (whole !== undefined) yield [{ type: 'whole', text: whole.join(''), cut: true }];
    else if (isWholeLine(line)) {
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
  // If the closing blank line is missing, the last event still counts.
  parser.feed(`${rest}\n\n`);
  yield parsed ? batch : [{ type: 'whole', text: start }];
}

/** Whether the last line is complete, although its end can be missing. The beginning of a JSON object isn't JSON. */
function isWholeLine(line: string): boolean {
  if (line === '') return true;
  const data = line.startsWith('data:') ? line.slice('data:'.length).trim() : '';
  return data === '[DONE]' || asObject(parseJson(data)) !== undefined;
}
