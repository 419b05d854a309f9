/** A service that sends a piece of an answer, or ends the answer, when the test says so. */
import { createDeferred } from '../../../src/service/deferred.ts';
import type { Transport } from '../../../src/service/transport.ts';
import { chunkOf, sse, USAGE_CHUNK, utf8 } from '../../unit/service/wire.ts';

export type End = 'complete' | 'cut';

export interface PlayedRequest {
  /** The number of the request, from 1. Each piece of its answer has this number. */
  readonly number: number;
  /** The window that sent it. */
  readonly owner: string;
  /** The text of the question. */
  readonly question: string;
  /** The part of the answer that was sent. */
  text: string;
  /** The part that was sent long enough ago to be on the disk. */
  saved: string;
  /**
   * How the answer ended; undefined while it runs. `stopped` by the user, `lost` with its window; `unsure` if its window was
   * killed while it wrote the end.
   */
  end: End | 'stopped' | 'lost' | 'unsure' | undefined;
  /** Whether its window has written the end. */
  endSaved: boolean;
  /** Sends the next piece. */
  push(): void;
  finish(how: End): void;
}

export interface PlayedService {
  readonly requests: readonly PlayedRequest[];
  transportOf(owner: string): Transport;
}

export function playService(): PlayedService {
  const requests: PlayedRequest[] = [];
  return {
    requests,
    transportOf: (owner) => async (request) => {
      const waiting: (string | Error | undefined)[] = [];
      let wake = createDeferred<void>();
      const put = (piece: string | Error | undefined) => {
        waiting.push(piece);
        wake.resolve();
      };
      const played: PlayedRequest = {
        number: requests.length + 1,
        owner,
        question: questionIn(request.body ?? ''),
        text: '',
        saved: '',
        end: undefined,
        endSaved: false,
        push() {
          const piece = `r${played.number}.${played.text.length} `;
          played.text += piece;
          put(sse(chunkOf({ content: piece })));
        },
        finish(how) {
          played.end = how;
          if (how === 'cut') return put(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
          put(sse(chunkOf({}, 'stop'), USAGE_CHUNK, '[DONE]'));
          put(undefined);
        },
      };
      requests.push(played);
      request.onConnected?.();
      request.signal.addEventListener('abort', () => {
        played.end ??= 'stopped';
        put(new DOMException('aborted', 'AbortError'));
      });
      async function* body() {
        for (;;) {
          while (waiting.length === 0) {
            await wake.promise;
            wake = createDeferred();
          }
          const piece = waiting.shift();
          if (piece === undefined) return;
          if (piece instanceof Error) throw piece;
          yield utf8(piece);
        }
      }
      played.push();
      return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: body() };
    },
  };
}

/** The text of the last question in the body of a request. */
function questionIn(body: string): string {
  const { messages } = JSON.parse(body) as { messages: { role: string; content: unknown }[] };
  const { content } = messages.findLast(({ role }) => role === 'user') ?? {};
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [];
  return parts.map((part) => part.text ?? '').join('');
}
