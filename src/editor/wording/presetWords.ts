import * as vscode from 'vscode';
import type { Preset } from '../../conversation/question.ts';
import type { Toolbox } from '../../conversation/toolCalls/tools.ts';
import type { PresetView } from '../../panel/views.ts';
import { mayRun } from '../../requests/presets.ts';
import { formatTokens } from '../base/formats.ts';
import { plural } from '../base/plural.ts';

const t = vscode.l10n.t;

/**
 * The fields that a preset sets besides its instruction; empty if there are none. Without `offered`, the text names the
 * tools of the preset. With it, it is one line with the number of its tools that are offered.
 */
export function describePreset(preset: Preset, offered?: Toolbox['definitions']): string {
  const { effort, maxCompletionTokens, tools } = preset;
  return [
    ...(effort === undefined ? [] : [t('effort {0}', effort)]),
    ...(maxCompletionTokens === undefined
      ? []
      : [t('at most {0} output tokens', formatTokens(maxCompletionTokens))]),
    ...(tools === undefined
      ? []
      : [
          offered === undefined
            ? nameTools(tools)
            : countTools(offered.filter(({ name }) => mayRun(name, { preset }))),
        ]),
  ].join(' · ');
}

const nameTools = (tools: readonly string[]): string =>
  tools.length === 0 ? t('no tools') : t('tools: {0}', tools.join(', '));

const countTools = ({ length }: Toolbox['definitions']): string =>
  length === 0 ? t('no tools') : plural(t('{0, plural, one {# tool} other {# tools}}'), length);

export const toPresetView = (preset: Preset | undefined): PresetView | undefined =>
  preset && {
    name: preset.name,
    detail: [preset.prompt ?? '', describePreset(preset)].filter((text) => text !== '').join('\n'),
  };
