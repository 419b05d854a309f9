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
  // Node's decoder removes a second BOM as well when the first one is split, so the one that is allowed is removed below.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let start = '';
  let reader: TextReader | undefined;
  return {
    read(part) {
      const text = decoder.decode(part, { stream: true });
      if (reader !== undefined) return reader.read(text);
      start += text;
      // Everything before this was white space.
      const first = text.trimStart()[0];
      if (first !== undefined) {
        reader = '{[<'.includes(first) ? createWholeReader(onEvent) : createEventReader(onEvent);
        reader.read(start.replace(/^\ufeff/, ''));
      } else if (start.length > MAX_EVENT_LENGTH) throw new ServiceError('response-too-large');
    },
    end() {
      reader?.end(decoder.decode());
    },
    cut() {
      reader?.cut();
    },
  };
}
