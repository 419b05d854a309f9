import type { StreamEvent } from '../service/client.ts';
import type { Failure } from '../service/errors.ts';
import type { Call, PrefixPart, Turn } from './turn.ts';

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

/** Text that was added at the end of the reasoning and of the answer of a turn's current round. */
export interface AppendedText {
  readonly reasoning: string;
  readonly answer: string;
}

/** A turn before and after an event. */
export interface TurnStep {
  readonly before: Turn;
  readonly turn: Turn;
  /** Undefined when text changed in another way: it moved from the answer to the reasoning, or a round ended. */
  readonly appended: AppendedText | undefined;
}
