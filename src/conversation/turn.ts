import type { Failure } from '../service/errors.ts';
import type { Prices } from '../service/limits.ts';
import type { ReasoningEffort, RouteKind } from '../service/types.ts';
import type { RefusedField } from './outcomes/refusedFields.ts';
import { type Origin, type Preset, type Question, withPreset } from './question.ts';
import type { Outline } from './reasoning/outline.ts';
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

/** The parameters of the request. Stored with the turn, so that the response can be checked against them. */
export interface RequestFacts {
  readonly routeName: string;
  readonly routeKind: RouteKind;
  readonly model: string;
  /** The output budget in tokens, as sent. Undefined uses the service's default. */
  readonly maxCompletionTokens: number | undefined;
  /** The requested budget, if it was above the ceiling (Q8). */
  readonly clampedFrom: number | undefined;
  readonly effort: ReasoningEffort | undefined;
  /**
   * The question as sent, if it differs from the question's text, for example with reasoning to continue
   * from.
   */
  readonly prompt: string | undefined;
  /** The lines that the question is about, if they were other ones when it was asked again. */
  readonly origin?: Origin;
  /** The preset that it was asked with, if that is not the one of the question. */
  readonly preset?: Preset | 'none';
  /** What the user chose for this attempt in place of the settings. */
  readonly chosen?: ChosenRequest;
  /** What was left out because the route refuses it. */
  readonly leftOut?: readonly RefusedField[];
  /** The effort is one that routes can ignore, and a probe of this route had seen that it works. */
  readonly effortWorks?: true;
  /** The demo answered. It is part of the extension, so nothing is billed. */
  readonly demo?: true;
  /** The parts of the latest request, in the order in which they are sent, for the cache check (R11). */
  readonly prefix: Prefix;
  /** A hash of the requested format of the answer, for the cache check. Not set for text. */
  readonly answerFormat?: string;
  /** A hash of what the user decided about the tools, for the cache check. Earlier versions didn't record it. */
  readonly toolChoice?: string;
  /** Every content was sent as an array of objects, because of an image (Q5). */
  readonly contentParts?: ContentPartsFact;
  /** Results of tools that are no longer sent, each time because the request would have been too long. */
  readonly omitted?: readonly OmittedResults[];
}

export interface ChosenRoute {
  readonly name: string;
  /** The name of the active route then; empty if there was none. */
  readonly insteadOf: string;
  /** A hash of where it leads, by which it is found under another name. */
  readonly place?: string;
}

export interface ChosenRequest {
  readonly route?: ChosenRoute;
  readonly effort?: ReasoningEffort | 'default';
  /** What the route has refused. */
  readonly leaveOut?: readonly RefusedField[];
}

/** A result of a round of the turn. Both numbers count from 0. */
export interface OmittedResult {
  readonly round: number;
  readonly index: number;
  /** Estimated. */
  readonly tokens: number;
}

/** A result of a turn before it in the conversation. */
export interface EarlierResult extends OmittedResult {
  /** The id of that turn. */
  readonly turn: string;
}

/** What is left out of a request. */
export interface Omission {
  readonly results: readonly OmittedResult[];
  /** Of earlier turns. Versions that don't know it send them. */
  readonly earlier?: readonly EarlierResult[];
}

export interface OmittedResults extends Omission {
  /** The first request of the turn without them, from 0. */
  readonly fromRound: number;
}

/** The calls of a round whose results are no longer sent, by their index. */
export const omittedIn = (
  { request: { omitted = [] } }: Pick<Turn, 'request'>,
  at: number,
): ReadonlySet<number> =>
  new Set(
    omitted.flatMap(({ results }) => results.filter(({ round }) => round === at).map(({ index }) => index)),
  );

export interface ContentPartsFact {
  /** The first request of the turn that was sent so, from 0. */
  readonly fromRound: number;
  /** The service refused that request before. Otherwise, it had refused an earlier turn's. */
  readonly refused: boolean;
}

/**
 * The parts of a request, as text: for each part 8 characters, the letter of what it is and 7 hexadecimal digits of its
 * hash (`prefix.ts`). Each turn has a part for each earlier message, so a part has to be small.
 */
export type Prefix = string;

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
  /** How long it waited for the user, in milliseconds. Not set for a call that didn't, or of an earlier version. */
  readonly waitedMs?: number;
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

/** What the estimated cost of a turn is calculated from. */
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
  /** The number of events that were not JSON. They are skipped and reported. */
  readonly damagedEvents: number;
  /** The service sent other answers as well, which were skipped. */
  readonly otherChoices?: true;
  readonly timings: Timings;
  /** The first long silences within the responses. Not set if there were none. */
  readonly silences?: readonly Silence[];
  readonly outcome: Outcome | undefined;
  readonly failure: Failure | undefined;
  /** USD, estimated, of requests whose usage the service didn't report. It counts for the daily cap only. */
  readonly estimatedCost?: number;
  /** Of a turn that runs: what its estimated cost is calculated from if its window never sees its end. */
  readonly costBasis?: CostBasis;
  /** It was interrupted because its window was closed or reloaded. */
  readonly windowClosed?: true;
}

/** A question and all its attempts. The attempt that is shown is the one that later requests contain. */
export interface Exchange {
  readonly id: string;
  readonly question: Question;
  readonly attempts: readonly Turn[];
  /** Index into `attempts`. */
  readonly shown: number;
}

/** Exchanges that were replaced when an earlier question was edited. */
export interface Branch {
  /** The exchange before the branch. Undefined if the branch starts at the beginning of the conversation. */
  readonly after: string | undefined;
  readonly exchanges: readonly Exchange[];
}

export interface Conversation {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly title: string;
  /** The user entered the title. Otherwise, it is the first question. */
  readonly named: boolean;
  readonly pinned: boolean;
  /**
   * Where the conversation was started, as a label: the workspace's name and address. It belongs to the
   * conversation, not to a path.
   */
  readonly workspace: string | undefined;
  /** The conversation that this one was forked from. */
  readonly forkedFrom: string | undefined;
  /** The exchanges that are shown and sent. */
  readonly exchanges: readonly Exchange[];
  readonly branches: readonly Branch[];
}

/**
 * The question as it was asked for an attempt: the lines that it is about may have changed since the first one, and the
 * attempt may have a preset of its own.
 */
export function askedQuestion({ question }: Pick<Exchange, 'question'>, { request }: Turn): Question {
  const { origin, preset } = request;
  return withPreset(origin === undefined ? question : { ...question, origin }, preset);
}

/** The question of an exchange as the shown attempt asked it: about the lines where its code was then. */
export function shownQuestion(exchange: Exchange): Question {
  const turn = shownTurn(exchange);
  return turn === undefined ? exchange.question : askedQuestion(exchange, turn);
}

/** The turn of an exchange that is shown. Undefined if the exchange has no turn yet. */
export function shownTurn(exchange: Exchange): Turn | undefined {
  return exchange.attempts[exchange.shown];
}
