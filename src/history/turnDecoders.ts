/**
 * Decoders for turns and rounds in the database and in exported files. Fields that were added by later versions have
 * defaults; unknown fields are kept.
 */
import * as v from 'valibot';
import { EMPTY_OUTLINE, type Outline, type ReasoningStep } from '../conversation/reasoning/outline.ts';
import type { ModelResponse } from '../conversation/response.ts';
import type { CallDraft } from '../conversation/toolCalls/toolCalls.ts';
import type { CostBasis, Outcome, Phase, RoundTimes, Timings, Turn, Waiting } from '../conversation/turn.ts';
import { count, type Decoder, oneOf, orUndefined } from '../validation/decode.ts';
import { failure } from './failureDecoders.ts';
import { request, requestRecord } from './requestDecoders.ts';
import { responseFields, round } from './roundDecoders.ts';

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

const draft: Decoder<CallDraft> = v.looseObject({
  index: orUndefined(v.number()),
  id: text,
  name: text,
  arguments: text,
});

const amount = v.pipe(v.number(), v.finite(), v.minValue(0));

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
  endedOn: v.exactOptional(count),
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
