/** The tool calls of a round: decides which can run, runs them in parallel, and creates a result for each. */
import { untilAborted } from '../../service/abort.ts';
import { createDeferred } from '../../service/deferred.ts';
import { messageOf } from '../../service/errorMessage.ts';
import { asObject, parseJson } from '../../service/json.ts';
import { startWakingTimer, type WakingTimer } from '../../service/wakingTimer.ts';
import { cutText } from '../cutText.ts';
import { NO_OUTPUT } from '../requestMessages/sentCalls.ts';
import { STOPPED_CALL } from '../rounds.ts';
import type { Call, CallState } from '../turn.ts';
import type { CallDraft } from './toolCalls.ts';
import type { ReadyCall, Toolbox, ToolDefinition, ToolResult } from './tools.ts';

/**
 * The maximum number of requests of one turn that may end in calls. After that, the user is asked whether the
 * model should continue.
 */
export const MAX_ROUNDS = 25;
/** The maximum length of a result, in characters. A longer result is cut, with a note. */
export const MAX_RESULT = 60_000;
/**
 * How long a call can run, in milliseconds. It ends a tool that never returns, not a slow one: builds and tests take
 * long. Waiting for the user's approval doesn't count.
 */
const MAX_CALL_MS = 30 * 60_000;
/** The maximum length of arguments, in characters. */
const MAX_ARGUMENTS = 1_000_000;

/** What is wrong with a call's arguments according to the tool's schema. Undefined if they are valid. */
export type CallCheck = (parameters: ToolDefinition['parameters'], value: unknown) => string | undefined;

/**
 * A call, and what to run for it. `ready` is undefined if the call can't run; then it already has its result.
 */
interface Planned {
  readonly call: Call;
  readonly ready: ReadyCall | undefined;
}

/**
 * Decides what to do with the calls of a round. If the tool wasn't offered, or the arguments don't parse or
 * don't match the tool's schema, the result says so, so that every call has a result.
 *
 * @param round number of the round, for the ids of calls without an id
 * @param damaged whether a part of the stream couldn't be read; it may have been part of any arguments
 */
export function planCalls(
  drafts: readonly CallDraft[],
  round: number,
  damaged: boolean,
  toolbox: Toolbox,
  check: CallCheck,
): readonly Planned[] {
  if (damaged) return refuseCalls(drafts, round, DAMAGED).map(notToRun);
  // Arguments without a name may belong to another call, which would run without them.
  if (drafts.some(({ name }) => name === '')) return refuseCalls(drafts, round, NAMELESS).map(notToRun);
  const ids = toIds(drafts, round);
  return drafts.map((draft, index) => {
    const id = ids[index] ?? draft.id;
    const parsed = parseCall({ ...draft, id }, toolbox, check);
    const call: Call = {
      ...draft,
      id,
      state: parsed.ok ? 'running' : 'failed',
      result: parsed.ok ? undefined : { text: parsed.why, failed: true },
      startedAt: undefined,
      endedAt: undefined,
    };
    return { call, ready: parsed.ok ? parsed.ready : undefined };
  });
}

const notToRun = (call: Call): Planned => ({ call, ready: undefined });

/**
 * The ids of the calls of a round, all different, because the service refuses a round with an id twice. The model's are
 * kept; a call without an id, or with that of an earlier call, gets one that no other call has.
 */
function toIds(drafts: readonly CallDraft[], round: number): readonly string[] {
  const taken = new Set(drafts.map(({ id }) => id));
  const kept = new Set(['']);
  return drafts.map(({ id }, index) => {
    if (!kept.has(id)) {
      kept.add(id);
      return id;
    }
    const plain = `call_${round}_${index}`;
    let made = plain;
    for (let again = 1; taken.has(made); again++) made = `${plain}_${again}`;
    taken.add(made);
    return made;
  });
}

const DAMAGED =
  'Not run: a part of the stream could not be read, and may have been part of the arguments. Call again.';
const NAMELESS =
  'Not run: a tool call has no name, and its arguments may belong to another call. Call again.';
export const OUT_OF_ROUNDS = `Not run: the limit of ${MAX_ROUNDS} rounds of calls in one turn is reached.`;

type Parsed = { readonly ok: true; readonly ready: ReadyCall } | { readonly ok: false; readonly why: string };

function parseCall(draft: CallDraft, { definitions }: Toolbox, check: CallCheck): Parsed {
  const no = (why: string): Parsed => ({ ok: false, why: `Not run: ${why}` });
  const tool = definitions.find(({ name }) => name === draft.name);
  if (tool === undefined)
    return no(`there is no tool with the name ${JSON.stringify(draft.name.slice(0, 80))}.`);
  if (draft.arguments.length > MAX_ARGUMENTS) return no('the arguments are too long.');
  const value = parseArguments(draft.arguments);
  if (value === undefined) return no('the arguments are not a JSON object.');
  const wrong = check(tool.parameters, value);
  if (wrong !== undefined) return no(`the arguments do not match the schema of the tool: ${wrong}.`);
  return { ok: true, ready: { id: draft.id, name: draft.name, arguments: value } };
}

/** Some models send an empty string for a tool without parameters. */
function parseArguments(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {};
  return asObject(parseJson(text));
}

/** The calls of a round, none of which is run. The result of each contains the reason. */
export function refuseCalls(drafts: readonly CallDraft[], round: number, text: string): readonly Call[] {
  const ids = toIds(drafts, round);
  return drafts.map((draft, index) => ({
    ...draft,
    id: ids[index] ?? draft.id,
    state: 'not-run',
    result: { text, failed: true },
    startedAt: undefined,
    endedAt: undefined,
  }));
}

/** A change to a call of the round. */
export interface CallChange {
  readonly index: number;
  readonly call: Call;
}

/**
 * Runs all calls of a round in parallel and yields each change. Ends when all have a result, or as soon as
 * the signal aborts; then some calls may have no result.
 *
 * @param at milliseconds since the turn started
 * @param stopOf aborts when the user stops only that call
 * @param maxMs how long a call can run, in milliseconds
 */
export async function* runCalls(
  planned: readonly Planned[],
  toolbox: Toolbox,
  signal: AbortSignal,
  at: () => number,
  stopOf: (callId: string) => AbortSignal,
  maxMs = MAX_CALL_MS,
): AsyncGenerator<CallChange> {
  const changes: CallChange[] = [];
  let woken = createDeferred<void>();
  let open = 0;
  const wake = () => woken.resolve();
  const begin = (index: number, { call, ready }: Planned) => {
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

/** Sums up how long a call waits for the user, who can be asked more than once. */
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

/** For the model, and shown to the user with the call. The tool may still be at work, and nobody knows what it did. */
function tookTooLong(ms: number): ToolResult {
  const minutes = Math.round(ms / 60_000);
  return {
    text: `The call was ended: the tool did not return within ${minutes} minutes. What it did until then is not known.`,
    failed: true,
  };
}

function toEnd(result: ToolResult): Pick<Call, 'state' | 'result'> {
  return {
    state: stateOf(result),
    result: { ...result, text: cutResult(result.text.trim() === '' ? NO_OUTPUT : result.text) },
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
