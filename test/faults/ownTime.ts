/**
 * The time in which this process could run, in milliseconds. On a busy machine, the event loop waits for a processor, and
 * everything in the process is late; this waiting time doesn't count. Time in which the process computes counts, also if
 * it blocks the event loop.
 */
import { setTimeout as pause } from 'node:timers/promises';

const TICK_MS = 10;

export interface OwnTime {
  now(): number;
  stop(): void;
}

/** The wall-clock time, and the processor time of this process, in milliseconds. */
export interface Clocks {
  wall(): number;
  processor(): number;
}

const REAL: Clocks = {
  wall: () => performance.now(),
  processor: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

export function startOwnTime({ wall, processor }: Clocks = REAL): OwnTime {
  let lost = 0;
  let tickedAt = wall();
  let used = processor();
  const tick = () => {
    const at = wall();
    const usedNow = processor();
    lost += Math.max(0, at - tickedAt - TICK_MS - (usedNow - used));
    tickedAt = at;
    used = usedNow;
  };
  const timer = setInterval(tick, TICK_MS);
  const now = () => {
    tick();
    return tickedAt - lost;
  };
  return { now, stop: () => clearInterval(timer) };
}

let running: OwnTime | undefined;

/** Begins to measure the time of this process, and returns a function that ends this. */
export function watchOwnTime(): () => void {
  const own = startOwnTime();
  running = own;
  return () => {
    own.stop();
    running = undefined;
  };
}

export const ownNow = (): number => running?.now() ?? performance.now();

/** Resolves after this much own time, in milliseconds, or at the abort. */
export async function ownPause(ms: number, signal: AbortSignal): Promise<void> {
  const until = ownNow() + ms;
  while (ownNow() < until && !signal.aborted)
    await pause(5 * TICK_MS, undefined, { signal }).catch(() => undefined);
}
