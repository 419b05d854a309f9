import * as vscode from 'vscode';
import type { Preset } from '../../chat/question.ts';
import type { PresetView } from '../../panel/views.ts';
import { formatTokens } from '../base/formats.ts';

const t = vscode.l10n.t;

/** What a preset sets besides its instruction; empty for nothing. */
export function describePreset({ effort, maxCompletionTokens, tools }: Preset): string {
  return [
    ...(effort === undefined ? [] : [t('effort {0}', effort)]),
    ...(maxCompletionTokens === undefined
      ? []
      : [t('at most {0} output tokens', formatTokens(maxCompletionTokens))]),
    ...(tools === undefined ? [] : [tools.length === 0 ? t('no tools') : t('tools: {0}', tools.join(', '))]),
  ].join(' · ');
}

export const toPresetView = (preset: Preset | undefined): PresetView | undefined =>
  preset && {
    name: preset.name,
    detail: [preset.prompt ?? '', describePreset(preset)].filter((text) => text !== '').join('\n'),
  };
