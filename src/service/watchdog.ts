import { ServiceError, type WaitPhase } from './errors.ts';

/** The longest silence in each phase, in milliseconds. */
export type SilenceLimits = Readonly<Record<WaitPhase, number>>;

/**
 * Minutes are normal: a prompt of 498,000 tokens took about 52 s, plus the time in a queue
 * (docs/service.md, Observed times).
 */
export const DEFAULT_LIMITS: SilenceLimits = {
  connecting: 60_000,
  'first-byte': 15 * 60_000,
  reasoning: 10 * 60_000,
  answering: 5 * 60_000,
};

// The maximum delay of a timer. A longer limit is the same as none.
const MAX_DELAY_MS = 2 ** 31 - 1;

/** After the finish reason, only usage and the end of the stream can follow. In milliseconds. */
const FINISH_MS = 10_000;

export interface Watchdog {
  /** Aborts with a `silent` ServiceError as the reason if a phase was silent for too long. */
  readonly signal: AbortSignal;
  enter(phase: WaitPhase): void;
  /** Restarts the timer. Keep-alive comments count as activity. */
  activity(): void;
  /** The answer is complete. What follows has a short time limit, which keep-alives don't extend. */
  finish(): void;
  stop(): void;
}

/** Watches one request for silence, with the limit of its current phase. */
export function createWatchdog(limits: SilenceLimits): Watchdog {
  const controller = new AbortController();
  let phase: WaitPhase = 'connecting';
  let finished = false;
  let timer = start();

  function start(limit = limits[phase]): NodeJS.Timeout {
    const silentMs = Math.min(limit, MAX_DELAY_MS);
    return setTimeout(() => controller.abort(new ServiceError('silent', { phase, silentMs })), silentMs);
  }

  return {
    signal: controller.signal,
    enter(next) {
      if (next === phase || finished) return;
      phase = next;
      clearTimeout(timer);
      timer = start();
    },
    activity() {
      if (!finished) timer.refresh();
    },
    finish() {
      if (finished) return;
      finished = true;
      clearTimeout(timer);
      timer = start(FINISH_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
