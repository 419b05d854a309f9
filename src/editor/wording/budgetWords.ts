/** Where the output budget ended an answer, and where the service ended it before that. */
import * as vscode from 'vscode';
import { budgetOf, isBelowBudget } from '../../conversation/outcomes/outputBudget.ts';
import type { Turn } from '../../conversation/turn.ts';
import { CONTEXT_WINDOW_TOKENS } from '../../service/limits.ts';
import { formatTokens } from '../base/formats.ts';

const t = vscode.l10n.t;

/** The setting of an output budget, by its full name. @param preset the name of the preset that it is from */
export const budgetSetting = (preset: string | undefined): string =>
  preset === undefined ? 'k3.maxCompletionTokens' : `k3.presets.${preset}.maxCompletionTokens`;

/** The service reduces such a budget without notice (Q8). */
export const tooLargeLine = (preset: string | undefined, tokens: number): string =>
  t(
    '{0} is {1} tokens, but the service allows at most {2}. Requests are sent with the maximum.',
    budgetSetting(preset),
    formatTokens(tokens),
    formatTokens(CONTEXT_WINDOW_TOKENS),
  );

/** Where no budget was sent, the one of the route may have been used up. */
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
  const tokens = turn.usage?.reasoningTokens ?? turn.usage?.completionTokens;
  if (tokens === undefined)
    return t('Reasoning used the output budget of {0} tokens before the answer started.', budget);
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

/** Without reasoning and usage, only the finish reason says that the budget was used up. */
export const emptyLine = ({ finishReason = '' }: Turn): string =>
  finishReason === 'stop'
    ? t('The service finished normally but returned no answer text and no tool call.')
    : t('The finish reason is “{0}”, but the response has no answer text and no tool call.', finishReason);

const isSent = ({ request }: Turn) => request.maxCompletionTokens !== undefined;
