import type { StreamEvent } from '../service/client.ts';
import type { Failure } from '../service/errors.ts';
import type { ChatRequest } from '../service/types.ts';
import type { Omission } from './requestFacts.ts';
import type { SentReasoning } from './requestMessages/replay.ts';
import type { Call, Turn } from './turn.ts';

/**
 * Why a turn ended: the body ended, the user stopped it, an error occurred, it reached the maximum number of
 * rounds, or its window was closed.
 */
export interface TurnEnd {
  readonly type: 'ended';
  readonly by: 'service' | 'user' | 'error' | 'limit' | 'window';
  readonly failure: Failure | undefined;
}

/** Events between two requests of a turn whose model calls tools. */
export type LoopEvent =
  /** The response ended with tool calls. It becomes a round, with these calls. */
  | { readonly type: 'round-ended'; readonly calls: readonly Call[] }
  /** A call of the latest round changed. */
  | { readonly type: 'call-changed'; readonly index: number; readonly call: Call }
  /** The next request is sent: the previous one, followed by these parts (`requestPrefix.ts`). */
  | { readonly type: 'round-begun'; readonly added: string }
  /** The request that was begun is sent without these tool results. */
  | {
      readonly type: 'results-omitted';
      readonly omission: Omission;
      readonly prefix: string;
    }
  /** The service refused the request, and it isn't sent in another form. */
  | { readonly type: 'refused' }
  | ContentPartsEvent
  | CallsAsTextEvent
  | OtherReasoningEvent;

/** The request is sent with every content as an array of objects. `refused` if the service refused it in the usual form. */
export interface ContentPartsEvent {
  readonly type: 'content-parts';
  readonly request: ChatRequest;
  readonly prefix: string;
  readonly refused: boolean;
}

/** The request is sent with calls without reasoning as text, after the service refused it in the usual form. */
export interface CallsAsTextEvent {
  readonly type: 'calls-as-text';
  readonly request: ChatRequest;
  readonly prefix: string;
}

/** The request is sent without reasoning, or with it under the documented name, after the service refused it in the usual form. */
export interface OtherReasoningEvent {
  readonly type: 'other-reasoning';
  readonly sent: SentReasoning;
  readonly request: ChatRequest;
  readonly prefix: string;
}

/** An event of a turn, `at` milliseconds after the turn started, on a monotonic clock. */
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
  /**
   * Undefined if the text changed in another way: it moved from the answer to the reasoning, or a round
   * ended.
   */
  readonly appended: AppendedText | undefined;
  /** The event was a keep-alive, which changes nothing but the time. */
  readonly keptAlive?: true;
}
