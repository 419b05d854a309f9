/** The reasons why a prompt file isn't sent. */
import * as vscode from 'vscode';
import type { PromptProblem } from '../../instructions/promptFile.ts';
import type { SettingProblem } from '../../requests/refusal.ts';
import { joinSentences } from '../base/sentences.ts';
import { describeSettingProblem } from './refusalWords.ts';

const t = vscode.l10n.t;

/** The prompt file existed when it was offered. */
export const describeLostPrompt = (name: string): string =>
  t('The prompt file of /{0} is gone or can’t be read. Nothing was sent.', name);

export const describeRestrictedPrompts = (): string =>
  t('Restricted Mode: prompt files of the workspace are not used.');

export const describeUntrustedPrompt = (): string =>
  joinSentences([describeRestrictedPrompts(), t('Nothing was sent.')]);

/** @param why the reason why the variable has no value */
export const describeMissingValue = (name: string, variable: string, why: string): string =>
  joinSentences([
    t('The prompt file of /{0} has the variable {1}.', name, `$\{${variable}}`),
    why,
    t('Nothing was sent.'),
  ]);

/** The setting is reported because the typed prompt may be in its folder. */
export const describePromptsProblem = (problem: SettingProblem): string =>
  joinSentences([describeSettingProblem(problem), t('Nothing was sent.')]);

/** @param name the name of the prompt, as it is typed after the slash */
export function describePromptProblem(name: string, problem: PromptProblem): string {
  switch (problem.field) {
    case 'effort':
      return t(
        'The prompt file of /{0} has “effort: {1}”. Use low, high, or max, or remove the line. Nothing was sent.',
        name,
        problem.value,
      );
    case 'tools':
      return t(
        'The tools in the prompt file of /{0} can’t be read. Write them as [name, name]. Nothing was sent.',
        name,
      );
    case 'end':
      return t(
        'The front matter of the prompt file of /{0} doesn’t end. Add a line with --- after its fields. Nothing was sent.',
        name,
      );
    case 'length':
      return t(
        'The prompt file of /{0} is too long to be sent completely. Make it shorter. Nothing was sent.',
        name,
      );
  }
}
