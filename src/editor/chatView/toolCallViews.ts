/** Tool calls as the panel shows them. */

import * as vscode from 'vscode';
import { lastPlanCall, planOfCall } from '../../conversation/toolCalls/plan.ts';
import type { CallDraft } from '../../conversation/toolCalls/toolCalls.ts';
import type { WaitingCall } from '../../conversation/toolCalls/waitingCalls.ts';
import type { Call, Turn } from '../../conversation/turn.ts';
import type { ToolCallView, TurnView } from '../../panel/views.ts';
import { showHidden } from '../../text/hiddenCharacters.ts';
import { toPlanView } from '../wording/planWords.ts';
import { describeToolChange } from '../wording/toolWords.ts';
import { callStateLabel, phaseLabel } from '../wording/turnLabels.ts';

export interface CallContext {
  /** The request for an approval that a call waits for in this window. */
  readonly waitingFor: (call: Call) => WaitingCall | undefined;
  /** What a call does, as one line. */
  readonly titleOf: (call: CallDraft | Call) => string;
  /** Whether another window runs the turns of this conversation that run. */
  readonly runsElsewhere: () => boolean;
}

/** The rounds of a turn, with the states and results of their tool calls. */
export function toRoundViews(turn: Turn, context: CallContext): TurnView['rounds'] {
  const last = lastPlanCall(turn);
  return turn.rounds.map(({ answer, toolCalls }) => ({
    answer,
    calls: toolCalls.map((call) => ({
      ...toCallView(call, turn.startedAt, context),
      ...(call === last && toPlanField(call)),
    })),
  }));
}

function toPlanField(call: Call): Pick<ToolCallView, 'plan'> {
  const plan = planOfCall(call);
  return plan === undefined ? {} : { plan: toPlanView(plan) };
}

// Titles are cached because finding one may require a search in all extensions. Calls are immutable.
const titles = new WeakMap<CallDraft, string>();

/** What a call does, as one line. */
export function toCallTitle(call: CallDraft, { titleOf }: Pick<CallContext, 'titleOf'>): string {
  const known = titles.get(call);
  if (known !== undefined) return known;
  const title = showHidden(titleOf(call));
  titles.set(call, title);
  return title;
}

function toCallView(call: Call, turnStartedAt: number, context: CallContext): ToolCallView {
  const { id, name, state, result, startedAt, endedAt } = call;
  // Our own tools ask in a dialog. Then there is no such request, and the panel shows no buttons.
  const waiting = state === 'waiting' ? context.waitingFor(call) : undefined;
  const changed = waiting && describeToolChange(waiting);
  const isElsewhere = state === 'running' && context.runsElsewhere();
  const ended = startedAt === undefined || endedAt === undefined ? undefined : endedAt - startedAt;
  return {
    id,
    name,
    title: toCallTitle(call, context),
    arguments: toReadable(call.arguments),
    source: waiting && showHidden(waiting.tool.source),
    ...(changed !== undefined && { changed }),
    approval: waiting?.approval,
    ...(waiting?.onlyOnce && { onlyOnce: true as const }),
    // The page has no state for a call that the user stopped. The label says so.
    state: state === 'stopped' ? 'failed' : state,
    stateLabel: callStateLabel(state),
    result: result?.text,
    images: (result?.images ?? []).map(({ type, base64 }) => `data:${type};base64,${base64}`),
    startedAt: startedAt === undefined || isElsewhere ? undefined : turnStartedAt + startedAt,
    seconds: ended === undefined ? undefined : ended / 1000,
  };
}

/**
 * Calls that are not run here: the model is still writing them, the response was cut off, or they were passed on to another
 * chat.
 */
export function toCutCallViews(
  { toolCalls, outcome, request }: Pick<Turn, 'toolCalls' | 'outcome' | 'request'>,
  context: Pick<CallContext, 'titleOf'>,
): readonly ToolCallView[] {
  const isPassedOn = request.otherChat === true && outcome === 'complete';
  const isWritten = outcome === undefined;
  const label = isWritten ? phaseLabel('answering') : callStateLabel('not-run');
  return toolCalls.map((call) => ({
    id: call.id,
    name: call.name,
    title: toCallTitle(call, context),
    arguments: toReadable(call.arguments),
    source: undefined,
    approval: undefined,
    state: isWritten ? 'running' : 'not-run',
    stateLabel: isPassedOn ? vscode.l10n.t('Other chats') : label,
    result: undefined,
    images: [],
    startedAt: undefined,
    seconds: undefined,
  }));
}

/** The arguments as text, with invisible characters made visible (docs/security.md). */
function toReadable(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    const short = JSON.stringify(value);
    return showHidden(short.length <= LONGEST_LINE ? short : JSON.stringify(value, undefined, 2));
  } catch {
    // Not JSON, for example because the response was cut off: shown as received.
    return showHidden(json);
  }
}

/** Arguments up to this length are shown on one line. In characters. */
const LONGEST_LINE = 80;
