import type { Prices } from '../service/prices.ts';
import type { ReasoningEffort } from '../service/types.ts';
import type { SilenceLimits } from '../service/watchdog.ts';
import type { SettingProblem } from './refusal.ts';

/** The settings that a request depends on. They are read once per question; the daily cap is read before each of its requests. */
export interface TurnSettings {
  readonly systemPrompt: string;
  /** Output budget in tokens; undefined uses the default of the service. */
  readonly maxCompletionTokens: number | undefined;
  readonly effort: ReasoningEffort | undefined;
  readonly promptCacheKey: boolean;
  readonly prices: Prices;
  readonly limits: SilenceLimits;
  /** USD per day. The user is asked before a request that exceeds it; undefined never asks. */
  readonly dailyCap: number | undefined;
  /** Invalid settings; if there are any, nothing is sent. */
  readonly problems: readonly SettingProblem[];
}
