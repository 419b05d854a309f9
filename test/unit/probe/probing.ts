/** Probes a route as the editor does, with the emulator or any other service behind it. */

import type { Turn } from '../../../src/conversation/turn.ts';
import { costOf } from '../../../src/conversation/usage/cost.ts';
import { createAsk } from '../../../src/probe/askProbe.ts';
import type { CheckId, RouteProbe } from '../../../src/probe/probe.ts';
import { toProbePlan } from '../../../src/probe/probePlan.ts';
import { type EndedProbe, runProbe } from '../../../src/probe/runProbe.ts';
import type { FoundKey } from '../../../src/requests/credentials.ts';
import type { TurnSettings } from '../../../src/requests/turnSettings.ts';
import { createTurns } from '../../../src/requests/turns.ts';
import { nodeTransport } from '../../../src/service/nodeTransport.ts';
import { DEFAULT_PRICES } from '../../../src/service/prices.ts';
import type { Transport } from '../../../src/service/transport.ts';
import type { Route } from '../../../src/service/types.ts';
import { SETTINGS } from '../requests/support.ts';

export const routeTo = (url: string, kind: Route['kind'] = 'direct'): Route => ({
  name: 'r',
  kind,
  root: `${url}/v1`,
  origin: new URL(url).origin,
  model: 'svc-k3',
});

export interface ProbeOptions {
  readonly settings?: Partial<TurnSettings>;
  /** The route as the settings have it at the time of each request. */
  readonly named?: () => Route | undefined;
  readonly key?: () => FoundKey;
  readonly confirm?: () => Promise<boolean>;
  readonly transport?: Transport;
  readonly signal?: AbortSignal;
  readonly onStep?: (about: CheckId) => void;
  readonly nonce?: string;
}

export interface Probed extends EndedProbe {
  /** The turns whose cost was recorded. */
  readonly recorded: readonly Turn[];
  /** USD */
  readonly spent: number;
}

export async function probe(route: Route, options: ProbeOptions = {}): Promise<Probed> {
  const recorded: Turn[] = [];
  const spent = () => recorded.reduce((sum, turn) => sum + (costOf(turn, DEFAULT_PRICES) ?? 0), 0);
  const signal = options.signal ?? new AbortController().signal;
  const named = options.named ?? (() => route);
  const turns = createTurns({
    settings: () => ({ ...SETTINGS, ...options.settings }),
    routes: {
      active: () => undefined,
      named: () => {
        const now = named();
        return now && { route: now, demoKey: undefined };
      },
    },
    keys: { find: async () => options.key?.() ?? { found: true, key: 'a-key', source: 'stored' } },
    transports: { for: async () => options.transport ?? nodeTransport },
    spentToday: spent,
    confirm: async () => (await options.confirm?.()) ?? false,
    putSpend: (_, turn) => void recorded.push(turn),
    log: { info: () => undefined, warn: () => undefined },
  });
  const ended = await runProbe(toProbePlan(options.nonce ?? String(Math.random())), {
    ask: createAsk(turns, { route, demo: false }, 'checks', signal),
    onStep: (about) => options.onStep?.(about),
    now: () => 1000,
    model: route.model,
    costOf: (turn) => costOf(turn, DEFAULT_PRICES),
    signal,
  });
  return { ...ended, recorded, spent: spent() };
}

/** What each check found, as short text: `yes`, `no dropped`. */
export function verdictsOf({ results }: RouteProbe): Readonly<Record<string, string>> {
  return Object.fromEntries(
    results.map(({ check, verdict, seen }) => [check, verdict === 'yes' ? 'yes' : `${verdict} ${seen.kind}`]),
  );
}
