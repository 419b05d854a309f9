/** The clock of the system is set while a turn runs. Limits and durations are measured with a monotonic clock. */
import { setTimeout as pause } from 'node:timers/promises';
import { BEFORE_HEAD, type Fault, type Phase, type TransportName } from '../fault.ts';
import { COMPLETE, silent } from './expect.ts';

const { now } = Date;

function setClock(aheadMs: number): void {
  Date.now = () => now() + aheadMs;
}

const DAY_MS = 24 * 60 * 60_000;
const AHEAD: Readonly<Record<string, number>> = { forward: DAY_MS, back: -DAY_MS };

const PHASES: readonly Phase[] = [...BEFORE_HEAD, 'reasoning', 'answering', 'arguments', 'tool-round'];
const OVER: readonly TransportName[] = ['node', 'undici-h2'];

const shared = {
  alone: true,
  routes: ['direct'],
  transports: OVER,
  after: () => setClock(0),
} as const satisfies Partial<Fault>;

export const CLOCKS: readonly Fault[] = Object.entries(AHEAD).flatMap(([name, ahead]): Fault[] => [
  {
    ...shared,
    name: `clock-${name}`,
    phases: PHASES,
    async act(reply) {
      setClock(ahead);
      await pause(20);
      await reply.finish();
    },
    expected: () => COMPLETE,
  },
  {
    ...shared,
    name: `clock-${name}-in-silence`,
    phases: PHASES,
    waits: 'limit',
    act: () => setClock(ahead),
    expected: silent,
  },
  {
    ...shared,
    name: `clock-${name}-in-pause`,
    phases: BEFORE_HEAD,
    async act(reply) {
      if (reply.post > 1) return reply.finish();
      reply.head({ status: 503, headers: { 'content-type': 'application/json' } });
      await reply.write('{"error":{"message":"Busy"}}');
      setClock(ahead);
      await reply.end();
    },
    expected: () => ({ ...COMPLETE, posts: 2 }),
  },
]);
