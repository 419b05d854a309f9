import { isRefusal, mayNeedContentParts, toContentParts } from '../service/contentParts.ts';
import type { ServiceError } from '../service/errors.ts';
import type { ChatRequest } from '../service/types.ts';
import type { CallsAsTextEvent, ContentPartsEvent } from './events.ts';
import { toPrefix } from './requestMessages/prefix.ts';

/** Thrown when the user doesn't agree to the cost of a request. Not translated, because it only ends the turn. */
export const DECLINED = new Error('The request was not sent.');

/** A request that is sent once more, in another form. */
export interface OtherForm {
  readonly refusal: ServiceError;
  /** Tells that the other form was accepted. */
  readonly accepted: ContentPartsEvent | CallsAsTextEvent;
}

/**
 * What to send after a request failed. If the service refused it, and may have done so because calls have no reasoning, or
 * because not every content is an array (Q5), it is sent once more in the other form. If that is refused as well, that was
 * not the reason, and the first refusal counts. Throws the failure that ends the turn otherwise.
 *
 * @param earlier what was already sent instead of another request
 * @param mayContinue asked before the request is sent again, because its start isn't cached in another form
 * @param withCallsAsText the request with calls that have no reasoning as text; undefined if it has none
 */
export async function toOtherForm(
  thrown: unknown,
  request: ChatRequest,
  earlier: OtherForm | undefined,
  mayContinue: (again: ChatRequest) => Promise<boolean>,
  signal: AbortSignal,
  withCallsAsText: () => ChatRequest | undefined,
): Promise<OtherForm> {
  if (earlier !== undefined) throw isRefusal(thrown) ? earlier.refusal : thrown;
  if (signal.aborted || !isRefusal(thrown)) throw thrown;
  const accepted = toCallsAsText(thrown, withCallsAsText) ?? toArrays(thrown, request);
  if (accepted === undefined) throw thrown;
  if (!(await mayContinue(accepted.request))) throw DECLINED;
  signal.throwIfAborted();
  return { refusal: thrown, accepted };
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
