/** Messages of an answer in parts that are not on the page: they are requested from the host before the answer is compared. */

import type { ExchangeView } from '../../panel/views.ts';
import type { WebviewMessage } from '../../panel/webviewMessages.ts';
import type { AnswerParts } from './answerParts.ts';

export interface MissingParts {
  /** Requests what is missing, and runs this again when it has come. False if nothing is, or if it did not come. */
  request(parts: AnswerParts, again: () => void): boolean;
  /** Messages have come that may have been requested. */
  arrived(): void;
  /** What was asked for is no longer wanted. */
  forget(): void;
}

export interface MissingPartsDeps {
  post(message: WebviewMessage): void;
  exchanges(): readonly ExchangeView[];
  /** Runs after the next drawing. */
  afterDrawing(run: () => void): void;
}

export function createMissingParts({ post, exchanges, afterDrawing }: MissingPartsDeps): MissingParts {
  /** With the number of messages when more were requested. */
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
