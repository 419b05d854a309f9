import type { Client, StreamEvent } from '../service/client.ts';
import { isRefusal, mayNeedContentParts, toContentParts } from '../service/contentParts.ts';
import type { ServiceError } from '../service/errors.ts';
import type { ChatRequest } from '../service/types.ts';
import type { ContentPartsEvent } from './events.ts';
import { toPrefix } from './prefix.ts';

/** Thrown when the user doesn't agree to the cost of a request. Not translated, because it only ends the turn. */
export const DECLINED = new Error('The request was not sent.');

/**
 * Streams a request. If the service refuses it, and may do so because not every content is an array (Q5), sends it
 * once more with arrays, and tells so when they were accepted. If they are refused as well, that was not the reason,
 * and the first refusal counts.
 *
 * @param mayContinue asked before the request is sent again, because its start isn't cached in another form
 */
export async function* streamInEitherForm(
  client: Pick<Client, 'stream'>,
  mayContinue: (again: ChatRequest) => Promise<boolean>,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent | ContentPartsEvent> {
  let refusal: ServiceError;
  try {
    yield* client.stream(request, signal);
    return;
  } catch (thrown) {
    if (signal.aborted || !mayNeedContentParts(thrown, request.messages)) throw thrown;
    refusal = thrown;
  }
  const again = { ...request, messages: toContentParts(request.messages) };
  if (!(await mayContinue(again))) throw DECLINED;
  signal.throwIfAborted();
  try {
    for await (const event of client.stream(again, signal)) {
      if (event.type === 'headers')
        yield { type: 'content-parts', request: again, prefix: toPrefix(again), refused: true };
      yield event;
    }
  } catch (thrown) {
    throw isRefusal(thrown) ? refusal : thrown;
  }
}
