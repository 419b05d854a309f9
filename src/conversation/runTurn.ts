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
import { createTurnRequests, type TurnRequestsDeps } from './turnRequests.ts';

export interface RunDeps extends TurnRequestsDeps {
  readonly client: Pick<Client, 'stream'>;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
  /** The tools whose definitions are in the request. */
  readonly toolbox?: Toolbox | undefined;
  /** Called when the first call has to be checked. */
  readonly loadCheck?: () => Promise<CallCheck>;
  /** Aborts when the user stops only that call. The turn continues. */
  readonly stopOf?: (callId: string) => AbortSignal;
  /** How long a call can run, in milliseconds, without the time that it waits for approval. Replaced in tests. */
  readonly maxCallMs?: number;
  /**
   * Called before each request after the first, with that request. If it returns false, the turn is stopped.
   *
   * @param again whether it takes the place of the request before, which was refused and isn't billed
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
  const start = deps.now();
  const at = () => deps.now() - start;
  let turn = begun;
  const fold = (event: TurnEvent['event']): TurnStep => {
    const step = foldStep(turn, { at: at(), event });
    turn = step.turn;
    return step;
  };
  const end = (by: TurnEnd['by'], failure?: Failure) => fold({ type: 'ended', by, failure });
  const mayContinue = async (wanted: ChatRequest, again: boolean) =>
    (await deps.mayContinue?.(turn, wanted, again)) ?? true;
  const mayRepeat = (wanted: ChatRequest) => mayContinue(wanted, true);
  const requests = createTurnRequests(deps, request);
  const withCallsAsText = () => requests.withCallsAsText(turn);

  /** Runs the calls that the response ended with. */
  async function* callTools(planned: readonly PlannedCall[], toolbox: Toolbox): AsyncGenerator<TurnStep> {
    const { stopOf = () => NEVER, maxCallMs } = deps;
    yield fold({ type: 'round-ended', calls: planned.map(({ call }) => call) });
    for await (const { index, call } of runCalls(planned, toolbox, signal, at, stopOf, maxCallMs))
      yield fold({ type: 'call-changed', index, call });
    signal.throwIfAborted();
  }

  /** Makes the next request, and asks whether it may be sent. */
  async function* goOn(): AsyncGenerator<TurnStep> {
    const { added, omission, isOtherForm } = requests.grow(turn);
    const next = requests.next();
    if (!(await mayContinue(next, false))) throw DECLINED;
    signal.throwIfAborted();
    yield fold({ type: 'round-begun', added });
    if (omission !== undefined) yield fold({ type: 'results-omitted', omission, prefix: toPrefix(next) });
    if (isOtherForm)
      yield fold({ type: 'content-parts', request: next, prefix: toPrefix(next), refused: false });
  }

  /** What the request was sent instead of. */
  let other: OtherForm | undefined;

  /** Puts the request in another form in the place of one that failed. Throws the failure that ends the turn if there is none. */
  async function* changeForm(thrown: unknown): AsyncGenerator<TurnStep> {
    try {
      other = await toOtherForm(thrown, requests.next(), other, mayRepeat, signal, withCallsAsText);
    } catch (error) {
      // The user stopped the turn, or didn't agree to the other form: nothing was sent that the service bills.
      const isFailure = error === thrown || error === other?.refusal;
      if (!isFailure && (isRefusal(thrown) || isInPlace(thrown))) yield fold({ type: 'refused' });
      throw error;
    }
    requests.replace(other.next, turn);
  }

  let check: CallCheck | undefined;
  try {
    for (let round = 1; ; ) {
      const { damagedEvents } = turn;
      let isMixed = false;
      let hasBegun = false;
      try {
        // Not in a generator of its own, through which each event would have to pass as well.
        for await (const event of deps.client.stream(requests.next(), signal)) {
          // Before its text, a response with the status of success can still be a refusal.
          if (event.type === 'chunk' && !hasBegun) for (const form of other?.accepted ?? []) yield fold(form);
          hasBegun ||= event.type === 'chunk';
          isMixed ||= event.type === 'other-choice' && event.hasCalls;
          yield fold(event);
        }
      } catch (thrown) {
        // Some services don't end the stream behind its finish reason. It isn't silence in the middle of the calls.
        const isRead = !signal.aborted && isSilence(thrown) && callsTools(turn);
        if (!isRead && hasBegun) throw thrown;
        if (!isRead) {
          yield* changeForm(thrown);
          continue;
        }
      }
      if (!callsTools(turn) || deps.toolbox === undefined || deps.loadCheck === undefined) {
        yield end('service');
        return;
      }
      // A gateway that mixes choices mostly does so in each response, and each one is billed.
      const refusal = round > MAX_ROUNDS ? OUT_OF_ROUNDS : isMixed ? MIXED : undefined;
      if (refusal !== undefined) {
        const calls = refuseCalls(turn.toolCalls, round, refusal, deps.toolbox);
        yield fold({ type: 'round-ended', calls });
        yield end('limit');
        return;
      }
      check ??= await deps.loadCheck();
      const damaged = turn.damagedEvents > damagedEvents;
      yield* callTools(planCalls(turn.toolCalls, round, damaged, deps.toolbox, check), deps.toolbox);
      yield* goOn();
      round++;
      other = undefined;
    }
  } catch (thrown) {
    yield signal.aborted || thrown === DECLINED
      ? end('user')
      : end('error', toFailure(fromTransportError(thrown)));
  }
}

const isSilence = (thrown: unknown): boolean => thrown instanceof ServiceError && thrown.kind === 'silent';

const NEVER = new AbortController().signal;
