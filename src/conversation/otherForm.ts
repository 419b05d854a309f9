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
  /** Of the request as it was at first. */
  readonly refusal: ServiceError;
  /** The last change, with the request to send. */
  readonly next: FormEvent;
  /** Tell that the other form was accepted, with each of its changes. */
  readonly accepted: readonly FormEvent[];
}

export type FormEvent = ContentPartsEvent | CallsAsTextEvent | OtherReasoningEvent;

/**
 * What to send after a request failed. If the service refused it, and may have done so because it refuses reasoning as it came, because calls have
 * none, or because not every content is an array (Q5), it is sent once more in the other form, and then in both: in all that its refusals
 * ask for. If that is refused as well, that was not the reason, and the first refusal counts. Throws the failure that ends the turn otherwise.
 *
 * @param request the one that was refused
 * @param earlier what that was sent instead of
 * @param mayContinue asked before the request is sent again, because its start isn't cached in another form
 * @param withCallsAsText the request with calls that have no reasoning as text; undefined if that changes nothing
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

/** Whether an error with the status of success may be a refusal (E11). Only its words tell what is refused. */
export const isInPlace = (thrown: unknown): thrown is ServiceError =>
  thrown instanceof ServiceError &&
  thrown.details.status === 200 &&
  (thrown.kind === 'invalid-request' || (thrown.kind === 'stream-error' && NAMED.test(thrown.message)));

/** A field, and not what an engine says that failed. */
const NAMED = /\breasoning_(?:content|details)\b|['"`]reasoning['"`]/;

/** What services say of a field that they don't know, and not of one that is missing. */
const UNKNOWN =
  /unsupported|not (supported|permitted|allowed|exist)|unexpected|unknown|unrecognized|extra|additional|remove|不支持|未知/i;

/** The field of a message, not the effort, and not where services say that it is missing. */
const FIELD = /(?<!(?:without|missing) ['"`]?)\breasoning(?:_content|_details)?\b(?! effort)/i;

/** Without reasoning if the field isn't known, or else under the documented name if the refusal has that. */
function toOtherReasoning(
  { details: { serviceMessage = '' } }: ServiceError,
  request: ChatRequest,
): OtherReasoningEvent | undefined {
  const isUnknown = FIELD.test(serviceMessage) && UNKNOWN.test(serviceMessage);
  if (!isUnknown && !/\breasoning_content\b/.test(serviceMessage)) return undefined;
  return toReasoningAs(isUnknown ? 'none' : 'documented', request);
}

/**
 * Without reasoning if the refusal misses that of calls that have it, because the route reads another name than it did before. Refused
 * once more, all calls are text.
 */
function withoutUnread(
  { details: { serviceMessage = '' } }: ServiceError,
  request: ChatRequest,
): OtherReasoningEvent | undefined {
  const hasCalls = request.messages.some((message) => 'tool_calls' in message);
  return hasCalls && MISSED.test(serviceMessage) ? toReasoningAs('none', request) : undefined;
}

/** The words about the field stand together in a sentence: others are about a budget of reasoning, or need something else. */
const MISSED =
  /(?:missing|without|缺少|must (?:include|have|contain))[^.]{0,20}(?:messages\S{0,9})?\breasoning(?:_content|_details)?\b(?![ ._]effort| budget| tokens| enabled)|(?:(?:[.['"`]reasoning['"`\]:]|\breasoning_(?:content|details)\b)[^.]{0,40}|\breasoning(?: field)?) (?:is |are )?(?:missing|required|must be (?:passed|sent|provided))/i;

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
