import type { TurnSettings } from '../../../src/requests/turnSettings.ts';
import { DEFAULT_PRICES } from '../../../src/service/prices.ts';
import { WIDE_LIMITS } from '../service/wire.ts';

/** The settings of a turn, without a cap and with silence limits that no test reaches. */
export const SETTINGS: TurnSettings = {
  systemPrompt: 'Be brief.',
  maxCompletionTokens: undefined,
  effort: undefined,
  promptCacheKey: false,
  prices: DEFAULT_PRICES,
  limits: WIDE_LIMITS,
  dailyCap: undefined,
  problems: [],
};
