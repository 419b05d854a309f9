/** The tool with which the model shows its plan. It changes nothing: the plan is in the arguments of the call. */
import * as vscode from 'vscode';
import { MOST_PLAN_ITEMS, PLAN_STATES, PLAN_TOOL, toPlan } from '../../conversation/toolCalls/plan.ts';
import { type BuiltInTool, createDefinition } from './toolDefinitions.ts';
import { ToolRefusal } from './toolFileAccess.ts';

const t = vscode.l10n.t;

export function createPlanTool(): BuiltInTool {
  const item = {
    type: 'object',
    additionalProperties: false,
    required: ['text', 'state'],
    properties: { text: { type: 'string' }, state: { enum: PLAN_STATES } },
  };
  return {
    definition: createDefinition(
      PLAN_TOOL,
      'Shows the user your plan of a longer task as a checklist. Each call replaces the whole list. Call it when the state of a step changes.',
      { items: { type: 'array', minItems: 1, maxItems: MOST_PLAN_ITEMS, items: item } },
      ['items'],
    ),
    title(args) {
      const plan = toPlan(args);
      return plan === undefined
        ? t('Update the plan')
        : t('Updated the plan: {0} of {1}', plan.done, plan.items.length);
    },
    async run(args) {
      const plan = toPlan(args);
      if (plan === undefined) throw new ToolRefusal('The plan was not shown: each step needs a text.');
      return { text: `The plan is shown: ${plan.done} of ${plan.items.length} steps are done.` };
    },
  };
}
