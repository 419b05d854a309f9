import type { StreamEvent } from '../service/client.ts';
import type { Failure } from '../service/errors.ts';

/** The end of a turn: the body ended, the reader stopped it, or an error broke it off. */
export interface TurnEnd {
  readonly type: 'ended';
  readonly by: 'service' | 'reader' | 'error';
  readonly failure: Failure | undefined;
}

/** Something that happened to a turn, `at` milliseconds after it began, on a clock that never jumps. */
export interface TurnEvent {
  readonly at: number;
  readonly event: StreamEvent | TurnEnd;
}
