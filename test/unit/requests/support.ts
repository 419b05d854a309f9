import type { TurnSettings } from '../../../src/requests/turnSettings.ts';
import { createTurns, type Turns } from '../../../src/requests/turns.ts';
import { DEFAULT_PRICES } from '../../../src/service/prices.ts';
import type { Transport } from '../../../src/service/transport.ts';
import { ROUTE, WIDE_LIMITS } from '../service/wire.ts';

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

/** Turns on a route with a key, of which the user confirms everything. */
export const turnsOn = (transport: Transport, route = () => ROUTE): Turns =>
  createTurns({
    settings: () => SETTINGS,
    routes: { named: () => undefined, active: () => ({ route: route(), demoKey: undefined }) },
    keys: { find: async () => ({ found: true, key: 'sk', source: 'stored' }) },
    transports: { for: async () => transport },
    spentToday: () => 0,
    confirm: async () => true,
    putSpend: () => undefined,
    log: { info: () => undefined, warn: () => undefined },
  });
