import type { Prices } from '../service/limits.ts';
import type { ReasoningEffort } from '../service/types.ts';
import type { SilenceLimits } from '../service/watchdog.ts';
import type { SettingProblem } from './refusal.ts';

/** The settings that a request depends on. They are read once for each question. */
export interface TurnSettings {
  readonly systemPrompt: string;
  /** Output budget in tokens; undefined leaves it to the service. */
  readonly maxCompletionTokens: number | undefined;
  readonly effort: ReasoningEffort | undefined;
  readonly promptCacheKey: boolean;
  readonly prices: Prices;
  readonly limits: SilenceLimits;
  /** USD a day; before a request that goes past it, the user is asked. Undefined never asks. */
  readonly dailyCap: number | undefined;
  /** With any of these nothing is sent. */
  readonly problems: readonly SettingProblem[];
}
