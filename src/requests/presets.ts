/** Presets: an instruction, tools, effort, and budget under one name, ours and those of the setting `k3.presets`. */
import type { Preset, Question } from '../conversation/question.ts';
import { EFFORTS, isEffort, type ReasoningEffort } from '../service/effort.ts';
import { isObject } from '../service/json.ts';
import { type Refused, refuse, type SettingProblem, toWrongValue } from './refusal.ts';

const SETTING = 'k3.presets';

/** Our own tools that neither change nor propose anything. */
const READING = [
  'find_files',
  'find_references',
  'find_symbols',
  'get_diagnostics',
  'git_diff',
  'git_log',
  'list_files',
  'read_file',
  'search_text',
  'update_plan',
];

/** Our own presets. A preset of the setting with the same name replaces one of them, and null removes it. */
export const OWN_PRESETS = {
  Ask: {
    name: 'Ask',
    prompt: 'Answer the question. Read what you need, and propose no changes to files.',
    tools: READING,
  },
  // `max` is the only effort that every route has.
  Plan: {
    name: 'Plan',
    prompt:
      'Make a plan, and change nothing yet. Read what you need first. Then list the steps in their order, each with its files and what changes in them, and end with risks and open questions.',
    tools: READING,
    effort: 'max',
  },
  Review: {
    name: 'Review',
    prompt:
      'Review this, and change nothing. Read what you need first. List the problems, the most serious first, each with its file, its lines, why it is one, and how to fix it. Leave out matters of taste, and say so if there is no problem.',
    tools: READING,
  },
} as const satisfies Record<string, Preset>;

/** A preset of the list, and its problems. With a problem, it can't be used. */
export interface ListedPreset {
  readonly name: string;
  readonly preset: Preset;
  readonly problems: readonly SettingProblem[];
}

/** @param setting the value of `k3.presets`: a preset, or null, for each name */
export function parsePresets(setting: unknown): readonly ListedPreset[] {
  const written = new Map(isObject(setting) ? Object.entries(setting) : []);
  const own = Object.values(OWN_PRESETS).flatMap((preset) =>
    written.has(preset.name) ? [] : [{ name: preset.name, preset, problems: [] }],
  );
  return [
    ...own,
    ...[...written].flatMap(([name, fields]) => (fields === null ? [] : [parsePreset(name, fields)])),
  ];
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);
const isBudget = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0;

function parsePreset(name: string, written: unknown): ListedPreset {
  const problems: SettingProblem[] = [];
  const wrong = (field: string, problem: SettingProblem['problem'], value: unknown) =>
    void problems.push({ setting: `${SETTING}.${name}${field}`, problem, ...toWrongValue(value) });
  const fields: ReadonlyMap<string, unknown> = new Map(isObject(written) ? Object.entries(written) : []);
  if (!isObject(written)) wrong('', 'not-an-object', written);
  /** The value of a field. Undefined if it isn't set, is null, or is wrong. */
  function read<Value>(
    field: keyof Preset,
    is: (value: unknown) => value is Value,
    problem: SettingProblem['problem'],
  ): Value | undefined {
    const value = fields.get(field) ?? undefined;
    if (value === undefined || is(value)) return value;
    wrong(`.${field}`, problem, value);
    return undefined;
  }
  const prompt = read('prompt', isText, 'not-text')?.trim();
  const tools = read('tools', isTexts, 'not-a-list-of-text');
  const effort = read('effort', isEffort, 'none-of-the-choices');
  const maxCompletionTokens = read('maxCompletionTokens', isBudget, 'not-a-positive-integer');
  for (const field of fields.keys()) if (!FIELDS.includes(field)) wrong(`.${field}`, 'unknown-field', field);
  const preset = {
    name,
    ...(prompt && { prompt }),
    ...(tools && { tools }),
    ...(effort && { effort }),
    ...(maxCompletionTokens && { maxCompletionTokens }),
  };
  return { name, preset, problems };
}

const FIELDS: readonly string[] = [
  'prompt',
  'tools',
  'effort',
  'maxCompletionTokens',
] satisfies (keyof Preset)[];

/**
 * The chosen preset, according to the current settings. If it is gone or wrong, the question is refused: without the preset, more
 * tools could run, or more could be spent, than the user chose.
 */
export function chosenPreset(
  name: string | undefined,
  setting: unknown,
): Refused | { readonly ok: true; readonly preset: Preset | undefined } {
  if (name === undefined) return { ok: true, preset: undefined };
  const found = parsePresets(setting).find((one) => one.name === name);
  const problem = found?.problems[0] ?? { setting: SETTING, problem: 'unknown-preset' as const, value: name };
  return found === undefined || found.problems.length > 0
    ? refuse({ kind: 'setting', problem })
    : { ok: true, preset: found.preset };
}

/** The lower of two efforts. An effort that isn't set doesn't count, because it is that of the settings. */
export const lowerEffort = (one?: ReasoningEffort, other?: ReasoningEffort): ReasoningEffort | undefined =>
  one === undefined || other === undefined ? (one ?? other) : EFFORTS[Math.min(...[one, other].map(rank))];

const rank = (effort: ReasoningEffort) => EFFORTS.indexOf(effort);

/**
 * Whether a tool may run for a question. A prompt file can exclude more tools than the preset, but can't add any back, because it
 * may be a file of the workspace.
 */
export function mayRun(tool: string, { tools, preset }: Pick<Question, 'tools' | 'preset'>): boolean {
  return [tools, preset?.tools].every((names) => names?.some((name) => isNamed(tool, name)) ?? true);
}

const isNamed = (tool: string, name: string): boolean =>
  name.endsWith('*') ? tool.startsWith(name.slice(0, -1)) : tool === name;
