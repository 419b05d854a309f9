import type { Client } from '../service/client.ts';
import { isRefusal, toContentParts } from '../service/contentParts.ts';
import { type Failure, ServiceError, toFailure } from '../service/errors.ts';
import { findMessageProblem } from '../service/request.ts';
import { fromTransportError } from '../service/transportError.ts';
import type { ChatRequest, Message } from '../service/types.ts';
import type { TurnEnd, TurnEvent, TurnStep } from './events.ts';
import { foldStep, withoutResults } from './fold.ts';
import { DECLINED, type OtherForm, toOtherForm } from './otherForm.ts';
import { type EarlierResult, type Omission, omittedIn } from './requestFacts.ts';
import { earlierOmitted } from './requestMessages/omissions.ts';
import { toMessageParts, toPrefix } from './requestMessages/prefix.ts';
import { toRunningRound } from './requestMessages/transcript.ts';
import { callsTools } from './response.ts';
import { type CallCheck, MAX_ROUNDS, OUT_OF_ROUNDS, planCalls, refuseCalls } from './toolCalls/planCalls.ts';
import { runCalls } from './toolCalls/runCalls.ts';
import type { Toolbox } from './toolCalls/tools.ts';
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
  /** How long a call can run, in milliseconds, without the time that it waits for approval. Replaced in tests. */
  readonly maxCallMs?: number;
  /**
   * Called before each request after the first, with that request. If it returns false, the turn is stopped.
   *
   * @param again whether it takes the place of the request before, which was refused and isn't billed
   */
  readonly mayContinue?: (turn: Turn, next: ChatRequest, again: boolean) => Promise<boolean>;
  /** Results to leave out of the next request because it would be too long. */
  readonly findOmitted?: (turn: Turn, next: ChatRequest) => Omission | undefined;
  /** The messages of the first request, without results of earlier turns. `asText`: calls without reasoning are text. */
  readonly withoutEarlier?: (omitted: readonly EarlierResult[], asText?: boolean) => readonly Message[];
  /** The service is known to refuse calls without reasoning. */
  readonly callsAsText?: boolean;
  /** Whether the service is known to refuse a content that isn't an array beside an image (Q5). */
  readonly needsContentParts?: () => boolean;
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
  let next = request;
  /** The number of messages before those of the rounds. */
  let headLength = request.messages.length;
  /** The service has refused calls without reasoning. */
  let asText = deps.callsAsText === true;
  const withCallsAsText = () => (asText ? undefined : toTextForm(deps, next, headLength, turn));
  let check: CallCheck | undefined;
  try {
    for (let round = 1; ; round++) {
      const { damagedEvents } = turn;
      let other: OtherForm | undefined;
      for (let isRead = false; !isRead; ) {
        try {
          for await (const event of deps.client.stream(next, signal)) {
            if (other !== undefined && event.type === 'headers') {
              if (other.accepted.type === 'calls-as-text') {
                asText = true;
                headLength = toTextHead(deps, turn)?.length ?? headLength;
              }
              yield fold(other.accepted);
            }
            yield fold(event);
          }
          isRead = true;
        } catch (thrown) {
          try {
            other = await toOtherForm(thrown, next, other, mayRepeat, signal, withCallsAsText);
          } catch (error) {
            // The user stopped the turn, or didn't agree to the other form: nothing was sent that the service bills.
            if (other === undefined && error !== thrown && isRefusal(thrown)) yield fold({ type: 'refused' });
            throw error;
          }
          next = other.accepted.request;
        }
      }
      if (!callsTools(turn) || deps.toolbox === undefined || deps.loadCheck === undefined) {
        yield end('service');
        return;
      }
      if (round > MAX_ROUNDS) {
        yield fold({
          type: 'round-ended',
          calls: refuseCalls(turn.toolCalls, round, OUT_OF_ROUNDS, deps.toolbox),
        });
        yield end('limit');
        return;
      }
      check ??= await deps.loadCheck();
      const { toolbox, stopOf = () => NEVER } = deps;
      const damaged = turn.damagedEvents > damagedEvents;
      const planned = planCalls(turn.toolCalls, round, damaged, toolbox, check);
      yield fold({ type: 'round-ended', calls: planned.map(({ call }) => call) });
      for await (const { index, call } of runCalls(planned, toolbox, signal, at, stopOf, deps.maxCallMs))
        yield fold({ type: 'call-changed', index, call });
      signal.throwIfAborted();
      const { added, isOtherForm, ...grown } = toNextRequest(next, turn, deps, asText);
      const omitted = deps.findOmitted?.(turn, grown.next);
      next =
        omitted === undefined ? grown.next : toShorter(deps, grown.next, headLength, turn, omitted, asText);
      assertValidMessages(next);
      if (!(await mayContinue(next, false))) throw DECLINED;
      signal.throwIfAborted();
      yield fold({ type: 'round-begun', added });
      if (omitted !== undefined)
        yield fold({ type: 'results-omitted', omission: omitted, prefix: toPrefix(next) });
      if (isOtherForm)
        yield fold({ type: 'content-parts', request: next, prefix: toPrefix(next), refused: false });
    }
  } catch (thrown) {
    yield signal.aborted || thrown === DECLINED
      ? end('user')
      : end('error', toFailure(fromTransportError(thrown)));
  }
}

const NEVER = new AbortController().signal;

/**
 * The request of the next round: the previous one, followed by the messages of the round that ended. With the first
 * image, the form of all contents can change (Q5).
 */
function toNextRequest(request: ChatRequest, turn: Turn, { needsContentParts }: RunDeps, asText: boolean) {
  const ended = turn.rounds.slice(-1).flatMap((round) => toRunningRound(round, asText));
  const messages = [...request.messages, ...ended];
  const hadParts = turn.request.contentParts !== undefined;
  const sent = hadParts || needsContentParts?.() === true ? toContentParts(messages) : messages;
  return {
    next: { ...request, messages: sent },
    added: toMessageParts(sent.slice(request.messages.length)),
    isOtherForm: !hadParts && sent !== messages,
  };
}

/** The next request without some results: everything else has the same bytes. */
function toShorter(
  { withoutEarlier }: Pick<RunDeps, 'withoutEarlier'>,
  next: ChatRequest,
  headLength: number,
  turn: Turn,
  omission: Omission,
  asText: boolean,
): ChatRequest {
  const shorter = { rounds: turn.rounds, request: withoutResults(turn, omission) };
  const isHeadShorter = (omission.earlier ?? []).length > 0;
  const head = isHeadShorter ? withoutEarlier?.(earlierOmitted(shorter), asText) : undefined;
  return toSame(next, headLength, shorter, asText, head);
}

/** The messages before the rounds with calls without reasoning as text. Undefined if there are no earlier calls. */
const toTextHead = ({ withoutEarlier }: Pick<RunDeps, 'withoutEarlier'>, turn: Turn) =>
  withoutEarlier?.(earlierOmitted(turn), true);

/** The request with all calls without reasoning as text. Undefined if it has none. */
function toTextForm(
  deps: Pick<RunDeps, 'withoutEarlier'>,
  next: ChatRequest,
  headLength: number,
  turn: Turn,
): ChatRequest | undefined {
  const again = toSame(next, headLength, turn, true, toTextHead(deps, turn));
  return JSON.stringify(again.messages) === JSON.stringify(next.messages) ? undefined : again;
}

/**
 * A request with the same rounds, built anew.
 *
 * @param head the messages before the rounds, if they are other ones
 */
function toSame(
  next: ChatRequest,
  headLength: number,
  turn: Pick<Turn, 'rounds' | 'request'>,
  asText: boolean,
  head: readonly Message[] = next.messages.slice(0, headLength),
): ChatRequest {
  const rounds = turn.rounds.flatMap((round, at) => toRunningRound(round, asText, omittedIn(turn, at)));
  const messages = [...head, ...rounds];
  const isInParts = toContentParts(next.messages) === next.messages;
  return { ...next, messages: isInParts ? toContentParts(messages) : messages };
}

/** The last check before a round is sent: what the service would refuse is not sent. */
function assertValidMessages({ messages }: ChatRequest): void {
  const problem = findMessageProblem(messages);
  if (problem === undefined) return;
  const value = 'value' in problem ? ` ${problem.value}` : '';
  throw new ServiceError('invalid-request', {
    serviceMessage: `${problem.field}: ${problem.reason}${value}`,
  });
}
