/** Tool calls as the panel shows them. */

import { showHidden } from '../../access/hiddenCharacters.ts';
import type { CallDraft } from '../../chat/toolCalls.ts';
import { OWN_SOURCE } from '../../chat/toolNames.ts';
import type { Call, Turn } from '../../chat/turn.ts';
import type { ToolCallView, TurnView } from '../../panel/views.ts';
import { callStateLabel } from '../wording/turnLabels.ts';

type SourceOf = (tool: string) => string | undefined;

/** The rounds of a turn, with the states and results of their tool calls. */
export function toRoundViews(turn: Turn, sourceOf: SourceOf): TurnView['rounds'] {
  return turn.rounds.map(({ answer, toolCalls }) => ({
    answer,
    calls: toolCalls.map((call) => toCallView(call, turn.startedAt, sourceOf)),
  }));
}

function toCallView(call: Call, turnStartedAt: number, sourceOf: SourceOf): ToolCallView {
  const { id, name, state, result, startedAt, endedAt } = call;
  const ended = startedAt === undefined || endedAt === undefined ? undefined : endedAt - startedAt;
  return {
    id,
    name,
    arguments: toReadable(call.arguments),
    source: state === 'waiting' ? foreignSource(sourceOf(name)) : undefined,
    // The page has no state for a call that the user stopped. The label says so.
    state: state === 'stopped' ? 'failed' : state,
    stateLabel: callStateLabel(state),
    result: result?.text,
    images: (result?.images ?? []).map(({ type, base64 }) => `data:${type};base64,${base64}`),
    startedAt: startedAt === undefined ? undefined : turnStartedAt + startedAt,
    seconds: ended === undefined ? undefined : ended / 1000,
  };
}

/**
 * The source of a tool that is not ours. Our own tools ask for approval in a dialog, so the panel shows no buttons for
 * them.
 */
const foreignSource = (source: string | undefined) =>
  source === OWN_SOURCE ? undefined : showHidden(source ?? '');

/** Calls that are not run because the response was cut off. */
export function toCutCallViews(calls: readonly CallDraft[]): readonly ToolCallView[] {
  return calls.map(({ id, name, arguments: args }) => ({
    id,
    name,
    arguments: toReadable(args),
    source: undefined,
    state: 'not-run',
    stateLabel: callStateLabel('not-run'),
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
