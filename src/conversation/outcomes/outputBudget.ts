/** The output budget of an answer that ended with the finish reason `length`: whether it was used up, and which larger one helps. */
import { CONTEXT_WINDOW_TOKENS, DEFAULT_MAX_COMPLETION_TOKENS } from '../../service/limits.ts';
import type { Turn } from '../turn.ts';

type CutTurn = Pick<Turn, 'request' | 'usage'>;

/** The output budget in tokens. If the request had none, this is the documented default. */
export const budgetOf = ({ request }: Pick<Turn, 'request'>): number =>
  request.maxCompletionTokens ?? DEFAULT_MAX_COMPLETION_TOKENS;

/** Services count slightly differently from what they report. */
const NEARLY_ALL = 0.9;

/** Whether the service ended the answer before its budget was used up. False if it didn't report tokens. */
export function isBelowBudget(turn: CutTurn): boolean {
  const used = turn.usage?.completionTokens ?? turn.usage?.reasoningTokens;
  return used !== undefined && used < budgetOf(turn) * NEARLY_ALL;
}

/**
 * The budget with which a retry can get further, in tokens; `default` is the default of the service. Undefined if a larger budget
 * changes nothing: the service stopped below the budget that was sent, or doesn't accept a larger one. A route that refuses the
 * ceiling may refuse every budget just below it, too. If none was sent, the route's default may be smaller than the documented one, and
 * any budget replaces it.
 */
export function toHelpfulBudget(turn: CutTurn): number | 'default' | undefined {
  const { maxCompletionTokens, leftOut = [], refusesCeiling = leftOut.includes('ceiling') } = turn.request;
  if (maxCompletionTokens !== undefined && isBelowBudget(turn)) return undefined;
  const larger = toLargerBudget(maxCompletionTokens);
  return larger === CONTEXT_WINDOW_TOKENS && refusesCeiling ? undefined : larger;
}

/** Undefined if there is no larger budget. */
function toLargerBudget(budget: number | undefined): number | 'default' | undefined {
  if (budget === undefined) return DEFAULT_MAX_COMPLETION_TOKENS * 2;
  if (budget < DEFAULT_MAX_COMPLETION_TOKENS) return 'default';
  return budget >= CONTEXT_WINDOW_TOKENS ? undefined : Math.min(budget * 2, CONTEXT_WINDOW_TOKENS);
}
