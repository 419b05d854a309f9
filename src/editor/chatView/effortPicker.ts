/** The effort of the next requests: the button in the message box. */
import * as vscode from 'vscode';
import type { ReasoningEffort } from '../../service/types.ts';
import { pickFrom } from '../base/dialogSteps.ts';
import type { RouteProbes } from '../connection/routeProbes.ts';
import { readPreset, readSettings, writeEffort } from '../settings/settings.ts';
import { describeLack } from '../wording/probeWords.ts';

const t = vscode.l10n.t;

/**
 * Lets the user choose.
 *
 * @param preset the name of the preset of the conversation
 * @param chosen called as soon as the user has chosen
 */
export async function pickEffort(
  probes: Pick<RouteProbes, 'lackOf' | 'works'>,
  preset: string | undefined,
  chosen: () => void,
): Promise<void> {
  const lack = probes.lackOf('effort');
  const found = readPreset(preset);
  const own = found.ok ? found.preset?.effort : undefined;
  const placeHolder = lack
    ? describeLack(lack.routeName, lack.result)
    : own && t('The preset “{0}” sets the effort of its messages: {1}', preset ?? '', own);
  const { effort } = readSettings();
  const ignored = probes.works('effort') ? '' : t('accepted by the service, but may be ignored');
  const choices: (vscode.QuickPickItem & { readonly effort: ReasoningEffort | undefined })[] = [
    { label: t('Default'), description: t('use the service’s default'), effort: undefined },
    { label: 'max', effort: 'max' },
    { label: 'high', description: ignored, effort: 'high' },
    { label: 'low', description: ignored, effort: 'low' },
  ];
  const items = choices.map((choice) =>
    choice.effort === effort ? { ...choice, iconPath: new vscode.ThemeIcon('check') } : choice,
  );
  const current = items.find((choice) => choice.effort === effort);
  const picked = await pickFrom(items, current, { title: t('Reasoning effort'), placeHolder });
  if (picked === undefined) return;
  chosen();
  await writeEffort(picked.effort);
}
