/** Decoders for rounds, tool calls, and the fields of a response, in the database and in exported files. */
import * as v from 'valibot';
import { EMPTY_RESPONSE } from '../conversation/response.ts';
import type { ToolResult } from '../conversation/toolCalls/tools.ts';
import type { Call, CallState, Round } from '../conversation/turn.ts';
import { IMAGE_TYPES } from '../service/imageTypes.ts';
import type { ReasoningName, Usage } from '../service/types.ts';
import { count, type Decoder, type Fields, oneOf, orUndefined, someObject } from '../validation/decode.ts';

const text = v.string();
/** A time in milliseconds. It can be before the start of the turn, because clocks can be set back. */
const time = v.number();

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
        type: v.picklist(IMAGE_TYPES.map((type) => `image/${type}` as const)),
        base64: v.custom<string>(
          (value) => typeof value === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(value),
          'base64',
        ),
        omitted: v.exactOptional(v.literal(true)),
      }),
    ),
  ),
  failed: v.exactOptional(v.literal(true)),
  refused: v.exactOptional(v.literal(true)),
  stopped: v.exactOptional(v.literal(true)),
} satisfies Fields<ToolResult>);

/** A tool call. It needs an ID, because its result can't be sent again without one. */
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
export const responseFields = {
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
  usageIsPart: v.optional(v.boolean(), EMPTY_RESPONSE.usageIsPart),
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

export const round: Decoder<Round> = v.looseObject({
  ...roundFields,
  reasoning: text,
  answer: text,
  toolCalls: v.array(call),
});
