/**
 * One clock for several windows in one process. Each timer belongs to the window that set it, so that a window can be
 * frozen or killed alone. Time goes by only with `pass`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

interface Timer {
  due: number;
  /** Milliseconds between calls; undefined for a timer that runs once. */
  readonly every: number | undefined;
  readonly run: () => void;
  readonly owner: string | undefined;
  refresh(): void;
  unref(): Timer;
}

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs a function as a window. Its timers, also those it sets later, are timers of that window. */
  as<Result>(owner: string, run: () => Result): Result;
  /** Lets time go by, and runs the timers that are due, of all windows that are awake, in their order. */
  pass(ms: number, isAwake: (owner: string) => boolean): Promise<void>;
  /** Runs everything that doesn't wait for a timer. */
  settle(): Promise<void>;
  /** Drops the timers of a window that no longer exists. */
  drop(owner: string): void;
  /** Restores the real clock. */
  restore(): void;
}

const START = Date.parse('2026-05-04T10:00:00Z');
/** The number of rounds of the event loop after which only timers are left. */
const ROUNDS = 3;

/** Replaces the clock and the timers of this process until `restore`. */
export function installClock(): Clock {
  const real = { setTimeout, clearTimeout, setInterval, clearInterval, now: Date.now };
  const windows = new AsyncLocalStorage<string>();
  const timers = new Set<Timer>();
  let now = START;

  /** Returns the part of a Node timer that callers use. */
  function add(run: () => void, ms: number | undefined, repeats: boolean) {
    const wait = Math.max(1, ms ?? 0);
    const timer: Timer = {
      due: now + wait,
      every: repeats ? wait : undefined,
      run,
      owner: windows.getStore(),
      refresh() {
        timer.due = now + wait;
      },
      unref: () => timer,
    };
    timers.add(timer);
    return timer;
  }
  const remove = (timer: Timer | undefined) => void (timer !== undefined && timers.delete(timer));
  Object.assign(globalThis, {
    setTimeout: (run: () => void, ms?: number) => add(run, ms, false),
    setInterval: (run: () => void, ms?: number) => add(run, ms, true),
    clearTimeout: remove,
    clearInterval: remove,
  });
  Date.now = () => now;

  async function settle(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) await new Promise((resolve) => setImmediate(resolve));
  }

  function nextDue(until: number, isAwake: (owner: string) => boolean): Timer | undefined {
    return [...timers]
      .filter(({ due, owner }) => due <= until && (owner === undefined || isAwake(owner)))
      .toSorted((a, b) => a.due - b.due)[0];
  }

  return {
    now: () => now,
    as: (owner, run) => windows.run(owner, run),
    settle,
    async pass(ms, isAwake) {
      const until = now + ms;
      for (let timer = nextDue(until, isAwake); timer !== undefined; timer = nextDue(until, isAwake)) {
        now = Math.max(now, timer.due);
        if (timer.every === undefined) timers.delete(timer);
        else timer.due = now + timer.every;
        if (timer.owner === undefined) timer.run();
        else windows.run(timer.owner, timer.run);
        await settle();
      }
      now = until;
    },
    drop(owner) {
      for (const timer of timers) if (timer.owner === owner) timers.delete(timer);
    },
    restore() {
      const { now: realNow, ...rest } = real;
      Object.assign(globalThis, rest);
      Date.now = realNow;
    },
  };
}
