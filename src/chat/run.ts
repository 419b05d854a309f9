import type { Client } from '../service/client.ts';
import { type Failure, ServiceError, toFailure } from '../service/errors.ts';
import { findMessageProblem } from '../service/request.ts';
import { fromTransportError } from '../service/transportError.ts';
import type { ChatRequest } from '../service/types.ts';
import type { TurnEnd, TurnEvent, TurnStep } from './events.ts';
import { foldStep } from './fold.ts';
import { toMessagePart } from './prefix.ts';
import { callsTools } from './response.ts';
import { type CallCheck, MAX_ROUNDS, OUT_OF_ROUNDS, planCalls, refuseCalls, runCalls } from './toolLoop.ts';
import type { Toolbox } from './tools.ts';
import { toRoundMessages } from './transcript.ts';
import type { Turn } from './turn.ts';

export interface RunDeps {
  readonly client: Pick<Client, 'stream'>;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
  /** The tools whose definitions are in the request. */
  readonly toolbox?: Toolbox | undefined;
  /** Called when the first call has to be checked. */
  readonly loadCheck?: () => Promise<CallCheck>;
  /** Aborts when the user stops only that call. The turn continues. */
  readonly stopOf?: (callId: string) => AbortSignal;
  /**
   * Called before each request after the first, with that request. If it returns false, the turn is stopped.
   */
  readonly mayContinue?: (turn: Turn, next: ChatRequest) => Promise<boolean>;
}

/**
 * Runs one turn. Yields it after each event, and always ends with exactly one outcome. While the model calls
 * tools that were offered, runs them and sends the next request, with all earlier messages unchanged. Never
 * throws. Aborting the signal ends the turn as stopped by the user.
 *
 * @param begun the turn, without any events
 */
export async function* runTurn(
  deps: RunDeps,
  begun: Turn,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<TurnStep> {
  const start = deps.now();
  const at = () => deps.now() - start;
  let turn = begun;
  const fold = (event: TurnEvent['event']): TurnStep => {
    const step = foldStep(turn, { at: at(), event });
    turn = step.turn;
    return step;
  };
  const end = (by: TurnEnd['by'], failure?: Failure) => fold({ type: 'ended', by, failure });
  let next = request;
  try {
    for (let round = 1; ; round++) {
      const { damagedEvents } = turn;
      for await (const event of deps.client.stream(next, signal)) yield fold(event);
      if (!callsTools(turn) || deps.toolbox === undefined || deps.loadCheck === undefined) {
        yield end('service');
        return;
      }
      if (round > MAX_ROUNDS) {
        yield fold({ type: 'round-ended', calls: refuseCalls(turn.toolCalls, round, OUT_OF_ROUNDS) });
        yield end('limit');
        return;
      }
      const check = await deps.loadCheck();
      const { toolbox, stopOf = () => NEVER } = deps;
      const damaged = turn.damagedEvents > damagedEvents;
      const planned = planCalls(turn.toolCalls, round, damaged, toolbox, check);
      yield fold({ type: 'round-ended', calls: planned.map(({ call }) => call) });
      for await (const { index, call } of runCalls(planned, toolbox, signal, at, stopOf))
        yield fold({ type: 'call-changed', index, call });
      signal.throwIfAborted();
      const added = turn.rounds.slice(-1).flatMap(toRoundMessages);
      next = { ...next, messages: [...next.messages, ...added] };
      assertValidMessages(next);
      if (deps.mayContinue !== undefined && !(await deps.mayContinue(turn, next))) {
        yield end('user');
        return;
      }
      signal.throwIfAborted();
      yield fold({ type: 'round-begun', added: added.map(toMessagePart) });
    }
  } catch (thrown) {
    yield signal.aborted ? end('user') : end('error', toFailure(fromTransportError(thrown)));
  }
}

const NEVER = new AbortController().signal;

/** The last check before a round is sent: what the service would refuse is not sent. */
function assertValidMessages({ messages }: ChatRequest): void {
  const problem = findMessageProblem(messages);
  if (problem === undefined) return;
  const value = 'value' in problem ? ` ${problem.value}` : '';
  throw new ServiceError('invalid-request', {
    serviceMessage: `${problem.field}: ${problem.reason}${value}`,
  });
}
