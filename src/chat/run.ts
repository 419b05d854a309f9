import type { Client } from '../service/client.ts';
import { toFailure } from '../service/errors.ts';
import { fromTransportError } from '../service/transportError.ts';
import type { ChatRequest } from '../service/types.ts';
import type { TurnEvent } from './events.ts';

export interface RunDeps {
  readonly client: Pick<Client, 'stream'>;
  /** Milliseconds on a clock that never jumps. */
  readonly now: () => number;
}

/**
 * Runs one turn: what the service does, as events, and always exactly one end, whatever happens. It never throws;
 * aborting the signal ends the turn as stopped by the reader.
 */
export async function* runTurn(
  deps: RunDeps,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent> {
  const start = deps.now();
  const at = () => deps.now() - start;
  try {
    for await (const event of deps.client.stream(request, signal)) yield { at: at(), event };
    yield { at: at(), event: { type: 'ended', by: 'service', failure: undefined } };
  } catch (thrown) {
    if (signal.aborted) {
      yield { at: at(), event: { type: 'ended', by: 'reader', failure: undefined } };
      return;
    }
    const failure = toFailure(fromTransportError(thrown));
    yield { at: at(), event: { type: 'ended', by: 'error', failure } };
  }
}
