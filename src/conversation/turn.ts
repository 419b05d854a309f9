/** A turn: an answer of the model, and its progress. */
import type { Failure } from '../service/errors.ts';
import type { Prices } from '../service/prices.ts';
import type { Outline } from './reasoning/outline.ts';
import type { RequestFacts } from './requestFacts.ts';
import type { ModelResponse } from './response.ts';
import type { CallDraft } from './toolCalls/toolCalls.ts';
import type { ToolResult } from './toolCalls/tools.ts';

/** How a turn ended. Each turn has exactly one outcome; a running turn has none. */
export type Outcome =
  | 'complete'
  | 'truncated'
  | 'spent-on-reasoning'
  | 'empty'
  | 'filtered'
  | 'interrupted'
  | 'stalled'
  | 'stopped'
  | 'failed';

/**
 * What a running turn is doing. `waiting` is the pause before a retry (E6). `calling` means that tools run.
 */
export type Phase = 'connecting' | 'first-byte' | 'waiting' | 'reasoning' | 'answering' | 'calling' | 'ended';

/** Milliseconds since the question was sent, on a monotonic clock. */
export interface Timings {
  /** When the latest request was connected. Undefined before that, and after the service has refused it. */
  readonly connected: number | undefined;
  readonly firstReasoning: number | undefined;
  readonly firstAnswer: number | undefined;
  /** The last data that arrived, including keep-alives. */
  readonly lastLife: number;
  readonly lastProgress: number;
  readonly ended: number | undefined;
}

/** A pause before a retry, with a countdown that can be canceled. */
export interface Waiting {
  readonly tries: number;
  readonly maxTries: number;
  readonly waitMs: number;
  /** When the next try is sent, in epoch milliseconds. */
  readonly until: number;
  readonly failure: Failure;
}

/**
 * `waiting` means waiting for the user's approval. `stopped` means that the user stopped the running call. A
 * call that is `not-run` was cut off or came too late.
 */
export type CallState = 'waiting' | 'running' | 'done' | 'refused' | 'stopped' | 'failed' | 'not-run';

/** A call of a finished round. Its arguments are complete. */
export interface Call extends CallDraft {
  readonly state: CallState;
  /** The result as it is sent back to the service. Undefined while the call waits or runs. */
  readonly result: ToolResult | undefined;
  /** Milliseconds since the question was sent. Undefined if the call never ran. */
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  /** How long the call waited for the user, in milliseconds. Not set if it didn't wait, and in turns of earlier versions. */
  readonly waitedMs?: number;
  /**
   * The title of a tool from another extension or server, because the definition is gone when its server doesn't run. Not set for
   * our own tools, whose titles are in the language of the editor, and in turns of earlier versions.
   */
  readonly toolTitle?: string;
}

/** A time in which a response went on without any text, in milliseconds since the question was sent. */
export interface Silence {
  readonly from: number;
  readonly to: number;
}

/** Milliseconds since the question was sent. */
export interface RoundTimes {
  readonly startedAt: number;
  readonly firstReasoning: number | undefined;
  readonly firstAnswer: number | undefined;
}

/** A request whose response ended in tool calls, with their results. */
export interface Round extends ModelResponse {
  readonly toolCalls: readonly Call[];
  readonly tries: number;
  readonly times: RoundTimes & { readonly endedAt: number };
}

/** The data from which the estimated cost of a turn is calculated. */
export interface CostBasis {
  /** The estimated cost of the input of each request, in USD. */
  readonly inputCosts: readonly number[];
  readonly prices: Prices;
  /** Tokens of the route for each estimated token of text. */
  readonly ratio: number;
}

/**
 * An answer of the model, folded from events. The latest response is in the turn itself, unless it has become
 * a round.
 */
export interface Turn extends ModelResponse {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly request: RequestFacts;
  readonly phase: Phase;
  readonly waiting: Waiting | undefined;
  /** Tries of the current request. */
  readonly tries: number;
  /** The earlier requests, all of which ended in calls. */
  readonly rounds: readonly Round[];
  readonly roundTimes: RoundTimes;
  /** The outline of the reasoning of all rounds. */
  readonly outline: Outline;
  /** The number of events that couldn't be read. They are skipped and reported. */
  readonly damagedEvents: number;
  /** The service also sent other choices, or may have. They were skipped where they could be recognized. */
  readonly otherChoices?: true;
  /** The service began another response in the same stream. The turn has the texts of both. */
  readonly begunAgain?: true;
  readonly timings: Timings;
  /** The first long silences within the responses. Not set if there were none. */
  readonly silences?: readonly Silence[];
  readonly outcome: Outcome | undefined;
  readonly failure: Failure | undefined;
  /** The estimated cost in USD of the requests whose usage the service didn't report. Counts only for the daily cap. */
  readonly estimatedCost?: number;
  /** Only for a running turn: the data from which its cost is estimated if its window never sees its end. */
  readonly costBasis?: CostBasis;
  /** The turn was interrupted because its window was closed or reloaded. */
  readonly windowClosed?: true;
  /** Epoch milliseconds. Set if the turn ended on a later day than its timings say, because the computer was asleep. */
  readonly endedOn?: number;
}
