/** Converts a reply to the chunks of a stream, or to the body of a response that is not streamed. */

import type { JsonObject } from './json.ts';
import type { Reply, ReplyCall } from './reply.ts';
import { type Phase, type ReplyStep, write } from './steps.ts';
import { countTokens } from './tokens.ts';

/** One event of a stream: its chunk and its phase. */
export interface Frame {
  readonly phase: Phase;
  readonly chunk: JsonObject;
  readonly tokens: number;
}

/** Changes the fields of a delta or message, as gateways that rename fields do. */
export type FieldChange = (fields: JsonObject) => JsonObject;

/** Maximum number of characters of a delta; doesn't split shorter words. */
const PIECE = /\s*\S{1,24}/gu;

/**
 * The chunks in the order seen on the wire (docs/service.md): role, reasoning, answer or tool calls, an empty delta
 * with the finish reason, then usage with empty `choices` if requested (R7, R8, Q10).
 */
export function toFrames(reply: Reply, includeUsage: boolean, change: FieldChange = same): readonly Frame[] {
  const frame = (phase: Phase, delta: JsonObject, tokens: number, finish: string | null = null): Frame => ({
    phase,
    tokens,
    chunk: {
      ...chunkHead(reply),
      choices: [{ index: 0, delta: change(delta), finish_reason: finish }],
    },
  });
  const text = (phase: Phase, field: string, complete: string): readonly Frame[] =>
    splitText(complete).map((piece) => frame(phase, { [field]: piece }, countTokens(piece)));
  return [
    frame('role', { role: 'assistant', content: '' }, 0),
    ...text('reasoning', 'reasoning_content', reply.reasoning),
    ...text('answer', 'content', reply.content),
    ...reply.calls.flatMap((call, index) =>
      toCallDeltas(call, index).map((delta) => frame('tools', { tool_calls: [delta] }, 2)),
    ),
    frame('finish', {}, 0, reply.finishReason),
    ...(includeUsage
      ? [
          {
            phase: 'usage',
            tokens: 0,
            chunk: { ...chunkHead(reply), choices: [], usage: toUsage(reply) },
          } as const,
        ]
      : []),
  ];
}

/** A call starts with its id and name, followed by parts of its arguments that have only the index. */
function toCallDeltas(call: ReplyCall, index: number): readonly JsonObject[] {
  return [
    { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } },
    ...(call.arguments.match(/[\s\S]{1,8}/gu) ?? []).map((piece) => ({
      index,
      function: { arguments: piece },
    })),
  ];
}

function chunkHead(reply: Reply): JsonObject {
  return { id: reply.id, object: 'chat.completion.chunk', created: reply.created, model: reply.model };
}

/** The body of a response that is not streamed (R1–R6). */
export function toCompletion(reply: Reply, change: FieldChange = same): JsonObject {
  const message = change({
    role: 'assistant',
    content: reply.content,
    reasoning_content: reply.reasoning,
    ...(reply.calls.length === 0
      ? {}
      : {
          tool_calls: reply.calls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: call.arguments },
          })),
        }),
  });
  return {
    id: reply.id,
    object: 'chat.completion',
    created: reply.created,
    model: reply.model,
    choices: [{ index: 0, message, finish_reason: reply.finishReason }],
    usage: toUsage(reply),
  };
}

/** The usage block (R6). */
function toUsage(reply: Reply): JsonObject {
  const { promptTokens, completionTokens, reasoningTokens, cachedTokens } = reply.usage;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}

/** Splits a text into parts that can be joined again, including trailing white space. */
export function splitText(text: string): readonly string[] {
  const pieces = text.match(PIECE) ?? [];
  const rest = text.slice(pieces.reduce((sum, piece) => sum + piece.length, 0));
  return rest === '' ? pieces : [...pieces, rest];
}

/** The bytes of one event. */
export function encodeEvent(data: string): string {
  return `data: ${data}\n\n`;
}

export const DONE_EVENT = encodeEvent('[DONE]');

export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
};

/** The frames as a complete stream, including `[DONE]` (R9). */
export function toStreamSteps(
  frames: readonly Frame[],
  encode: (data: string) => string = encodeEvent,
): readonly ReplyStep[] {
  return [
    { type: 'head', status: 200, headers: STREAM_HEADERS },
    ...frames.map((frame) => write(encode(JSON.stringify(frame.chunk)), frame.phase, frame.tokens)),
    write(encode('[DONE]'), 'done'),
    { type: 'end' },
  ];
}

const same: FieldChange = (fields) => fields;
