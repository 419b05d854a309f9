/** The response to one request, folded from the events of its stream. */
import { bringsText, hasOutputCount } from '../service/answerChoice.ts';
import type { StreamEvent } from '../service/client.ts';
import type { Chunk, ReasoningName, Usage } from '../service/types.ts';
import { type CallDraft, foldToolCalls } from './toolCalls/toolCalls.ts';
import { mergeUsage } from './usage/mergedUsage.ts';

/** All text is unchanged, so that it can be sent back as it arrived. */
export interface ModelResponse {
  readonly reasoning: string;
  readonly reasoningName: ReasoningName | undefined;
  /** The tags as they arrived, if the reasoning was inside `content`. The opening tag can be empty. */
  readonly reasoningTags: { readonly open: string; readonly close: string } | undefined;
  readonly reasoningDetails: readonly Readonly<Record<string, unknown>>[];
  readonly answer: string;
  readonly toolCalls: readonly CallDraft[];
  readonly finishReason: string | undefined;
  /**
   * The finish reason doesn't show the end: text came after it or with another one, or a call without arguments came with it.
   * Some gateways send a finish reason with each chunk.
   */
  readonly wentOn: boolean;
  /** The `[DONE]` line arrived (R9). */
  readonly sawDone: boolean;
  readonly responseId: string | undefined;
  readonly responseModel: string | undefined;
  readonly requestId: string | undefined;
  readonly usage: Usage | undefined;
  /** Text came after the last report of output, for example because the service reports usage first. */
  readonly usageIsPart: boolean;
}

export const EMPTY_RESPONSE: ModelResponse = {
  reasoning: '',
  reasoningName: undefined,
  reasoningTags: undefined,
  reasoningDetails: [],
  answer: '',
  toolCalls: [],
  finishReason: undefined,
  wentOn: false,
  sawDone: false,
  responseId: undefined,
  responseModel: undefined,
  requestId: undefined,
  usage: undefined,
  usageIsPart: false,
};

type ResponseEnd = Pick<ModelResponse, 'finishReason' | 'toolCalls' | 'wentOn' | 'sawDone'>;

/**
 * Whether the calls can be run, by this extension or by another chat. They are complete only with their own finish reason,
 * `tool_calls` (R5; docs/service.md, Reasoning must survive tool loops), and if a finish reason comes with each chunk, only with
 * `[DONE]`.
 */
export const callsTools = (response: ResponseEnd): boolean =>
  endsWithCalls(response) && !mayMissCalls(response);

/** Whether the body may have ended in the middle of the calls. */
export const mayMissCalls = (response: ResponseEnd): boolean =>
  endsWithCalls(response) && response.wentOn && !response.sawDone;

const endsWithCalls = ({ finishReason, toolCalls }: ResponseEnd): boolean =>
  finishReason === 'tool_calls' && toolCalls.length > 0;

/** Only the response fields of an object with more fields. */
export function toResponse(whole: ModelResponse): ModelResponse {
  const { reasoning, reasoningName, reasoningTags, reasoningDetails, answer, toolCalls } = whole;
  const { finishReason, wentOn, sawDone, responseId, responseModel, requestId, usage, usageIsPart } = whole;
  return {
    reasoning,
    reasoningName,
    reasoningTags,
    reasoningDetails,
    answer,
    toolCalls,
    finishReason,
    wentOn,
    sawDone,
    responseId,
    responseModel,
    requestId,
    usage,
    usageIsPart,
  };
}

/** The response after another event. Events that don't change the response return it as it is. */
export function foldResponse<Whole extends ModelResponse>(response: Whole, event: StreamEvent): Whole {
  switch (event.type) {
    case 'headers':
      return { ...response, requestId: event.requestId };
    case 'chunk':
      return foldChunk(response, event.chunk);
    case 'tag-closed':
      return event.wasReasoning
        ? {
            ...response,
            reasoning: response.reasoning + response.answer,
            answer: '',
            reasoningName: response.reasoningName ?? 'tags',
            reasoningTags: { open: '', close: event.close },
          }
        : { ...response, reasoningTags: { open: event.open, close: event.close } };
    case 'begun-again':
      // The calls so far were cut off, and may come again.
      return event.hasCalls ? { ...response, toolCalls: [] } : response;
    case 'done':
      return { ...response, sawDone: true };
    default:
      return response;
  }
}

function foldChunk<Whole extends ModelResponse>(response: Whole, chunk: Chunk): Whole {
  const reasoned = chunk.reasoning?.text ?? '';
  const toolCalls = foldToolCalls(response.toolCalls, chunk);
  return {
    ...response,
    reasoning: reasoned === '' ? response.reasoning : response.reasoning + reasoned,
    reasoningName: laterName(response.reasoningName, chunk.reasoning?.name),
    reasoningDetails:
      chunk.reasoningDetails.length === 0
        ? response.reasoningDetails
        : mergeDetails(response.reasoningDetails, chunk.reasoningDetails),
    answer: chunk.answer === '' ? response.answer : response.answer + chunk.answer,
    toolCalls,
    finishReason: laterFinish(response.finishReason, chunk.finishReason),
    wentOn: goesOn(response, chunk, toolCalls),
    responseId: response.responseId ?? chunk.id,
    responseModel: chunk.model ?? response.responseModel,
    usage: chunk.usage === undefined ? response.usage : mergeUsage(response.usage, chunk.usage),
    usageIsPart: isUsagePart(response, chunk, toolCalls),
  };
}

/**
 * The first name counts. If a field comes after reasoning in tags, its name counts: it has the same text, and services accept it
 * in requests.
 */
const laterName = (known: ReasoningName | undefined, later: ReasoningName | undefined) =>
  known === 'tags' ? (later ?? known) : (known ?? later);

function isUsagePart(response: ModelResponse, chunk: Chunk, toolCalls: readonly CallDraft[]): boolean {
  if (hasOutputCount(chunk.usage)) return false;
  // Calls that come a second time aren't output.
  const isOutput = bringsText({ ...chunk, toolCalls: [] }) || toolCalls !== response.toolCalls;
  return response.usageIsPart || (response.usage !== undefined && isOutput);
}

/**
 * Whether the finish reason doesn't show the end (see `wentOn`). A different finish reason in a chunk without text shows it after
 * all.
 */
function goesOn(
  { wentOn, finishReason, usage }: ModelResponse,
  chunk: Chunk,
  toolCalls: readonly CallDraft[],
): boolean {
  if (bringsText(chunk)) return wentOn || finishReason !== undefined || mayGoOn(chunk, toolCalls);
  // The last chunk of a stream has the usage (Q10), unless usage comes with each chunk. So nothing follows the calls.
  if (usage === undefined && chunk.usage?.completionTokens && toolCalls.some(isBare)) return false;
  return wentOn && laterFinish(finishReason, chunk.finishReason) === finishReason;
}

/**
 * Whether arguments may follow for a call that came with a finish reason: it has none, or an empty object, which can come before
 * them.
 */
const mayGoOn = (chunk: Chunk, toolCalls: readonly CallDraft[]): boolean =>
  chunk.finishReason !== undefined && chunk.toolCalls.length > 0 && toolCalls.some(isBare);

const isBare = (call: CallDraft): boolean => ['', '{}'].includes(call.arguments.trim());

/**
 * The finish reason that counts. Some gateways end every stream with their own. An answer that was cut off or filtered isn't
 * complete (R5), whatever finish reason follows, even `tool_calls`: calls that were cut off must not be run.
 */
function laterFinish(earlier: string | undefined, later: string | undefined): string | undefined {
  if (earlier === undefined || later === undefined) return later ?? earlier;
  const keeps = INCOMPLETE.has(earlier)
    ? !INCOMPLETE.has(later)
    : earlier === 'tool_calls' && later === 'stop';
  return keeps ? earlier : later;
}

/** Unknown finish reasons aren't in this set: some services send one with each chunk, for example “null”. */
const INCOMPLETE: ReadonlySet<string> = new Set(['length', 'content_filter', 'error']);

type Detail = Readonly<Record<string, unknown>>;

/**
 * `reasoning_details` entries with the same index are pieces of one entry. Their texts are joined; other
 * fields are kept.
 */
function mergeDetails(known: readonly Detail[], fresh: readonly Detail[]): readonly Detail[] {
  let merged = known;
  for (const [position, detail] of fresh.entries()) {
    const at =
      detail['index'] === undefined ? placeOfPiece(merged, detail, position) : placeOf(merged, detail);
    const earlier = merged[at];
    merged = earlier === undefined ? [...merged, detail] : merged.with(at, joinDetail(earlier, detail));
  }
  return merged;
}

function placeOf(known: readonly Detail[], detail: Detail): number {
  return known.findLastIndex(
    (other) =>
      other['index'] === detail['index'] && other['type'] === detail['type'] && isSameId(other, detail),
  );
}

const isSameId = (one: Detail, other: Detail) => (one['id'] ?? other['id']) === (other['id'] ?? one['id']);

/**
 * The index of the entry that an entry without an index continues, or -1. The first entry of a chunk continues the last entry so
 * far if both are text of one type and no signature has closed it. Otherwise, each of many thousand deltas would be an entry of
 * its own.
 */
function placeOfPiece(known: readonly Detail[], detail: Detail, position: number): number {
  const last = known.at(-1);
  if (position > 0 || last === undefined || last['index'] !== undefined) return -1;
  if (last['type'] !== detail['type'] || !isSameId(last, detail) || (last['signature'] ?? null) !== null)
    return -1;
  const isText = ['text', 'summary'].some(
    (key) => typeof last[key] === 'string' && typeof detail[key] === 'string',
  );
  return isText ? known.length - 1 : -1;
}

function joinDetail(earlier: Detail, later: Detail): Detail {
  const joined: Record<string, unknown> = { ...earlier };
  for (const [key, value] of Object.entries(later)) {
    const before = earlier[key];
    // Encrypted data isn't split.
    const isText = key === 'text' || key === 'summary';
    if (isText && typeof before === 'string' && typeof value === 'string') joined[key] = before + value;
    else if (value !== null && value !== undefined) joined[key] = value;
  }
  return joined;
}
