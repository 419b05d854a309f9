/**
 * Decoders for turns and rounds in the database and in exported files. Fields that were added by later versions have
 * defaults; unknown fields are kept.
 */
import * as v from 'valibot';
import { EMPTY_OUTLINE, type Outline, type ReasoningStep } from '../conversation/reasoning/outline.ts';
import { EMPTY_RESPONSE, type ModelResponse } from '../conversation/response.ts';
import type { CallDraft } from '../conversation/toolCalls/toolCalls.ts';
import type { ToolResult } from '../conversation/toolCalls/tools.ts';
import type {
  Call,
  CallState,
  CostBasis,
  Outcome,
  Phase,
  Round,
  RoundTimes,
  Timings,
  Turn,
  Waiting,
} from '../conversation/turn.ts';
import type { ReasoningName, Usage } from '../service/types.ts';
import { count, type Decoder, type Fields, oneOf, orUndefined, someObject } from '../validation/decode.ts';
import { failure } from './failureDecoders.ts';
import { request, requestRecord } from './requestDecoders.ts';

const text = v.string();
/** A time in milliseconds. It can be before the start of the turn, because clocks can be set back. */
const time = v.number();

export const outcome = oneOf<Outcome>({
  complete: true,
  truncated: true,
  'spent-on-reasoning': true,
  empty: true,
  filtered: true,
  interrupted: true,
  stalled: true,
  stopped: true,
  failed: true,
});

const phase = oneOf<Phase>({
  connecting: true,
  'first-byte': true,
  waiting: true,
  reasoning: true,
  answering: true,
  calling: true,
  ended: true,
});

const timings: Decoder<Timings> = v.looseObject({
  connected: orUndefined(time),
  firstReasoning: orUndefined(time),
  firstAnswer: orUndefined(time),
  lastLife: v.optional(time, 0),
  lastProgress: v.optional(time, 0),
  ended: orUndefined(time),
});

const roundTimes: Decoder<RoundTimes> = v.looseObject({
  startedAt: v.optional(time, 0),
  firstReasoning: orUndefined(time),
  firstAnswer: orUndefined(time),
});

const step: Decoder<ReasoningStep> = v.looseObject({
  title: text,
  line: count,
  startedAt: time,
  endedAt: time,
  weight: count,
  files: v.array(v.looseObject({ path: text, line: orUndefined(count) })),
});

const outline: Decoder<Outline> = v.looseObject({
  finished: v.array(step),
  current: orUndefined(step),
  partial: text,
  decided: v.optional(v.boolean(), EMPTY_OUTLINE.decided),
  lines: count,
  inFence: v.optional(v.boolean(), EMPTY_OUTLINE.inFence),
  afterBlank: v.optional(v.boolean(), EMPTY_OUTLINE.afterBlank),
  headed: v.optional(v.boolean(), EMPTY_OUTLINE.headed),
});

const waiting: Decoder<Waiting> = v.looseObject({
  tries: count,
  maxTries: count,
  waitMs: v.number(),
  until: v.number(),
  failure,
});

const usage: Decoder<Usage> = v.looseObject({
  promptTokens: orUndefined(count),
  completionTokens: orUndefined(count),
  totalTokens: orUndefined(count),
  reasoningTokens: orUndefined(count),
  cachedTokens: orUndefined(count),
});

const reasoningName = oneOf<ReasoningName>({
  reasoning_content: true,
  reasoning: true,
  reasoning_details: true,
  tags: true,
});

const draft: Decoder<CallDraft> = v.looseObject({
  index: orUndefined(v.number()),
  id: text,
  name: text,
  arguments: text,
});

const callState = oneOf<CallState>({
  waiting: true,
  running: true,
  done: true,
  refused: true,
  stopped: true,
  failed: true,
  'not-run': true,
});

const result: Decoder<ToolResult> = v.looseObject({
  text,
  images: v.exactOptional(
    v.array(
      v.looseObject({
        type: v.picklist(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
        base64: v.custom<string>(
          (value) => typeof value === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(value),
          'base64',
        ),
      }),
    ),
  ),
  failed: v.exactOptional(v.literal(true)),
  refused: v.exactOptional(v.literal(true)),
  stopped: v.exactOptional(v.literal(true)),
} satisfies Fields<ToolResult>);

/** A tool call. It needs an id, without which its result can't be sent again. */
export const call: Decoder<Call> = v.looseObject({
  index: orUndefined(v.number()),
  id: v.custom<string>((value) => typeof value === 'string' && value !== '', 'text that is not empty'),
  name: text,
  arguments: text,
  state: callState,
  result: orUndefined(result),
  startedAt: orUndefined(time),
  endedAt: orUndefined(time),
  waitedMs: v.exactOptional(v.number()),
  toolTitle: v.exactOptional(text),
});

/** The fields of a response without its text and its tool calls. */
const responseFields = {
  reasoningName: orUndefined(reasoningName),
  reasoningTags: orUndefined(v.looseObject({ open: text, close: text })),
  reasoningDetails: v.optional(v.array(someObject), [...EMPTY_RESPONSE.reasoningDetails]),
  finishReason: orUndefined(text),
  wentOn: v.optional(v.boolean(), EMPTY_RESPONSE.wentOn),
  sawDone: v.optional(v.boolean(), EMPTY_RESPONSE.sawDone),
  responseId: orUndefined(text),
  responseModel: orUndefined(text),
  requestId: orUndefined(text),
  usage: orUndefined(usage),
};

const roundFields = {
  ...responseFields,
  tries: v.optional(count, 1),
  times: v.optional(
    v.looseObject({
      startedAt: v.optional(time, 0),
      firstReasoning: orUndefined(time),
      firstAnswer: orUndefined(time),
      endedAt: v.optional(time, 0),
    }),
    {},
  ),
};

/** A round without its text. */
export type RoundRecord = Omit<Round, 'reasoning' | 'answer'>;

export const roundRecord: Decoder<RoundRecord> = v.looseObject({
  ...roundFields,
  toolCalls: v.optional(v.array(call), []),
});

const round: Decoder<Round> = v.looseObject({
  ...roundFields,
  reasoning: text,
  answer: text,
  toolCalls: v.array(call),
});

const amount = v.pipe(v.number(), v.minValue(0));

const costBasis: Decoder<CostBasis> = v.looseObject({
  inputCosts: v.array(amount),
  prices: v.looseObject({ input: amount, cachedInput: amount, output: amount }),
  ratio: amount,
});

/** Fields that were added by later versions, or that not every turn has. */
const turnFields = {
  ...responseFields,
  waiting: orUndefined(waiting),
  tries: v.optional(count, 0),
  roundTimes: v.optional(roundTimes, {}),
  damagedEvents: v.optional(count, 0),
  outcome: orUndefined(outcome),
  failure: orUndefined(failure),
  silences: v.exactOptional(v.array(v.looseObject({ from: time, to: time }))),
  estimatedCost: v.exactOptional(amount),
  costBasis: v.exactOptional(costBasis),
  otherChoices: v.exactOptional(v.literal(true)),
  begunAgain: v.exactOptional(v.literal(true)),
  windowClosed: v.exactOptional(v.literal(true)),
};

/** A turn without its id, text, and rounds. If the outline is missing, it is created from the text. */
export type TurnRecord = Omit<
  Turn,
  'id' | keyof Pick<ModelResponse, 'reasoning' | 'answer'> | 'rounds' | 'outline'
> & {
  readonly outline: Outline | undefined;
};

export const turnRecord: Decoder<TurnRecord> = v.looseObject({
  ...turnFields,
  startedAt: v.optional(count, 0),
  request: v.optional(requestRecord, {}),
  phase: v.optional(phase, 'connecting'),
  toolCalls: v.optional(v.array(draft), []),
  timings: v.optional(timings, {}),
  outline: orUndefined(outline),
});

/** A turn of an exported file, with all fields that turns have had from the first version. */
export const turn: Decoder<Turn> = v.looseObject({
  ...turnFields,
  id: v.pipe(text, v.minLength(1), v.maxLength(200)),
  startedAt: count,
  request,
  phase,
  reasoning: text,
  answer: text,
  toolCalls: v.array(draft),
  rounds: v.optional(v.array(round), []),
  timings,
  outline,
});
