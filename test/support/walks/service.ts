/** The service of a walk: it can stop, start again, and refuse the key, always at the same address. */
import { type Emulator, startEmulator } from '../../../src/emulator/server.ts';
import { CANARY } from '../canary.ts';
import { eventually } from '../eventually.ts';

/** Scenarios that end by themselves. Endless scenarios would only make a walk longer. */
const SCENARIOS =
  `truncate spent-on-reasoning empty substitute content-filter renamed-reasoning think-no-open no-reasoning no-usage
  no-done reset cut-mid-reasoning cut-mid-answer clean-close 401 400 balance rate-limit error-mid-stream error-first
  tools tools-rounds tools-broken-json tools-unknown cut-mid-tools long-answer slow-reasoning only-done html-200 503
  gzip-cut broken-chunk tools-truncated`.split(/\s+/);

export interface WalkService {
  /** `work` and a route for each scenario. */
  readonly routes: readonly string[];
  /** The value of `k3.routes`, without the routes with some names. */
  settings(without?: readonly string[]): Readonly<Record<string, unknown>>;
  readonly isThere: boolean;
  /** Closes all connections, and refuses new ones. */
  leave(): Promise<void>;
  /** @param refusesKey whether every request is answered with 401 */
  comeBack(refusesKey?: boolean): Promise<void>;
}

export async function startWalkService(tokensPerSecond: number): Promise<WalkService> {
  const start = (port: number, key: string) => startEmulator({ port, route: 'direct', key, tokensPerSecond });
  let now: Emulator | undefined = await start(0, CANARY);
  const { url } = now;
  const port = Number(new URL(url).port);
  const leave = async () => {
    await now?.close();
    now = undefined;
  };
  const routes = ['work', ...SCENARIOS];
  const addressOf = (name: string) => (name === 'work' ? url : `${url}/s/${name}`);
  return {
    routes,
    settings: (without = []) =>
      Object.fromEntries(
        routes
          .filter((name) => !without.includes(name))
          .map((name) => [name, { kind: 'direct', baseUrl: addressOf(name) }]),
      ),
    get isThere() {
      return now !== undefined;
    },
    leave,
    async comeBack(refusesKey = false) {
      await leave();
      // The port may be taken for a moment by a connection that is still closing.
      now = await eventually(() => start(port, refusesKey ? `${CANARY}-of-another` : CANARY));
    },
  };
}
