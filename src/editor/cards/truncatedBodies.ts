/** Texts about answers that ended at the output budget, or that the service ended before that. */
import * as vscode from 'vscode';
import { budgetOf, isBelowBudget } from '../../conversation/outcomes/outputBudget.ts';
import type { Turn } from '../../conversation/turn.ts';
import { formatTokens } from '../base/formats.ts';

const t = vscode.l10n.t;

/** If no budget was sent, the default budget of the route may have been used up. */
export const spentTitle = (turn: Turn): string =>
  isSent(turn) && isBelowBudget(turn)
    ? t('The service stopped during the reasoning')
    : t('Reasoning used all output tokens');

export function truncatedLine(turn: Turn): string {
  const budget = formatTokens(budgetOf(turn));
  if (!isBelowBudget(turn))
    return t('The answer reached the output budget of {0} tokens. The text received so far is kept.', budget);
  const used = formatTokens(turn.usage?.completionTokens ?? 0);
  return isSent(turn)
    ? t(
        'The service ended the answer after {0} output tokens, below the budget of {1}. The text received so far is kept.',
        used,
        budget,
      )
    : t(
        'The service ended the answer after {0} output tokens, below its default of {1}. This route may have a smaller default. The text received so far is kept.',
        used,
        budget,
      );
}

export function spentLine(turn: Turn): string {
  const budget = formatTokens(budgetOf(turn));
  // Services that don't count reasoning separately may report 0.
  const tokens = turn.usage?.reasoningTokens || turn.usage?.completionTokens;
  if (!tokens) return t('Reasoning used the output budget of {0} tokens before the answer started.', budget);
  const used = formatTokens(tokens);
  if (!isBelowBudget(turn))
    return t('Reasoning used {0} tokens of a budget of {1}. None were left for the answer.', used, budget);
  return isSent(turn)
    ? t(
        'The service stopped after {0} reasoning tokens, below the budget of {1}. There is no answer.',
        used,
        budget,
      )
    : t(
        'The service stopped after {0} reasoning tokens, below its default of {1}. This route may have a smaller default. There is no answer.',
        used,
        budget,
      );
}

/** Without reasoning and usage, only the finish reason tells that the budget was used up. */
export const emptyLine = ({ finishReason = '' }: Turn): string =>
  finishReason === 'stop'
    ? t('The service finished normally but returned no answer text and no tool call.')
    : t('The finish reason is “{0}”, but the response has no answer text and no tool call.', finishReason);

const isSent = ({ request }: Turn) => request.maxCompletionTokens !== undefined;
