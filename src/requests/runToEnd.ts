/** Runs one turn: reports every step, then logs and records the turn, also after errors. */

import type { TurnStep } from '../conversation/events.ts';
import { foldStep } from '../conversation/fold.ts';
import { type RunDeps, runTurn } from '../conversation/runTurn.ts';
import type { CallCheck } from '../conversation/toolCalls/planCalls.ts';
import type { CostBasis, Turn } from '../conversation/turn.ts';
import { billsOf, costOf } from '../conversation/usage/cost.ts';
import { withEstimatedCost } from '../conversation/usage/unreportedCost.ts';
import type { Failure } from '../service/errors.ts';
import type { Prices } from '../service/prices.ts';
import type { ChatRequest } from '../service/types.ts';
import type { Asker, DailyCapPolicy } from '../spending/dailyCap.ts';
import { describeTurn } from './describeTurn.ts';

export interface TurnControl {
  /** Aborting it ends the turn with the outcome `stopped`. */
  readonly signal: AbortSignal;
  /** Aborted when the user stops only that tool call; the turn continues. */
  stopOf?(callId: string): AbortSignal;
  /** Called for every step of the turn, including its end. */
  onStep(step: TurnStep): void;
}

export interface RunToEndDeps
  extends Pick<
    RunDeps,
    | 'client'
    | 'toolbox'
    | 'needsContentParts'
    | 'findOmitted'
    | 'withoutEarlier'
    | 'callsAsText'
    | 'sentReasoning'
  > {
  readonly mayContinue: NonNullable<RunDeps['mayContinue']>;
  readonly spending: Pick<DailyCapPolicy, 'putRunning' | 'dropRunning'>;
  readonly prices: Prices;
  /** Functions of the running turns. Each ends its turn immediately, as interrupted, because the window closes. */
  readonly running: Set<() => void>;
  readonly log: { info(line: string): void; warn(line: string): void };
}

export interface RunnableTurn {
  readonly asker: Asker;
  /** The turn before its first step. */
  readonly initialTurn: Turn;
  readonly request: ChatRequest;
  /** The data from which the estimated cost of the turn is calculated. The same object until the next request. */
  costBasis?(): CostBasis | undefined;
  /** Learns from the ended turn, before the listeners are told that it has ended. */
  learn?(turn: Turn): void;
  /** Records the cost of the ended turn; called once. */
  record(turn: Turn): void;
}

/** Never rejects: errors are logged, and the turn still ends. */
export async function runToEnd(
  { spending, prices, running, log, ...run }: RunToEndDeps,
  { asker, initialTurn, request, costBasis, learn, record }: RunnableTurn,
  { signal, stopOf, onStep }: TurnControl,
): Promise<Turn> {
  const start = performance.now();
  const now = () => performance.now();
  let turn = initialTurn;
  let isRecorded = false;
  const closing = new AbortController();
  const guarded = toGuarded((what, error) =>
    log.warn(`turn ${initialTurn.id}: ${what}: ${describeError(error)}`),
  );
  const report = (last: TurnStep) => {
    // The window has closed, so the listeners are disposed.
    if (isRecorded) return;
    const step = withCost(last, costBasis?.());
    turn = step.turn;
    if (turn.usage !== step.before.usage) spending.putRunning(turn.id, costWithLast(turn, prices));
    if (turn.outcome !== undefined) guarded('nothing was learned', () => learn?.(turn));
    guarded('a listener failed', () => onStep(step));
  };
  const end = (by: 'error' | 'window', failure: Failure | undefined) =>
    report(foldStep(turn, { at: now() - start, event: { type: 'ended', by, failure } }));
  const finish = () => {
    if (isRecorded) return;
    isRecorded = true;
    running.delete(interrupt);
    guarded('its cost was not recorded', () => record(turn));
    spending.dropRunning(turn.id);
    log.info(`${LOG_PREFIX[asker]}${describeTurn(turn)}`);
  };
  const interrupt = () => {
    if (turn.outcome === undefined) end('window', undefined);
    finish();
    closing.abort();
  };
  running.add(interrupt);
  try {
    const until = AbortSignal.any([signal, closing.signal]);
    const deps = { ...run, loadCheck, now, ...(stopOf && { stopOf }) };
    for await (const step of runTurn(deps, initialTurn, request, until)) report(step);
  } catch (error) {
    log.warn(`turn ${initialTurn.id} broke: ${describeError(error)}`);
  }
  if (turn.outcome === undefined) end('error', { kind: 'unknown', details: {} });
  finish();
  return turn;
}

/**
 * Adds the data for an estimate of the cost to a running turn, because its window can be closed or killed. An ended turn gets the
 * estimate.
 */
function withCost(step: TurnStep, costBasis: CostBasis | undefined): TurnStep {
  const { turn } = step;
  if (turn.outcome !== undefined) return { ...step, turn: withDay(withEstimatedCost(turn, costBasis)) };
  return costBasis === turn.costBasis || costBasis === undefined
    ? step
    : { ...step, turn: { ...turn, costBasis } };
}

/** Records on which day a turn ended if its timings say another day: the clock of a turn stops while the computer is asleep. */
function withDay(turn: Turn): Turn {
  const endedOn = Date.now();
  const end = turn.startedAt + (turn.timings.ended ?? 0);
  const isLater = endedOn > end && new Date(end).toDateString() !== new Date(endedOn).toDateString();
  return isLater ? { ...turn, endedOn } : turn;
}

/**
 * The cost including the last request. Undefined if that isn't known, also at the end of a round. Then the estimate of the
 * request still counts.
 */
const costWithLast = (turn: Turn, prices: Prices): number | undefined =>
  billsOf(turn).at(-1)?.billing === 'unreported' ? undefined : costOf(turn, prices);

const LOG_PREFIX: Readonly<Record<Asker, string>> = {
  conversation: '',
  'other-chat': 'another chat: ',
  'connection-check': 'connection check: ',
};

/** The check of tool calls is a separate file that is loaded with the first call. */
async function loadCheck(): Promise<CallCheck> {
  const { createCallCheck } = await import('../conversation/toolCalls/callCheck.ts');
  return createCallCheck();
}

/**
 * Creates a function that calls functions that may throw. Only the first error of each kind is logged, because a failing listener
 * fails for every delta.
 */
function toGuarded(log: (what: string, error: unknown) => void) {
  const logged = new Set<string>();
  return (what: string, call: () => void): void => {
    try {
      call();
    } catch (error) {
      if (!logged.has(what)) log(what, error);
      logged.add(what);
    }
  };
}

/** Shortened, because a message can quote text of the conversation, which must not be logged. */
const describeError = (error: unknown) => String(error).slice(0, 200);
