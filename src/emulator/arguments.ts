/** The command-line flags of the emulator. */
import { parseArgs } from 'node:util';
import type { EmulatorOptions } from './server.ts';

export const USAGE =
  'npm run emulator -- [--port N] [--route direct|gateway] [--key K] [--tokens-per-second N]';

/** Long enough to see that the model is reading, short enough not to be annoying. */
const DEMO_DELAY_MS = 600;

const DEFAULT_DEMO_KEY = 'k3-demo-key';

export type ParsedArguments =
  | { readonly ok: true; readonly options: EmulatorOptions }
  /** `problem` names the flag. */
  | { readonly ok: false; readonly problem: string };

export function parseProgramArguments(args: readonly string[]): ParsedArguments {
  let values: Readonly<Record<string, string | boolean | undefined>>;
  try {
    values = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        route: { type: 'string' },
        key: { type: 'string' },
        'tokens-per-second': { type: 'string' },
      },
    }).values;
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
  const { port = '0', route = 'direct', key = DEFAULT_DEMO_KEY, 'tokens-per-second': pace } = values;
  if (typeof port !== 'string' || !/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    return { ok: false, problem: `--port must be a number from 0 to 65535; it is ${JSON.stringify(port)}` };
  }
  if (route !== 'direct' && route !== 'gateway') {
    return { ok: false, problem: `--route must be direct or gateway; it is ${JSON.stringify(route)}` };
  }
  if (typeof key !== 'string' || !/^\S+$/.test(key)) {
    return { ok: false, problem: '--key must not be empty and must not contain white space' };
  }
  const tokensPerSecond = pace === undefined ? undefined : Number(pace);
  if (tokensPerSecond !== undefined && !(tokensPerSecond > 0)) {
    return {
      ok: false,
      problem: `--tokens-per-second must be a number above 0, or Infinity; it is ${JSON.stringify(pace)}`,
    };
  }
  const options: EmulatorOptions = { port: Number(port), route, key, firstTokenDelayMs: DEMO_DELAY_MS };
  return { ok: true, options: tokensPerSecond === undefined ? options : { ...options, tokensPerSecond } };
}
