/** The services with which the same work is done: the strict one of test/foreign, and the emulator. */
import { emulator, strict } from './stage.ts';

export interface WalkedService {
  readonly name: string;
  readonly route: string;
  /** The route on which the window fills up, and the question for calls that read a file again and again. */
  readonly long: { readonly route: string; readonly ask: (path: string) => string };
  /** The bodies of its requests, oldest first. */
  bodies(): readonly string[];
  /** Those on the long route. */
  longBodies(): readonly string[];
  /** What was wrong with the requests. */
  violations(): readonly string[];
}

/** The emulator remembers the last hundred requests: more would be counted as a hundred. */
const emulated = (long: boolean) =>
  emulator.requests.filter(
    ({ method, body, scenario }) =>
      method === 'POST' && body !== '' && (scenario === 'tools-rounds') === long,
  );

/** Requests with which the strict service fills the window: two calls in each. */
export const ROUNDS = 8;

export const STRICT: WalkedService = {
  name: 'a strict service',
  route: 'straight',
  long: {
    route: 'dense',
    ask: (path) => `[[tool-rounds:${ROUNDS} read_file ${JSON.stringify({ path })}]]`,
  },
  bodies: () => strict.direct.requests.map(({ text }) => text),
  longBodies: () => strict.dense.requests.map(({ text }) => text),
  violations: () => strict.direct.violations,
};

export const EMULATOR: WalkedService = {
  name: 'the emulator',
  route: 'plain',
  long: { route: 'rounds', ask: (path) => `Call read_file for ${path} again and again.` },
  bodies: () => emulated(false).map(({ body }) => body),
  longBodies: () => emulated(true).map(({ body }) => body),
  violations: () =>
    [...emulated(false), ...emulated(true)]
      .filter(({ status = 200 }) => status >= 400)
      .map(({ status, body }) => `${status}: ${body}`),
};

export const SERVICES = [STRICT, EMULATOR];

/** The newest message of the last request. */
export const lastSent = (service: WalkedService): string =>
  JSON.parse(service.bodies().at(-1) ?? '{}').messages.at(-1).content;
