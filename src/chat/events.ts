import type { StreamEvent } from '../service/client.ts';
import type { Failure } from '../service/errors.ts';
import type { Call, PrefixPart } from './turn.ts';

/** The end of a turn: the body ended, the reader stopped it, an error broke it off, or its rounds were used up. */
export interface TurnEnd {
  readonly type: 'ended';
  readonly by: 'service' | 'reader' | 'error' | 'limit';
  readonly failure: Failure | undefined;
}

/** What happens between two requests of a turn whose model calls tools. */
export type LoopEvent =
  /** The service ended with calls: what it said is a round, and its calls are as given. */
  | { readonly type: 'round-ended'; readonly calls: readonly Call[] }
  /** A call of the latest round is another now. */
  | { readonly type: 'call-changed'; readonly index: number; readonly call: Call }
  /** The next request goes out: the one before, with these parts after it. */
  | { readonly type: 'round-begun'; readonly added: readonly PrefixPart[] };

/** Something that happened to a turn, `at` milliseconds after it began, on a clock that never jumps. */
export interface TurnEvent {
  readonly at: number;
  readonly event: StreamEvent | LoopEvent | TurnEnd;
}
