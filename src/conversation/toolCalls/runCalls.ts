/** Runs the tool calls of a round in parallel and creates a result for each. */
import { untilAborted } from '../../service/abort.ts';
import { createDeferred } from '../../service/deferred.ts';
import { messageOf } from '../../service/errorMessage.ts';
import { startWakingTimer, type WakingTimer } from '../../service/wakingTimer.ts';
import { cutText } from '../cutText.ts';
import { NO_OUTPUT } from '../requestMessages/sentCalls.ts';
import { STOPPED_CALL } from '../rounds.ts';
import type { Call, CallState } from '../turn.ts';
import type { PlannedCall } from './planCalls.ts';
import type { ReadyCall, Toolbox, ToolResult } from './tools.ts';

/** The maximum length of a result, in characters. A longer result is cut, with a note. */
export const MAX_RESULT = 60_000;
/**
 * The maximum time that a call can run, in milliseconds. It ends a tool that never returns, not a slow one: builds and tests take
 * long. Waiting for the user's approval doesn't count.
 */
const MAX_CALL_MS = 30 * 60_000;

/** A change to a call of the round. */
export interface CallChange {
  readonly index: number;
  readonly call: Call;
}

/**
 * Runs all calls of a round in parallel and yields each change. Ends when all have a result, or as soon as the signal aborts;
 * then some calls may have no result.
 *
 * @param at returns the milliseconds since the turn started
 * @param stopOf returns a signal that aborts when the user stops only this call
 * @param maxMs the maximum time that a call can run, in milliseconds
 */
export async function* runCalls(
  planned: readonly PlannedCall[],
  toolbox: Toolbox,
  signal: AbortSignal,
  at: () => number,
  stopOf: (callId: string) => AbortSignal,
  maxMs = MAX_CALL_MS,
): AsyncGenerator<CallChange> {
  if (signal.aborted) return;
  const changes: CallChange[] = [];
  let woken = createDeferred<void>();
  let open = 0;
  const wake = () => woken.resolve();
  const begin = (index: number, { call, ready }: PlannedCall) => {
    if (ready === undefined) return;
    open++;
    let now = call;
    const waited = createWaitClock(at);
    const change = (next: Partial<Call>) => {
      // Ignore what a tool reports after its result or after the end of the turn.
      if (now.result !== undefined || signal.aborted) return;
      now = { ...now, ...next };
      changes.push({ index, call: now });
      wake();
    };
    // This never rejects: if a tool fails, its error is the result.
    void runCall(toolbox, ready, { turn: signal, call: stopOf(ready.id), maxMs }, (state) =>
      change({ state, startedAt: state === 'running' ? at() : undefined, ...waited(state) }),
    ).then((result) => {
      if (result !== undefined) change({ ...toEnd(result), endedAt: at(), ...waited('ended') });
      open--;
      wake();
    });
  };
  signal.addEventListener('abort', wake, { once: true });
  try {
    for (const [index, plan] of planned.entries()) begin(index, plan);
    while (!signal.aborted) {
      for (let next = changes.shift(); next !== undefined; next = changes.shift()) yield next;
      if (open === 0) return;
      await woken.promise;
      woken = createDeferred<void>();
    }
  } finally {
    signal.removeEventListener('abort', wake);
  }
}

/** Measures how long a call waits for the user, who can be asked more than once. */
function createWaitClock(at: () => number) {
  let since: number | undefined;
  let sum = 0;
  return (state: 'waiting' | 'running' | 'ended'): Pick<Call, 'waitedMs'> => {
    if (since !== undefined) sum += at() - since;
    since = state === 'waiting' ? at() : undefined;
    return sum === 0 ? {} : { waitedMs: sum };
  };
}

/** What can stop a call: the end of its turn, the user stopping only this call, or the time. */
interface Stops {
  readonly turn: AbortSignal;
  readonly call: AbortSignal;
  readonly maxMs: number;
}

/**
 * The result of a call, or undefined if its turn was stopped. If a tool throws, the call has failed. If the
 * user stops a call, or it takes too long, the turn continues without waiting for the tool.
 */
async function runCall(
  toolbox: Toolbox,
  ready: ReadyCall,
  stops: Stops,
  onState: (state: 'waiting' | 'running') => void,
): Promise<ToolResult | undefined> {
  const late = new AbortController();
  let timer: WakingTimer | undefined;
  let over = false;
  const enter = (state: 'waiting' | 'running') => {
    timer?.stop();
    // A tool that nobody waits for anymore can still report its state.
    if (state === 'running' && !over) timer = startWakingTimer(stops.maxMs, () => late.abort());
    onState(state);
  };
  const ended = AbortSignal.any([stops.call, late.signal]);
  try {
    // A toolbox that asks for approval reports that before it waits. Until then, the call is running.
    enter('running');
    const signal = AbortSignal.any([stops.turn, ended]);
    return await untilAborted(toolbox.run(ready, signal, enter), ended);
  } catch (thrown) {
    if (stops.turn.aborted) return undefined;
    if (stops.call.aborted) return STOPPED_CALL;
    if (late.signal.aborted) return tookTooLong(stops.maxMs);
    return { text: messageOf(thrown), failed: true };
  } finally {
    over = true;
    timer?.stop();
  }
}

/** The result for the model, which the user also sees with the call. The tool may still be running, and what it did isn't known. */
function tookTooLong(ms: number): ToolResult {
  const minutes = Math.round(ms / 60_000);
  return {
    text: `The call was ended: the tool did not return within ${minutes} minutes. What it did until then is not known.`,
    failed: true,
  };
}

function toEnd(result: ToolResult): Pick<Call, 'state' | 'result'> {
  const blank = (result.images ?? []).length > 0 ? '[only images]' : NO_OUTPUT;
  return {
    state: stateOf(result),
    result: { ...result, text: cutResult(result.text.trim() === '' ? blank : result.text) },
  };
}

function stateOf({ refused, stopped, failed }: ToolResult): CallState {
  if (refused) return 'refused';
  if (stopped) return 'stopped';
  return failed ? 'failed' : 'done';
}

function cutResult(text: string): string {
  if (text.length <= MAX_RESULT) return text;
  return `${cutText(text, MAX_RESULT)}\n\n[cut: the first ${MAX_RESULT} of ${text.length} characters]`;
}
