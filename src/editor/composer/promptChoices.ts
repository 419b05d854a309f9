/** The rows of the list that `/` at the beginning of a message opens. */
import * as vscode from 'vscode';
import type { ContextChoice } from '../../panel/context.ts';
import type { SettingProblem } from '../../requests/refusal.ts';
import { describeRestrictedPrompts } from '../wording/promptWords.ts';
import { describeSettingProblem } from '../wording/refusalWords.ts';

const t = vscode.l10n.t;

/** The row of a command or a prompt. */
export const toChoice = (name: string, description: string, icon: string): ContextChoice => ({
  label: `/${name}`,
  description,
  icon,
  reference: undefined,
});

/** A row for a setting with a problem. The description names the setting. */
export const toProblemChoice = (problem: SettingProblem): ContextChoice => ({
  label: t('Open Settings'),
  description: describeSettingProblem(problem),
  icon: 'warning',
  reference: undefined,
  action: 'edit-settings',
});

/** A row about prompts that are not read in Restricted Mode. The description says what is missing. */
export const toTrustChoice = (): ContextChoice => ({
  label: t('Manage Workspace Trust'),
  description: describeRestrictedPrompts(),
  icon: 'shield',
  reference: undefined,
  action: 'manage-trust',
});
