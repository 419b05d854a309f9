/** The plan of a turn: a checklist that the model writes and updates with a tool. Its texts come from the model. */

import type { Call, Turn } from '../turn.ts';
import { argumentsOf, toTitleLine } from './callTitle.ts';

export const PLAN_TOOL = 'update_plan';
export const PLAN_STATES = ['pending', 'in_progress', 'done'] as const;
export const MOST_PLAN_ITEMS = 20;

export interface PlanItem {
  /** One line, cut if it is long. */
  readonly text: string;
  readonly state: (typeof PLAN_STATES)[number];
}

export interface Plan {
  /** At least 1, at most `MOST_PLAN_ITEMS`. */
  readonly items: readonly PlanItem[];
  readonly done: number;
  /** The text of the first step in progress. */
  readonly current: string | undefined;
}

/** The plan in the arguments of a call; undefined if any part of it isn't as the tool's schema says. */
export function toPlan({ items }: Readonly<Record<string, unknown>>): Plan | undefined {
  if (!Array.isArray(items) || items.length === 0 || items.length > MOST_PLAN_ITEMS) return undefined;
  const read = items.map(toItem);
  const known = read.filter((item) => item !== undefined);
  if (known.length < read.length) return undefined;
  return {
    items: known,
    done: known.filter(({ state }) => state === 'done').length,
    current: known.find(({ state }) => state === 'in_progress')?.text,
  };
}

function toItem(value: unknown): PlanItem | undefined {
  if (typeof value !== 'object' || value === null || !('text' in value) || !('state' in value))
    return undefined;
  const state = PLAN_STATES.find((one) => one === value.state);
  const text = typeof value.text === 'string' ? toTitleLine(value.text) : '';
  return text === '' || state === undefined ? undefined : { text, state };
}

const plans = new WeakMap<Call, Plan | undefined>();

/** The plan of a call that was run; undefined for other calls. */
export function planOfCall(call: Call): Plan | undefined {
  if (call.name !== PLAN_TOOL || call.state !== 'done') return undefined;
  if (!plans.has(call)) plans.set(call, toPlan(argumentsOf(call.arguments)));
  return plans.get(call);
}

/** The last call of a turn that has a plan. It replaces the earlier ones. */
export const lastPlanCall = ({ rounds }: Pick<Turn, 'rounds'>): Call | undefined =>
  rounds.flatMap(({ toolCalls }) => toolCalls).findLast((call) => planOfCall(call) !== undefined);

const BOXES = { pending: ' ', in_progress: '~', done: 'x' } as const satisfies Record<
  PlanItem['state'],
  string
>;

/** The plan as a task list. Markdown has no mark of its own for a step in progress. */
export const toPlanText = ({ items }: Plan): string =>
  items.map(({ text, state }) => `- [${BOXES[state]}] ${text}`).join('\n');
