import type { Client } from '../service/client.ts';
import { ServiceError, toFailure } from '../service/errors.ts';
import { findMessageProblem } from '../service/request.ts';
import { fromTransportError } from '../service/transportError.ts';
import type { ChatRequest } from '../service/types.ts';
import type { TurnEvent } from './events.ts';
import { toMessagePart } from './prefix.ts';
import { callsTools, foldSaid, NOTHING_SAID, type Said } from './said.ts';
import { type CallCheck, MAX_ROUNDS, OUT_OF_ROUNDS, planCalls, refuseCalls, runCalls } from './toolLoop.ts';
import type { Toolbox } from './tools.ts';
import { toRoundMessages } from './transcript.ts';
import type { Call } from './turn.ts';

export interface RunDeps {
  readonly client: Pick<Client, 'stream'>;
  /** Milliseconds on a clock that never jumps. */
  readonly now: () => number;
  /** The tools whose definitions are in the request. */
  readonly toolbox?: Toolbox | undefined;
  /** Loaded when the first call has to be checked. */
  readonly loadCheck?: () => Promise<CallCheck>;
  /** Aborted when the reader stops that call alone; the turn goes on. */
  readonly stopOf?: (callId: string) => AbortSignal;
  /** Asked before each request after the first; when the reader says no, the turn is stopped. */
  readonly mayGoOn?: () => Promise<boolean>;
}

/**
 * Runs one turn: what the service does, as events, and always exactly one end, whatever happens. While the model calls
 * tools that were offered, they are run and the service is asked again, with everything before as it was. It never
 * throws; aborting the signal ends the turn as stopped by the reader.
 */
export async function* runTurn(
  deps: RunDeps,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent> {
  const start = deps.now();
  const at = () => deps.now() - start;
  let next = request;
  try {
    for (let round = 1; ; round++) {
      let said = NOTHING_SAID;
      let damaged = false;
      for await (const event of deps.client.stream(next, signal)) {
        said = foldSaid(said, event);
        damaged ||= event.type === 'damaged';
        yield { at: at(), event };
      }
      if (!callsTools(said) || deps.toolbox === undefined || deps.loadCheck === undefined) {
        yield { at: at(), event: { type: 'ended', by: 'service', failure: undefined } };
        return;
      }
      if (round > MAX_ROUNDS) {
        const calls = refuseCalls(said.toolCalls, round, OUT_OF_ROUNDS);
        yield { at: at(), event: { type: 'round-ended', calls } };
        yield { at: at(), event: { type: 'ended', by: 'limit', failure: undefined } };
        return;
      }
      const check = await deps.loadCheck();
      const { toolbox, stopOf = () => NEVER } = deps;
      const calls = yield* answerCalls(said, { round, damaged, toolbox, check, signal, at, stopOf });
      signal.throwIfAborted();
      if (deps.mayGoOn !== undefined && !(await deps.mayGoOn())) {
        yield { at: at(), event: { type: 'ended', by: 'reader', failure: undefined } };
        return;
      }
      const added = toRoundMessages({ ...said, toolCalls: calls });
      next = { ...next, messages: [...next.messages, ...added] };
      refuseBroken(next);
      yield { at: at(), event: { type: 'round-begun', added: added.map(toMessagePart) } };
    }
  } catch (thrown) {
    if (signal.aborted) {
      yield { at: at(), event: { type: 'ended', by: 'reader', failure: undefined } };
      return;
    }
    const failure = toFailure(fromTransportError(thrown));
    yield { at: at(), event: { type: 'ended', by: 'error', failure } };
  }
}

interface Answering {
  readonly round: number;
  /** A part of the stream could not be read. */
  readonly damaged: boolean;
  readonly toolbox: Toolbox;
  readonly check: CallCheck;
  readonly signal: AbortSignal;
  readonly at: () => number;
  readonly stopOf: (callId: string) => AbortSignal;
}

const NEVER = new AbortController().signal;

/** Runs the calls of a round, and returns them with their results. */
async function* answerCalls(said: Said, deps: Answering): AsyncGenerator<TurnEvent, readonly Call[]> {
  const { round, damaged, toolbox, check, signal, at, stopOf } = deps;
  const planned = planCalls(said.toolCalls, round, damaged, toolbox, check);
  let calls = planned.map(({ call }) => call);
  yield { at: at(), event: { type: 'round-ended', calls } };
  for await (const { index, call } of runCalls(planned, toolbox, signal, at, stopOf)) {
    calls = calls.with(index, call);
    yield { at: at(), event: { type: 'call-changed', index, call } };
  }
  return calls;
}

/** The last look before a round goes out: what the service would refuse is not sent. */
function refuseBroken({ messages }: ChatRequest): void {
  const problem = findMessageProblem(messages);
  if (problem === undefined) return;
  const value = 'value' in problem ? ` ${problem.value}` : '';
  throw new ServiceError('invalid-request', {
    serviceMessage: `${problem.field}: ${problem.reason}${value}`,
  });
}
