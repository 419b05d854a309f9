/**
 * Decodes JSON from the service into typed data. No other file but `modelList.ts` trusts that JSON. Unknown fields are ignored.
 */
import {
  asArray,
  asCount,
  asObject,
  asString,
  isDeeperThan,
  type JsonObject,
  MAX_LEVELS,
  toJson,
} from './json.ts';
import { CONTEXT_WINDOW_TOKENS } from './limits.ts';
import type { Chunk, ReasoningName, ToolCallDelta, Usage } from './types.ts';

/**
 * Decodes one event of a stream, or the complete body of a response that wasn't streamed: the fields are in
 * `delta` in the first case and in `message` in the second. Gateways to services for plain completions have a `text` only.
 * Returns undefined for any other JSON.
 */
export function decodeChunk(json: unknown): Chunk | undefined {
  const object = asObject(json);
  if (object === undefined) return undefined;
  const choices = asArray(object['choices']);
  const usage = decodeUsage(object);
  const ofVendor = decodeUsage(asObject(object['x_groq']) ?? {});
  if (choices === undefined && usage === undefined && ofVendor === undefined) return undefined;
  const choice = asObject(choices?.[0]) ?? {};
  const delta = asObject(choice[isInMessage(choice) ? 'message' : 'delta']) ?? { content: choice['text'] };
  const reasoningDetails = decodeAll(delta['reasoning_details'], asObject);
  return {
    // Gateways send these fields empty before the first token. Treat empty as missing.
    id: asString(object['id']) || undefined,
    model: asString(object['model']) || undefined,
    reasoning: decodeReasoning(delta, reasoningDetails),
    reasoningDetails: reasoningDetails.some(isTooDeep)
      ? reasoningDetails.filter((detail) => !isTooDeep(detail))
      : reasoningDetails,
    answer: decodeAnswer(delta),
    toolCalls: decodeAll(callsIn(delta['tool_calls']), decodeToolCall),
    finishReason: asString(choice['finish_reason']) || undefined,
    usage: usage === undefined || isEmpty(usage) ? (decodeUsage(choice) ?? ofVendor ?? usage) : usage,
  };
}

/** Whether the fields of a choice are in `message`. Some services send `delta` and `message`, of which one is empty. */
export function isInMessage({ delta, message }: JsonObject): boolean {
  if (asObject(message) === undefined) return false;
  return asObject(delta) === undefined || (!carriesAny(delta) && carriesAny(message));
}

function carriesAny(delta: unknown): boolean {
  const chunk = decodeChunk({ choices: [{ delta }] });
  if (chunk === undefined) return false;
  const { answer, reasoning, reasoningDetails, toolCalls } = chunk;
  return answer !== '' || reasoning !== undefined || reasoningDetails.length + toolCalls.length > 0;
}

/** Whether an entry is nested too deeply, so that its conversation couldn't be stored. */
const isTooDeep = (detail: JsonObject): boolean => isDeeperThan(detail, MAX_LEVELS);

/**
 * `content` is a string, but some servers send an array of parts, or one part. Null and everything else count as no text. For
 * some models, a refusal has its own field, in the delta or in a part. It counts as answer text.
 */
function decodeAnswer({ content, refusal }: JsonObject): string {
  const text = asText(content) ?? textOf(partsOf(content).filter((part) => !isThought(part)));
  return refusal === text ? text : text + (asString(refusal) ?? '');
}

/** Some gateways write a text that consists of digits as a number. */
const asText = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : asString(value);

const partsOf = (content: unknown): readonly unknown[] =>
  asArray(content) ?? (asObject(content) === undefined ? NONE : [content]);

const textOf = (parts: readonly unknown[]): string => parts.map(textOfPart).join('');

function textOfPart(json: unknown): string {
  const part = asObject(json);
  return asString(json) ?? asString(part?.['text']) ?? asString(part?.['refusal']) ?? '';
}

/** Whether a part of `content` is reasoning, for example `thinking` or `reasoning_text`. */
const isThought = (part: unknown): boolean =>
  /^(redacted_)?(thinking|reasoning)/.test(asString(asObject(part)?.['type']) ?? '');

/**
 * The text of a reasoning part, which is in one of the fields in `THOUGHTS`, as a string or in parts. Encrypted reasoning has no
 * text.
 */
function thoughtOf(json: unknown): string {
  const part = asObject(json);
  if (part === undefined) return asString(json) ?? '';
  const texts = THOUGHTS.map((name) => asString(part[name]) ?? textOf(asArray(part[name]) ?? NONE));
  return texts.find((text) => text !== '') ?? '';
}

const thoughtsIn = (value: unknown): string => asText(value) ?? partsOf(value).map(thoughtOf).join('');

const THOUGHTS = ['thinking', 'reasoning', 'text', 'summary', 'content'];

/**
 * The first name that has text wins, so that a text under two names counts once (R4). Reasoning in parts of `content` counts as
 * `reasoning_content`, because no service is known to accept such parts in a request.
 */
function decodeReasoning(
  delta: JsonObject,
  reasoningDetails: readonly JsonObject[],
): { name: ReasoningName; text: string } | undefined {
  for (const name of ['reasoning_content', 'reasoning'] as const) {
    const text = thoughtsIn(delta[name]);
    if (text !== '') return { name, text };
  }
  const details = reasoningDetails
    .map((detail) => asString(detail['text']) ?? asString(detail['summary']) ?? '')
    .join('');
  if (details !== '') return { name: 'reasoning_details', text: details };
  const content = delta['content'];
  if (content === undefined || typeof content === 'string') return undefined;
  const thoughts = thoughtsIn(partsOf(content).filter(isThought));
  return thoughts === '' ? undefined : { name: 'reasoning_content', text: thoughts };
}

/** The elements of an array that can be decoded. Most chunks have no arrays, so they share an empty one. */
function decodeAll<T>(json: unknown, decode: (element: unknown) => T | undefined): readonly T[] {
  const elements = asArray(json);
  if (elements === undefined || elements.length === 0) return NONE;
  return elements.map(decode).filter((element) => element !== undefined);
}

const NONE: readonly never[] = [];

/** Some servers send a single call instead of a list, and some gateways write an empty list as an empty object. */
const callsIn = (calls: unknown): unknown => (asObject(calls)?.['function'] === undefined ? calls : [calls]);

function decodeToolCall(json: unknown): ToolCallDelta | undefined {
  const call = asObject(json);
  if (call === undefined) return undefined;
  const fn = asObject(call['function']);
  const args = fn?.['arguments'];
  const id = call['id'];
  return {
    index: asCount(call['index']),
    id: Number.isSafeInteger(id) ? String(id) : asString(id),
    name: asString(fn?.['name']),
    // Some servers send the arguments as an object. They are sent back as text.
    arguments: asString(args) ?? (asObject(args) === undefined ? '' : (toJson(args) ?? '')),
    // Some gateways write digits as a number, which loses leading zeros.
    ...(typeof args === 'number' && { isDamaged: true }),
  };
}

/**
 * The usage at the top level, in the choice, or in the field of a vendor. Also reads the names of other interfaces, which
 * gateways don't always translate.
 */
function decodeUsage(holder: JsonObject): Usage | undefined {
  const usage = asObject(holder['usage']);
  if (usage === undefined) return undefined;
  const cached = figureOf(
    detailOf(usage, 'prompt_tokens_details', 'cached_tokens'),
    asTokens(usage['cached_tokens']),
    asTokens(usage['prompt_cache_hit_tokens']),
    detailOf(usage, 'input_tokens_details', 'cached_tokens'),
    asTokens(usage['cache_read_input_tokens']),
  );
  const documented = asTokens(usage['prompt_tokens']);
  const input = documented || (inputOf(usage) ?? documented);
  // No request has 0 tokens, so a 0 means that the input isn't reported (Q10).
  const promptTokens = input || undefined;
  const output = asTokens(usage['completion_tokens']) ?? asTokens(usage['output_tokens']);
  const totalTokens = asTokens(usage['total_tokens']) ?? totalOf(usage);
  const reasoningTokens = figureOf(
    detailOf(usage, 'completion_tokens_details', 'reasoning_tokens'),
    detailOf(usage, 'output_tokens_details', 'reasoning_tokens'),
    // Servers that don't count reasoning send a zero here.
    asTokens(usage['reasoning_tokens']) || undefined,
  );
  // Some services count reasoning apart from the output, although it is billed as output. Only their total includes it.
  const whole = (output ?? 0) + (reasoningTokens ?? 0);
  const isBeside = input !== undefined && output !== undefined && totalTokens === input + whole;
  return {
    promptTokens,
    completionTokens: isBeside ? whole : output,
    totalTokens,
    reasoningTokens,
    // Some services count more cached tokens than prompt tokens. The number of uncached tokens must not be negative.
    cachedTokens: cached === undefined ? undefined : Math.min(cached, promptTokens ?? cached),
  };
}

/** The first figure above zero, or else the first one: gateways add zeros beside the figures of a service. */
const figureOf = (...figures: readonly (number | undefined)[]): number | undefined =>
  figures.find(Boolean) ?? figures.find((figure) => figure !== undefined);

const detailOf = (usage: JsonObject, details: string, name: string): number | undefined =>
  asTokens(asObject(usage[details])?.[name]);

/**
 * The input tokens, including those that are read from the cache or written to it. Beside `input_tokens`, these are counted
 * separately.
 */
function inputOf(usage: JsonObject): number | undefined {
  const input = asTokens(usage['input_tokens']);
  if (input === undefined) return undefined;
  const apart = ['cache_read_input_tokens', 'cache_creation_input_tokens'];
  return apart.reduce((sum, name) => sum + (asTokens(usage[name]) ?? 0), input);
}

/** The interface with `input_tokens` reports no total, so it is added up here. In its streams, only the first report has the input. */
function totalOf(usage: JsonObject): number | undefined {
  const input = inputOf(usage);
  const isDocumented = usage['prompt_tokens'] !== undefined || usage['completion_tokens'] !== undefined;
  return isDocumented || input === undefined ? undefined : input + (asTokens(usage['output_tokens']) ?? 0);
}

/** A number of tokens that no response can have, for example a -1 that a service wrote as an unsigned integer. */
const IMPOSSIBLE = 1000 * CONTEXT_WINDOW_TOKENS;

/**
 * Returns undefined for a value that can't be a number of tokens. It would count as spent for the rest of the day, and in every
 * sum.
 */
function asTokens(value: unknown): number | undefined {
  const number = asCount(value);
  return number !== undefined && number >= 0 && number < IMPOSSIBLE ? number : undefined;
}

/** Whether usage has nothing but zeros, which don't count as a report (F6). */
function isEmpty(usage: Usage): boolean {
  return Object.values(usage).every((figure) => (figure ?? 0) === 0);
}
