import { isRefusal, mayNeedContentParts, toContentParts } from '../service/contentParts.ts';
import type { ServiceError } from '../service/errors.ts';
import type { ChatRequest } from '../service/types.ts';
import type { ContentPartsEvent } from './events.ts';
import { toPrefix } from './prefix.ts';

/** Thrown when the user doesn't agree to the cost of a request. Not translated, because it only ends the turn. */
export const DECLINED = new Error('The request was not sent.');

/** A request that is sent once more, with arrays. */
export interface OtherForm {
  readonly refusal: ServiceError;
  /** Tells that the other form was accepted. */
  readonly accepted: ContentPartsEvent;
}

/**
 * What to send after a request failed. If the service refused it, and may have done so because not every content is an
 * array (Q5), it is sent once more with arrays. If they are refused as well, that was not the reason, and the first
 * refusal counts. Throws the failure that ends the turn otherwise.
 *
 * @param earlier what was already sent instead of another request
 * @param mayContinue asked before the request is sent again, because its start isn't cached in another form
 */
export async function toOtherForm(
  thrown: unknown,
  request: ChatRequest,
  earlier: OtherForm | undefined,
  mayContinue: (again: ChatRequest) => Promise<boolean>,
  signal: AbortSignal,
): Promise<OtherForm> {
  if (earlier !== undefined) throw isRefusal(thrown) ? earlier.refusal : thrown;
  if (signal.aborted || !mayNeedContentParts(thrown, request.messages)) throw thrown;
  const again = { ...request, messages: toContentParts(request.messages) };
  if (!(await mayContinue(again))) throw DECLINED;
  signal.throwIfAborted();
  const accepted = { type: 'content-parts', request: again, prefix: toPrefix(again), refused: true } as const;
  return { refusal: thrown, accepted };
}
