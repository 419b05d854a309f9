/** The plan of a turn as text. The model wrote the texts in it, so invisible characters are made visible. */
import * as vscode from 'vscode';
import { lastPlanCall, type Plan, type PlanItem, planOfCall } from '../../conversation/toolCalls/plan.ts';
import type { Turn } from '../../conversation/turn.ts';
import type { PlanView } from '../../panel/views.ts';
import { showHidden } from '../../text/hiddenCharacters.ts';

const t = vscode.l10n.t;

/** The progress of a plan, such as “Plan: 2 of 5”. */
export const planCount = ({ done, items }: Plan): string => t('Plan: {0} of {1}', done, items.length);

/** The progress with the current step, such as “Plan: 2 of 5 · Check the rounding”. */
const planLine = (plan: Plan): string =>
  [planCount(plan), ...(plan.current === undefined ? [] : [showHidden(plan.current)])].join(' · ');

/** The plan of a running turn for the status bar: its count, and the line for the tooltip. */
export function planStatus(
  turn: Turn | undefined,
): { readonly count: string; readonly line: string } | undefined {
  const call = turn?.outcome === undefined && turn !== undefined ? lastPlanCall(turn) : undefined;
  const plan = call && planOfCall(call);
  return plan && { count: planCount(plan), line: planLine(plan) };
}

export const toPlanView = (plan: Plan): PlanView => ({
  line: planLine(plan),
  items: plan.items.map(({ text, state }) => ({ text: showHidden(text), state, label: stateLabel(state) })),
});

function stateLabel(state: PlanItem['state']): string {
  switch (state) {
    case 'pending':
      return t('To do');
    case 'in_progress':
      return t('In progress');
    case 'done':
      return t('Done');
  }
}
