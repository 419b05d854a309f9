/** Requests messages of an answer in parts that are not on the page, before the answer is compared. */

import type { ExchangeView } from '../../panel/views.ts';
import type { WebviewMessage } from '../../panel/webviewMessages.ts';
import type { AnswerParts } from './answerParts.ts';

export interface MissingParts {
  /** Requests missing messages, and calls `again` when they have arrived. Returns false if none is missing, or if they did not arrive. */
  request(parts: AnswerParts, again: () => void): boolean;
  /** Call this when messages have arrived that may have been requested. */
  arrived(): void;
  /** Drops the request. */
  forget(): void;
}

export interface MissingPartsDeps {
  post(message: WebviewMessage): void;
  exchanges(): readonly ExchangeView[];
  /** Runs after the next drawing. */
  afterDrawing(run: () => void): void;
}

export function createMissingParts({ post, exchanges, afterDrawing }: MissingPartsDeps): MissingParts {
  /** The pending request, with the number of messages at the time of the request. */
  let waiting: { readonly count: number; readonly again: () => void } | undefined;
  return {
    request({ missing }, again) {
      const count = exchanges().length;
      const isNew = waiting === undefined || waiting.count < count;
      waiting = undefined;
      if (missing === undefined || !isNew) return false;
      waiting = { count, again };
      post(missing);
      return true;
    },
    arrived() {
      if (waiting !== undefined) afterDrawing(waiting.again);
    },
    forget() {
      waiting = undefined;
    },
  };
}
