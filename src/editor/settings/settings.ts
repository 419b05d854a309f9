/** Reads, checks, and writes the settings. Nothing else uses `k3.*` of the configuration. */

import * as vscode from 'vscode';
import type { InstructionsSetting } from '../../instructions/findInstructions.ts';
import { chosenPreset, parsePresets } from '../../requests/presets.ts';
import { type SettingProblem, toWrongValue } from '../../requests/refusal.ts';
import type { TurnSettings } from '../../requests/turnSettings.ts';
import { isEffort, type ReasoningEffort } from '../../service/effort.ts';
import { messageOf } from '../../service/errorMessage.ts';
import { DEFAULT_PRICES, type Prices } from '../../service/prices.ts';
import type { Route } from '../../service/types.ts';
import { DEFAULT_LIMITS, type SilenceLimits } from '../../service/watchdog.ts';
import { fieldOf } from '../base/ownField.ts';
import { ToldError } from '../base/toldError.ts';
import { readFields, readTextField, yesOrNoOf } from './settingFields.ts';
import { readRoutes } from './writtenRoutes.ts';

export type ReasoningInChat = 'collapsed' | 'expanded' | 'hidden';

/** When an answer that has ended is notified (`k3.notify`). */
export type Notify = 'whenHidden' | 'always' | 'off';

export interface Settings extends TurnSettings {
  readonly routes: readonly Route[];
  readonly activeRoute: string;
  readonly reasoningInChat: ReasoningInChat;
  /** Requests from other chats of the editor are saved as conversations. */
  readonly keepOtherChats: boolean;
  readonly toolsEnabled: boolean;
  /** Tools of other extensions and MCP servers need an approval for every call, whatever is on the allow list. */
  readonly toolsAlwaysAsk: boolean;
}

/**
 * The user's value that the settings of the remote machine hide. The editor does so in a profile. No setting takes a symbol, so the
 * setting is reported as wrong, and nothing is sent.
 */
const HIDDEN_VALUE = Symbol('remote');

/** Whether the user's value of a setting can't be read, so that writing a part of it would delete the rest. */
export const isHiddenValue = (value: unknown): boolean => value === HIDDEN_VALUE;

/**
 * The user's value only. The scope `application` already excludes workspace settings; reading the global value is a
 * second safeguard (docs/security.md). The global value also contains settings of the remote machine, which a container gets from the
 * workspace, if they are written as names inside of ours, such as `k3.routes.NAME.network`.
 */
export function readGlobal(key: string): unknown {
  const found = vscode.workspace.getConfiguration('k3').inspect<unknown>(key);
  const isMixed = fieldOf(found, 'globalRemoteValue') !== undefined;
  const own = isMixed ? (fieldOf(found, 'globalLocalValue') ?? HIDDEN_VALUE) : found?.globalValue;
  return own ?? found?.defaultValue;
}

/** The settings as they were last read, and the last valid prices. Undefined while changes aren't watched. */
let kept: { settings?: Settings; readonly prices: Prices } | undefined;

/**
 * Caches the settings until one changes: the editor computes each value anew, about twenty for all of them, and they are read several
 * times for each change of a chat. Must be registered before all other listeners for changes of the settings.
 */
export function registerSettings(): vscode.Disposable {
  kept = { prices: DEFAULT_PRICES };
  const listening = vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('k3'))
      kept = { prices: kept?.settings?.prices ?? kept?.prices ?? DEFAULT_PRICES };
  });
  return vscode.Disposable.from(listening, { dispose: () => (kept = undefined) });
}

/** Reads all settings. An invalid setting has its default and is listed in `problems`. */
export function readSettings(): Settings {
  if (kept === undefined) return readNow();
  kept.settings ??= readNow();
  return kept.settings;
}

function readNow(): Settings {
  const problems: SettingProblem[] = [];
  const routes = readRoutes(readGlobal('routes'), problems);
  const before = problems.length;
  const activeRoute = readTextSetting('route', problems);
  // If there are several routes, the setting must name one of them.
  const isNeeded = activeRoute !== '' || (routes.length > 1 && problems.length === before);
  if (isNeeded && !routes.some((route) => route.name === activeRoute)) {
    problems.push({ setting: 'k3.route', problem: 'unknown-route', value: activeRoute });
  }
  const effort = readGlobal('reasoningEffort');
  if (effort !== null && effort !== undefined && !isEffort(effort))
    problems.push({ setting: 'k3.reasoningEffort', problem: 'none-of-the-choices', value: String(effort) });
  const inChat = vscode.workspace.getConfiguration('k3').get<unknown>('reasoning.inChat');
  return {
    routes,
    activeRoute,
    maxCompletionTokens: readPositiveInteger('maxCompletionTokens', problems),
    effort: isEffort(effort) ? effort : undefined,
    systemPrompt: readTextSetting('systemPrompt', problems),
    reasoningInChat: inChat === 'expanded' || inChat === 'hidden' ? inChat : 'collapsed',
    prices: readPrices(problems),
    limits: readLimits(problems),
    dailyCap: readAmount('dailyCap', problems),
    promptCacheKey: readYesOrNo('promptCacheKey', problems),
    keepOtherChats: readYesOrNo('otherChats.keep', problems),
    toolsEnabled: readYesOrNo('tools.enabled', problems),
    toolsAlwaysAsk: readYesOrNo('tools.alwaysAsk', problems),
    problems,
  };
}

const readTextSetting = (key: string, problems: SettingProblem[]): string =>
  readTextField(`k3.${key}`, readGlobal(key), problems);

const readYesOrNo = (key: string, problems: SettingProblem[]): boolean =>
  yesOrNoOf(`k3.${key}`, readGlobal(key), problems);

function readPositiveInteger(key: string, problems: SettingProblem[]): number | undefined {
  const value = readGlobal(key);
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
  problems.push({ setting: `k3.${key}`, problem: 'not-a-positive-integer', ...toWrongValue(value) });
  return undefined;
}

/** `1e999` is read as infinity. */
const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

function readAmount(key: string, problems: SettingProblem[]): number | undefined {
  const value = readGlobal(key);
  if (value === null || value === undefined) return undefined;
  if (isAmount(value)) return value;
  problems.push({ setting: `k3.${key}`, problem: 'not-a-number', ...toWrongValue(value) });
  return undefined;
}

/**
 * Reads the prices. If one is wrong, returns the last valid prices: a turn can end, and its cost be recorded, while the user edits
 * them.
 */
function readPrices(problems: SettingProblem[]): Prices {
  const before = problems.length;
  const value = readFields('k3.prices', readGlobal('prices'), problems);
  const price = (key: keyof Prices): number => {
    const given = value[key];
    if (isAmount(given)) return given;
    if (given !== undefined)
      problems.push({ setting: `k3.prices.${key}`, problem: 'not-a-number', ...toWrongValue(given) });
    return DEFAULT_PRICES[key];
  };
  const prices = { input: price('input'), cachedInput: price('cachedInput'), output: price('output') };
  return problems.length === before || kept === undefined ? prices : kept.prices;
}

/** Converts from minutes to milliseconds. */
function readLimits(problems: SettingProblem[]): SilenceLimits {
  const value = readFields('k3.timeouts', readGlobal('timeouts'), problems);
  const limit = (key: string, otherwise: number): number => {
    const given = value[key];
    if (typeof given === 'number' && given > 0) return given * 60_000;
    if (given !== undefined)
      problems.push({ setting: `k3.timeouts.${key}`, problem: 'not-above-zero', ...toWrongValue(given) });
    return otherwise;
  };
  return {
    connecting: limit('connecting', DEFAULT_LIMITS.connecting),
    'first-byte': limit('firstByte', DEFAULT_LIMITS['first-byte']),
    reasoning: limit('reasoning', DEFAULT_LIMITS.reasoning),
    answering: limit('answering', DEFAULT_LIMITS.answering),
  };
}

/** Not part of `readSettings`, because it is needed whenever an answer ends, in every window. */
export function readNotify(): Notify {
  const notify = readGlobal('notify');
  return notify === 'always' || notify === 'off' ? notify : 'whenHidden';
}

/**
 * Which instruction files are read. A workspace can list files of its own, or turn them off, but can't turn them on again for a user
 * who doesn't want them. Any other value counts as off.
 */
export function readInstructionsSetting(): InstructionsSetting {
  const own = readGlobal('instructions');
  if (own === 'off' || isHiddenValue(own)) return 'off';
  const value = vscode.workspace.getConfiguration('k3').get<unknown>('instructions', 'on');
  if (Array.isArray(value)) return value.filter((path) => typeof path === 'string');
  return value === 'on' ? 'on' : 'off';
}

/** The user's own folder of prompt files, as it is written; empty for none. */
export function readPromptsFolder(): { readonly path: string; readonly problems: readonly SettingProblem[] } {
  const problems: SettingProblem[] = [];
  return { path: readTextSetting('prompts', problems).trim(), problems };
}

/** Our presets and those of the user. A workspace can't add any. */
export const readPresets = () => parsePresets(readGlobal('presets'));

/** The preset of a name, as it is now, or why it can't be used. */
export const readPreset = (name: string | undefined) =>
  chosenPreset(name, name === undefined ? undefined : readGlobal('presets'));

export const writeEffort = (effort: ReasoningEffort | undefined): Promise<void> =>
  writeGlobal('reasoningEffort', effort ?? null);

/** Writes the user's value. Rejects with a `ToldError`, for example when the settings file has a syntax error. */
export async function writeGlobal(key: string, value: unknown): Promise<void> {
  try {
    await vscode.workspace.getConfiguration('k3').update(key, value, vscode.ConfigurationTarget.Global);
  } catch (error) {
    throw new ToldError(messageOf(error), { cause: error });
  }
}
