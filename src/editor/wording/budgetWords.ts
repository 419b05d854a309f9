/** Where the output budget ended an answer, and where the service ended it before that. */
import * as vscode from 'vscode';
import type { Turn } from '../../chat/turn.ts';
import { DEFAULT_MAX_COMPLETION_TOKENS } from '../../service/limits.ts';
import { formatTokens } from '../base/formats.ts';

const t = vscode.l10n.t;

/** A service can cut an answer off long before the requested budget is used. */
export function truncatedLine(turn: Turn): string {
  const budget = turn.request.maxCompletionTokens ?? DEFAULT_MAX_COMPLETION_TOKENS;
  const used = turn.usage?.completionTokens;
  return used !== undefined && used < budget * 0.9
    ? t(
        'The service ended the answer after {0} output tokens, below the budget of {1}. The text received so far is kept.',
        formatTokens(used),
        budgetOf(turn),
      )
    : t(
        'The answer reached the output budget of {0} tokens. The text received so far is kept.',
        budgetOf(turn),
      );
}

export function spentLine(turn: Turn): string {
  const tokens = turn.usage?.reasoningTokens ?? turn.usage?.completionTokens;
  if (tokens === undefined)
    return t('Reasoning used the output budget of {0} tokens before the answer started.', budgetOf(turn));
  const budget = turn.request.maxCompletionTokens ?? DEFAULT_MAX_COMPLETION_TOKENS;
  return tokens < budget * 0.9
    ? t(
        'The service stopped after {0} reasoning tokens, below the budget of {1}. There is no answer.',
        formatTokens(tokens),
        budgetOf(turn),
      )
    : t(
        'Reasoning used {0} tokens of a budget of {1}. None were left for the answer.',
        formatTokens(tokens),
        budgetOf(turn),
      );
}

function budgetOf(turn: Turn): string {
  return formatTokens(turn.request.maxCompletionTokens ?? DEFAULT_MAX_COMPLETION_TOKENS);
}
