import type { Client } from '../service/client.ts';
import { isRefusal } from '../service/contentParts.ts';
import { type Failure, ServiceError, toFailure } from '../service/errors.ts';
import { fromTransportError } from '../service/transportError.ts';
import type { ChatRequest } from '../service/types.ts';
import type { TurnEnd, TurnEvent, TurnStep } from './events.ts';
import { foldStep } from './fold.ts';
import { DECLINED, isInPlace, type OtherForm, toOtherForm } from './otherForm.ts';
import { toPrefix } from './requestMessages/prefix.ts';
import { callsTools } from './response.ts';
import {
  type CallCheck,
  MAX_ROUNDS,
  MIXED,
  OUT_OF_ROUNDS,
  type PlannedCall,
  planCalls,
  refuseCalls,
} from './toolCalls/planCalls.ts';
import { runCalls } from './toolCalls/runCalls.ts';
import type { Toolbox } from './toolCalls/tools.ts';
import type { Turn } from './turn.ts';
import { createTurnRequests, type TurnRequests, type TurnRequestsDeps } from './turnRequests.ts';

export interface RunDeps extends TurnRequestsDeps {
  readonly client: Pick<Client, 'stream'>;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
  /** The tools whose definitions are in the request. */
  readonly toolbox?: Toolbox | undefined;
  /** Called when the first call has to be checked. */
  readonly loadCheck?: () => Promise<CallCheck>;
  /** A signal that aborts when the user stops only this call. The turn continues. */
  readonly stopOf?: (callId: string) => AbortSignal;
  /** The maximum time that a call can run, in milliseconds, without the time for which it waits for approval. Replaced in tests. */
  readonly maxCallMs?: number;
  /**
   * Called before each request after the first, with that request. If it returns false, the turn is stopped.
   *
   * @param again whether the request replaces the previous one, which was refused and isn't billed
   */
  readonly mayContinue?: (turn: Turn, next: ChatRequest, again: boolean) => Promise<boolean>;
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
  const run = createRun(deps, begun, request, signal);
  const { fold, requests } = run;
  try {
    while (run.turn.outcome === undefined) {
      const seen = { isMixed: false, damagedEvents: run.turn.damagedEvents };
      let hasBegun = false;
      try {
        // Not in a generator of its own, because each event would have to pass through that, too.
        for await (const event of deps.client.stream(requests.next(), signal)) {
          // Before its text, a response with the status of success can still be a refusal.
          if (event.type === 'chunk' && !hasBegun)
            for (const form of run.other?.accepted ?? []) yield fold(form);
          hasBegun ||= event.type === 'chunk';
          seen.isMixed ||= event.type === 'other-choice' && event.hasCalls;
          yield fold(event);
        }
      } catch (thrown) {
        // Some services don't end the stream after the finish reason. That isn't silence in the middle of the calls.
        const isRead = !signal.aborted && isSilence(thrown) && callsTools(run.turn);
        if (!isRead && hasBegun) throw thrown;
        if (!isRead) {
          yield* changeForm(run, thrown);
          continue;
        }
      }
      yield* endOrGoOn(run, seen);
    }
  } catch (thrown) {
    yield signal.aborted || thrown === DECLINED
      ? run.end('user')
      : run.end('error', toFailure(fromTransportError(thrown)));
  }
}

/** A turn that runs. */
interface Run {
  readonly deps: RunDeps;
  readonly signal: AbortSignal;
  readonly requests: TurnRequests;
  turn: Turn;
  /** The number of the request, counted from 1. A request in another form has the same number. */
  round: number;
  /** The other form in which the request is sent, if any. */
  other: OtherForm | undefined;
  check: CallCheck | undefined;
  /** Milliseconds since the start of the turn. */
  at(): number;
  fold(event: TurnEvent['event']): TurnStep;
  end(by: TurnEnd['by'], failure?: Failure): TurnStep;
}

function createRun(deps: RunDeps, begun: Turn, request: ChatRequest, signal: AbortSignal): Run {
  const start = deps.now();
  const run: Run = {
    deps,
    signal,
    requests: createTurnRequests(deps, request),
    turn: begun,
    round: 1,
    other: undefined,
    check: undefined,
    at: () => deps.now() - start,
    fold(event) {
      const step = foldStep(run.turn, { at: run.at(), event });
      run.turn = step.turn;
      return step;
    },
    end: (by, failure) => run.fold({ type: 'ended', by, failure }),
  };
  return run;
}

/** Ends the turn after a response, or runs the calls of the response and makes the next request. */
async function* endOrGoOn(
  run: Run,
  seen: { readonly isMixed: boolean; readonly damagedEvents: number },
): AsyncGenerator<TurnStep> {
  const { turn, round } = run;
  const { toolbox, loadCheck } = run.deps;
  if (!callsTools(turn) || toolbox === undefined || loadCheck === undefined) {
    yield run.end('service');
    return;
  }
  // A gateway that mixes choices usually does so in each response, and each response is billed.
  const refusal = round > MAX_ROUNDS ? OUT_OF_ROUNDS : seen.isMixed ? MIXED : undefined;
  if (refusal !== undefined) {
    yield run.fold({ type: 'round-ended', calls: refuseCalls(turn.toolCalls, round, refusal, toolbox) });
    yield run.end('limit');
    return;
  }
  run.check ??= await loadCheck();
  const isDamaged = turn.damagedEvents > seen.damagedEvents;
  yield* callTools(run, planCalls(turn.toolCalls, round, isDamaged, toolbox, run.check), toolbox);
  yield* goOn(run);
  run.round++;
  run.other = undefined;
}

/** Runs the calls that the response ended with. */
async function* callTools(
  { deps: { stopOf = () => NEVER, maxCallMs }, signal, at, fold }: Run,
  planned: readonly PlannedCall[],
  toolbox: Toolbox,
): AsyncGenerator<TurnStep> {
  yield fold({ type: 'round-ended', calls: planned.map(({ call }) => call) });
  for await (const { index, call } of runCalls(planned, toolbox, signal, at, stopOf, maxCallMs))
    yield fold({ type: 'call-changed', index, call });
  signal.throwIfAborted();
}

/** Makes the next request, and asks whether it may be sent. */
async function* goOn(run: Run): AsyncGenerator<TurnStep> {
  const { requests, fold } = run;
  const { added, omission, isOtherForm } = requests.grow(run.turn);
  const next = requests.next();
  if (!(await mayContinue(run, next, false))) throw DECLINED;
  run.signal.throwIfAborted();
  yield fold({ type: 'round-begun', added });
  if (omission !== undefined) yield fold({ type: 'results-omitted', omission, prefix: toPrefix(next) });
  if (isOtherForm)
    yield fold({ type: 'content-parts', request: next, prefix: toPrefix(next), refused: false });
}

/** Replaces a failed request by one in another form. Throws the error that ends the turn if there is no other form. */
async function* changeForm(run: Run, thrown: unknown): AsyncGenerator<TurnStep> {
  const { requests, signal, turn, other } = run;
  const mayRepeat = (wanted: ChatRequest) => mayContinue(run, wanted, true);
  const withCallsAsText = () => requests.withCallsAsText(turn);
  try {
    run.other = await toOtherForm(thrown, requests.next(), other, mayRepeat, signal, withCallsAsText);
  } catch (error) {
    // The user stopped the turn, or didn't agree to the other form. So nothing was sent that the service bills.
    const isFailure = error === thrown || error === other?.refusal;
    if (!isFailure && (isRefusal(thrown) || isInPlace(thrown))) yield run.fold({ type: 'refused' });
    throw error;
  }
  requests.replace(run.other.next, turn);
}

const mayContinue = async ({ deps, turn }: Run, wanted: ChatRequest, again: boolean): Promise<boolean> =>
  (await deps.mayContinue?.(turn, wanted, again)) ?? true;

const isSilence = (thrown: unknown): boolean => thrown instanceof ServiceError && thrown.kind === 'silent';

const NEVER = new AbortController().signal;
