/**
 * Converts the body of a 200 response from bytes to events: server-sent events, or the complete text of any
 * other body.
 */
import type { BodyEvent, BodyReader, TextReader } from './bodyTypes.ts';
import { ServiceError } from './errors.ts';
import { createEventReader } from './eventBody.ts';
import { MAX_EVENT_LENGTH } from './limits.ts';
import { createWholeReader } from './wholeBody.ts';

/**
 * Reads a body as events, each as soon as it is complete. JSON and HTML are detected by their first character, not by
 * the content type, because gateways get it wrong. Accepts CR, LF, and CRLF, and a BOM. If an event or body is longer
 * than `MAX_EVENT_LENGTH`, gives what came before it and throws a ServiceError.
 */
export function createBodyReader(onEvent: (event: BodyEvent) => void): BodyReader {
  // If the first BOM is split, Node's decoder also removes a second one. So the decoder keeps BOMs, and the first one is removed
  // below.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let start = '';
  let reader: TextReader | undefined;
  return {
    read(part) {
      const text = decoder.decode(part, { stream: true });
      if (reader !== undefined) return reader.read(text);
      start += text;
      // Only white space has arrived before this text.
      const first = text.trimStart()[0];
      if (first !== undefined) {
        reader = '{[<'.includes(first) ? createWholeReader(onEvent) : createEventReader(onEvent);
        reader.read(start.replace(/^\ufeff/, ''));
      } else if (start.length > MAX_EVENT_LENGTH) throw new ServiceError('response-too-large');
    },
    end() {
      // If the last bytes are the beginning of a character, they stay in the decoder: they are no text.
      reader?.end();
    },
    cut() {
      reader?.cut();
    },
  };
}
