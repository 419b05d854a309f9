/** Texts about the settings of output budgets. */
import * as vscode from 'vscode';
import { CONTEXT_WINDOW_TOKENS } from '../../service/limits.ts';
import { formatTokens } from '../base/formats.ts';

const t = vscode.l10n.t;

/**
 * The full name of the setting of an output budget.
 *
 * @param preset the name of the preset that sets the budget
 */
export const budgetSetting = (preset: string | undefined): string =>
  preset === undefined ? 'k3.maxCompletionTokens' : `k3.presets.${preset}.maxCompletionTokens`;

/** A line about a budget above the maximum. The service reduces such a budget without notice (Q8). */
export const tooLargeLine = (preset: string | undefined, tokens: number): string =>
  t(
    '{0} is {1} tokens, but the service allows at most {2}. Requests are sent with the maximum.',
    budgetSetting(preset),
    formatTokens(tokens),
    formatTokens(CONTEXT_WINDOW_TOKENS),
  );
