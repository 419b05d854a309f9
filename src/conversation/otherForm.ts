import { isRefusal, mayNeedContentParts, toContentParts } from '../service/contentParts.ts';
import { ServiceError } from '../service/errors.ts';
import type { ChatRequest } from '../service/types.ts';
import type { CallsAsTextEvent, ContentPartsEvent, OtherReasoningEvent } from './events.ts';
import { toPrefix } from './requestMessages/prefix.ts';
import { type SentReasoning, withReasoningAs } from './requestMessages/replay.ts';

/** Thrown when the user doesn't agree to the cost of a request. Not translated, because it only ends the turn. */
export const DECLINED = new Error('The request was not sent.');

/** A request that is sent once more, in another form. */
export interface OtherForm {
  /** The refusal of the request in its original form. */
  readonly refusal: ServiceError;
  /** The latest change, with the request to send. */
  readonly next: FormEvent;
  /** All changes of the request. They are recorded in the turn when the service accepts the request. */
  readonly accepted: readonly FormEvent[];
}

export type FormEvent = ContentPartsEvent | CallsAsTextEvent | OtherReasoningEvent;

/**
 * Finds the form in which to send a refused request once more. The service may have refused it because of the name of its
 * reasoning, because calls have no reasoning, or because not every content is an array (Q5). If the request is refused in the
 * other form as well, a further change is added, if the refusal asks for one. Otherwise, the first refusal counts. Throws the
 * error that ends the turn if there is no other form.
 *
 * @param request the refused request
 * @param earlier the form of the refused request, if it isn't the original one
 * @param mayContinue asked before the request is sent again, because the beginning of another form isn't cached
 * @param withCallsAsText returns the request with calls without reasoning as text, or undefined if that changes nothing
 */
export async function toOtherForm(
  thrown: unknown,
  request: ChatRequest,
  earlier: OtherForm | undefined,
  mayContinue: (again: ChatRequest) => Promise<boolean>,
  signal: AbortSignal,
  withCallsAsText: () => ChatRequest | undefined,
): Promise<OtherForm> {
  if (signal.aborted || !(isRefusal(thrown) || isInPlace(thrown))) throw thrown;
  const { refusal, accepted } = earlier ?? { refusal: thrown, accepted: [] };
  const next =
    toOtherReasoning(thrown, request) ??
    toCallsAsText(thrown, withCallsAsText) ??
    withoutUnread(thrown, request) ??
    toArrays(thrown, request);
  if (next === undefined) throw refusal;
  if (!(await mayContinue(next.request))) throw DECLINED;
  signal.throwIfAborted();
  return { refusal, next, accepted: [...accepted, next] };
}

/** Whether an error with status 200 may be a refusal (E11). Only its words show what was refused. */
export const isInPlace = (thrown: unknown): thrown is ServiceError =>
  thrown instanceof ServiceError &&
  thrown.details.status === 200 &&
  (thrown.kind === 'invalid-request' || (thrown.kind === 'stream-error' && NAMED.test(thrown.message)));

/** The name of a reasoning field, as opposed to the word in an error of an engine. */
const NAMED = /\breasoning_(?:content|details)\b|['"`]reasoning['"`]/;

/** Words of services about a field that they don't know, but not about a missing field. */
const UNKNOWN =
  /unsupported|not (supported|permitted|allowed|exist|expected|a valid)|(must|should) not (be (present|sent|passed)|contain|include)|unexpected|unknown|unrecogni[sz]ed|forbidden|invalid (field|key|property|param|argument)|extra|additional|remove|不支持|未知/i;

/** The reasoning field of a message, but not the effort, and not a field that is said to be missing. */
const FIELD = /(?<!(?:without|missing) ['"`]?)\breasoning(?:_content|_details)?\b(?![ ._]effort)/i;

/** Removes the reasoning if the service doesn't know the field. Otherwise, uses the documented name if the refusal contains it. */
function toOtherReasoning(
  { details: { serviceMessage = '' } }: ServiceError,
  request: ChatRequest,
): OtherReasoningEvent | undefined {
  // Some services put “invalid params” or the like before every message.
  const isUnknown =
    FIELD.test(serviceMessage) && UNKNOWN.test(serviceMessage) && !MISSED.test(serviceMessage);
  if (!isUnknown && !/\breasoning_content\b/.test(serviceMessage)) return undefined;
  return toReasoningAs(isUnknown ? 'none' : 'documented', request);
}

/**
 * Removes the reasoning if the refusal misses the reasoning of calls that have it, because the route reads another name than
 * before. If that is refused as well, all calls are sent as text.
 */
function withoutUnread(
  { details: { serviceMessage = '' } }: ServiceError,
  request: ChatRequest,
): OtherReasoningEvent | undefined {
  const hasCalls = request.messages.some((message) => 'tool_calls' in message);
  return hasCalls && MISSED.test(serviceMessage) ? toReasoningAs('none', request) : undefined;
}

/**
 * Words that say that the field is missing. They are close together in one sentence: others are about a reasoning budget, or need
 * other things.
 */
const MISSED =
  /(?:missing|without|lacks|缺少|(?:must|(?<!model )does not) (?:include|have|contain))[^.]{0,20}(?:messages\S{0,9})?\breasoning(?:_content|_details)?\b(?![ ._]effort| budget| tokens| enabled| support| capabilit)|(?:(?:[.['"`]reasoning['"`\]:]|\breasoning_(?:content|details)\b)[^.]{0,40}|\breasoning(?: field)?) (?:is |are )?(?:missing|required|must be (?:passed|sent|provided))/i;

function toReasoningAs(sent: SentReasoning, request: ChatRequest): OtherReasoningEvent | undefined {
  const messages = withReasoningAs(sent, request.messages);
  if (messages === request.messages) return undefined;
  const again = { ...request, messages };
  return { type: 'other-reasoning', sent, request: again, prefix: toPrefix(again) };
}

function toCallsAsText(
  { details: { serviceMessage = '' } }: ServiceError,
  withCallsAsText: () => ChatRequest | undefined,
): CallsAsTextEvent | undefined {
  const request = /reasoning/i.test(serviceMessage) ? withCallsAsText() : undefined;
  return request && { type: 'calls-as-text', request, prefix: toPrefix(request) };
}

function toArrays(thrown: unknown, request: ChatRequest): ContentPartsEvent | undefined {
  if (!mayNeedContentParts(thrown, request.messages)) return undefined;
  const again = { ...request, messages: toContentParts(request.messages) };
  return { type: 'content-parts', request: again, prefix: toPrefix(again), refused: true };
}
