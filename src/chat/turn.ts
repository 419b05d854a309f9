import type { Failure } from '../service/errors.ts';
import type { ReasoningEffort, RouteKind } from '../service/types.ts';
import type { AnswerFormat } from './answerFormat.ts';
import type { ContextItem } from './context.ts';
import type { Outline } from './outline.ts';
import type { ModelResponse } from './response.ts';
import type { CallDraft } from './toolCalls.ts';
import type { ToolResult } from './tools.ts';

/** How a turn ended; every turn ends in exactly one of them. `running` is the absence of an outcome. */
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

/** What a running turn is doing. `waiting` is the pause before another try (E6); `calling`, that tools run. */
export type Phase = 'connecting' | 'first-byte' | 'waiting' | 'reasoning' | 'answering' | 'calling' | 'ended';

/** What was asked of the service: recorded with the turn, so that what came back can be checked against it. */
export interface RequestFacts {
  readonly routeName: string;
  readonly routeKind: RouteKind;
  readonly model: string;
  /** Output budget in tokens as sent; undefined leaves the service's default. */
  readonly maxCompletionTokens: number | undefined;
  /** The budget the user wished, when it was above the ceiling (Q8). */
  readonly clampedFrom: number | undefined;
  readonly effort: ReasoningEffort | undefined;
  /** The question as sent, when it is not just the question's text: with reasoning to go on from. */
  readonly prompt: string | undefined;
  /** The demo answered, which is part of the extension: nothing is billed. */
  readonly demo?: true;
  /** One hash per part of the latest request, in the order in which it is sent, for the cache guard (R11). */
  readonly prefix: readonly PrefixPart[];
}

export interface PrefixPart {
  readonly label: 'model' | 'system' | 'tools' | 'message';
  readonly hash: string;
}

/** Milliseconds on a clock that never jumps, from the moment the user asked. */
export interface Timings {
  readonly connected: number | undefined;
  readonly firstReasoning: number | undefined;
  readonly firstAnswer: number | undefined;
  /** The last sign of life, keep-alives included. */
  readonly lastLife: number;
  readonly lastProgress: number;
  readonly ended: number | undefined;
}

/** A pause before another try, with a countdown that can be cancelled. */
export interface Waiting {
  readonly tries: number;
  readonly maxTries: number;
  readonly waitMs: number;
  /** Epoch milliseconds at which the next try goes out. */
  readonly until: number;
  readonly failure: Failure;
}

/**
 * `waiting` is for the reader's permission; the reader `stopped` one that ran; a call that is `not-run` was cut off, or
 * came too late.
 */
export type CallState = 'waiting' | 'running' | 'done' | 'refused' | 'stopped' | 'failed' | 'not-run';

/** A call of a round that ended: its arguments are whole, and what became of it is known. */
export interface Call extends CallDraft {
  readonly state: CallState;
  /** As it goes back to the service. Undefined while it waits or runs. */
  readonly result: ToolResult | undefined;
  /** Milliseconds from the moment the user asked; undefined when it never ran. */
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
}

/** Milliseconds from the moment the user asked. */
export interface RoundTimes {
  readonly startedAt: number;
  readonly firstReasoning: number | undefined;
  readonly firstAnswer: number | undefined;
}

/** A request whose answer was calls, with what they gave. */
export interface Round extends ModelResponse {
  readonly toolCalls: readonly Call[];
  readonly tries: number;
  readonly times: RoundTimes & { readonly endedAt: number };
}

/** One answer of the service, folded from events. What was said last stands in the turn itself, unless it is a round. */
export interface Turn extends ModelResponse {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly request: RequestFacts;
  readonly phase: Phase;
  readonly waiting: Waiting | undefined;
  /** Tries of the request that is under way. */
  readonly tries: number;
  /** The requests before, which all ended in calls. */
  readonly rounds: readonly Round[];
  readonly roundTimes: RoundTimes;
  /** Of the reasoning of all rounds. */
  readonly outline: Outline;
  /** Events of the stream that were no JSON; they are skipped, counted and told. */
  readonly damagedEvents: number;
  readonly timings: Timings;
  readonly outcome: Outcome | undefined;
  readonly failure: Failure | undefined;
}

/** An image of a question: bytes as a `data:` address, or `ms://<file_id>`. */
export interface ImageAttachment {
  readonly name: string;
  readonly url: string;
  /** Kept in the conversation, and not sent any more. */
  readonly omitted?: true;
}

/** Where a question came from, when an editor command asked it. Lines count from 0, the last one included. */
export interface Origin {
  readonly uri: string;
  readonly startLine: number;
  readonly endLine: number;
  /** These lines as they were sent, by which they are found again when the file has changed since. */
  readonly text?: string;
}

/**
 * What an answer is for, when it is not only to be read: a change of the lines that were sent, tests for them, remarks
 * on them, a commit message. It decides the form that the service is asked for.
 */
export type Purpose = 'proposal' | 'tests' | 'findings' | 'commit-message';

export interface Question {
  readonly text: string;
  readonly images: readonly ImageAttachment[];
  /** What stands before its words: files, selections and the like. */
  readonly context?: readonly ContextItem[];
  readonly origin: Origin | undefined;
  readonly purpose?: Purpose;
  /** The proposal that is to be revised. */
  readonly revises?: string;
  /** The form that the answer is asked to have; a purpose brings its own. */
  readonly format?: AnswerFormat;
}

/** A question and every answer it was given; the one that is shown is also the one that later requests carry. */
export interface Exchange {
  readonly id: string;
  readonly question: Question;
  readonly attempts: readonly Turn[];
  /** Index into `attempts`. */
  readonly shown: number;
}

/** Exchanges that were put aside when an earlier question was edited: another way the conversation went. */
export interface Branch {
  /** The exchange that they follow; undefined at the beginning of the conversation. */
  readonly after: string | undefined;
  readonly exchanges: readonly Exchange[];
}

export interface Conversation {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly title: string;
  /** The reader gave the title; otherwise it is the first question. */
  readonly named: boolean;
  readonly pinned: boolean;
  /** Where it began, as a label: the workspace's name and address. It belongs to its id, not to a path. */
  readonly workspace: string | undefined;
  /** The conversation that it was forked from. */
  readonly forkedFrom: string | undefined;
  /** The way that is shown, and that requests carry. */
  readonly exchanges: readonly Exchange[];
  readonly branches: readonly Branch[];
}

/** The turn of an exchange that is shown, if any was begun. */
export function shownTurn(exchange: Exchange): Turn | undefined {
  return exchange.attempts[exchange.shown];
}
