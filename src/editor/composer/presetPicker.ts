/** Choose Preset (`k3.choosePreset`): how the next messages of a conversation are asked. */
import * as vscode from 'vscode';
import type { Conversation } from '../../conversation/conversation.ts';
import type { Preset } from '../../conversation/question.ts';
import { toDestination } from '../../conversation/routePlace.ts';
import type { Toolbox } from '../../conversation/toolCalls/tools.ts';
import { estimateNext } from '../../conversation/usage/estimate.ts';
import type { ListedPreset } from '../../requests/presets.ts';
import { pickFrom } from '../base/dialogSteps.ts';
import { aboutTokensText } from '../base/formats.ts';
import { offerCommands, showWarning } from '../base/notifications.ts';
import { withoutIcons } from '../base/quickPicks.ts';
import type { Routes } from '../connection/routes.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { readPresets, readSettings } from '../settings/settings.ts';
import { describePreset } from '../wording/presetWords.ts';
import { describeRefusal, describeSettingProblem } from '../wording/refusalWords.ts';
import type { Composer } from './composerState.ts';
import type { Composers } from './composers.ts';

const t = vscode.l10n.t;

export interface PresetPickerDeps {
  readonly conversations: Pick<Conversations, 'front' | 'get' | 'toolboxOf'>;
  readonly composers: Pick<Composers, 'of' | 'changed'>;
  readonly routes: Pick<Routes, 'active' | 'named'>;
}

/**
 * Registers the command. It takes the id of a conversation, by default that of the chat in front, and returns whether the
 * user chose a preset or **No preset**.
 */
export function registerPresetPicker({
  conversations,
  composers,
  routes,
}: PresetPickerDeps): vscode.Disposable {
  return vscode.commands.registerCommand('k3.choosePreset', async (given: unknown) => {
    // A deleted conversation keeps its preset, for when it is restored.
    const id = typeof given === 'string' ? given : conversations.front().id;
    const composer = composers.of(id);
    const offered = conversations.toolboxOf(id)?.definitions ?? [];
    const choices = toChoices(composer.preset, offered);
    const current = choices.find(({ name, choose }) => name === composer.preset && choose !== undefined);
    const picked = await pickFrom(choices, current, {
      title: t('Preset'),
      placeHolder: toCacheWords(conversations.get(id), routes),
    });
    const isChosen = picked?.choose !== undefined && (await picked.choose());
    if (isChosen) {
      composer.preset = picked.name;
      // Also removes the reason why a message was not sent with the previous preset.
      if (saysPreset(composer)) composer.refusal = undefined;
      composers.changed(id);
    }
    if (given === undefined) await vscode.commands.executeCommand('k3.focusChat', id);
    return isChosen;
  });
}

/** Whether the refusal is about a preset. The problems of other settings remain, and so does a file that was refused since. */
const saysPreset = ({ refused, refusal }: Pick<Composer, 'refused' | 'refusal'>): boolean =>
  refused?.kind === 'setting' &&
  refused.problem.setting.startsWith('k3.presets') &&
  refusal === describeRefusal(refused);

interface Choice extends vscode.QuickPickItem {
  readonly name?: string;
  /** Whether it can be chosen. */
  readonly choose?: () => Promise<boolean>;
}

/** @param now the name of the current preset */
function toChoices(now: string | undefined, offered: Toolbox['definitions']): readonly Choice[] {
  const check = { iconPath: new vscode.ThemeIcon('check') };
  return [
    {
      label: t('No preset'),
      description: t('uses your settings'),
      ...(now === undefined && check),
      choose: async () => true,
    },
    ...readPresets().map(({ name, preset, problems: [problem] }): Choice => {
      const item = {
        ...toPresetItem(preset, offered),
        ...(name === now && check),
        name,
        choose: async () => true,
      };
      if (problem === undefined) return item;
      const why = describeSettingProblem(problem);
      return {
        ...item,
        detail: onOneLine(why),
        iconPath: new vscode.ThemeIcon('warning'),
        choose: async () => {
          void offerCommands(showWarning, why, [t('Open Settings'), ...PRESETS_IN_SETTINGS]);
          return false;
        },
      };
    }),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: t('Edit Presets'), choose: openSettings },
  ];
}

/** A preset as an item of a quick pick. */
export function toPresetItem(preset: Preset, offered: Toolbox['definitions']): vscode.QuickPickItem {
  return {
    label: onOneLine(preset.name),
    description: onOneLine(describePreset(preset, offered)),
    detail: onOneLine(preset.prompt ?? ''),
  };
}

/** The presets that can be used. */
export const usablePresets = (): readonly Preset[] =>
  readPresets().flatMap(({ preset, problems }: ListedPreset) => (problems.length > 0 ? [] : [preset]));

const onOneLine = (text: string): string => withoutIcons(text).replaceAll('\n', ' ');

/** A preset is part of the new message, so the tokens that are cached on the route stay cached. */
function toCacheWords(conversation: Conversation | undefined, routes: PresetPickerDeps['routes']): string {
  const settings = readSettings();
  const route = routes.active(settings)?.route;
  const { cachedTokens = 0 } =
    conversation === undefined
      ? {}
      : estimateNext(conversation, settings.systemPrompt, '', 0, settings.prices, {
          route: route && toDestination(route, routes),
        });
  // Short enough for the quick pick, which cuts off longer text.
  return cachedTokens === 0
    ? t('Applies to your next messages.')
    : t('Applies to your next messages; {0} stay cached.', aboutTokensText(cachedTokens));
}

const PRESETS_IN_SETTINGS = ['workbench.action.openSettings', 'k3.presets'] as const;

async function openSettings(): Promise<boolean> {
  await vscode.commands.executeCommand(...PRESETS_IN_SETTINGS);
  return false;
}
