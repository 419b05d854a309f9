import * as vscode from 'vscode';
import type { Preset } from '../../conversation/question.ts';
import type { PresetView } from '../../panel/views.ts';
import { formatTokens } from '../base/formats.ts';
import { plural } from '../base/plural.ts';

const t = vscode.l10n.t;

/** What a preset sets besides its instruction; empty for nothing. On one line, or with the names of its tools. */
export function describePreset({ effort, maxCompletionTokens, tools }: Preset, isShort = false): string {
  return [
    ...(effort === undefined ? [] : [t('effort {0}', effort)]),
    ...(maxCompletionTokens === undefined
      ? []
      : [t('at most {0} output tokens', formatTokens(maxCompletionTokens))]),
    ...(tools === undefined ? [] : [describeTools(tools, isShort)]),
  ].join(' · ');
}

function describeTools(tools: readonly string[], isShort: boolean): string {
  if (tools.length === 0) return t('no tools');
  return isShort
    ? plural(t('{0, plural, one {# tool} other {# tools}}'), tools.length)
    : t('tools: {0}', tools.join(', '));
}

export const toPresetView = (preset: Preset | undefined): PresetView | undefined =>
  preset && {
    name: preset.name,
    detail: [preset.prompt ?? '', describePreset(preset)].filter((text) => text !== '').join('\n'),
  };
