import { ServiceError, type WaitPhase } from './errors.ts';

/** The longest silence for each phase, in milliseconds. */
export type SilenceLimits = Readonly<Record<WaitPhase, number>>;

/** Minutes are normal: a 498k-token prompt took about 52 s, and queues come on top (docs/service.md, Observed times). */
export const DEFAULT_LIMITS: SilenceLimits = {
  connecting: 60_000,
  'first-byte': 15 * 60_000,
  reasoning: 10 * 60_000,
  answering: 5 * 60_000,
};

// The longest delay a timer takes; a longer limit is no limit.
const LONGEST_DELAY = 2 ** 31 - 1;

/** After the finish reason only usage and the end can come. In milliseconds. */
const FINISH_MS = 10_000;

export interface Watchdog {
  /** Aborted, with a `silent` ServiceError as the reason, when a phase was silent for too long. */
  readonly signal: AbortSignal;
  enter(phase: WaitPhase): void;
  /** A sign of life; keep-alive comments count. */
  activity(): void;
  /** The answer is whole: what is left has little time, and keep-alives give it no more. */
  finish(): void;
  stop(): void;
}

/** Watches one request for silence, with the limit of the phase it is in. */
export function createWatchdog(limits: SilenceLimits): Watchdog {
  const controller = new AbortController();
  let phase: WaitPhase = 'connecting';
  let finished = false;
  let timer = start();

  function start(limit = limits[phase]): NodeJS.Timeout {
    const silentMs = Math.min(limit, LONGEST_DELAY);
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
