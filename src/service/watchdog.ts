import { ServiceError, type WaitPhase } from './errors.ts';
import { startWakingTimer, type WakingTimer } from './wakingTimer.ts';

/** The longest silence in each phase, in milliseconds. */
export type SilenceLimits = Readonly<Record<WaitPhase, number>> & FixedTimes;

/** Times that aren't settings, in milliseconds. Tests that wait for them use shorter ones. */
interface FixedTimes {
  /** From the finish reason to the end of the body. After that, the turn ends without the end of the body. */
  readonly afterFinish?: number;
  /** Time to read the body of an error response. The status alone is usually enough. */
  readonly errorBody?: number;
  /** The pause before the first retry; the next one is twice as long (E6). */
  readonly firstPause?: number;
}

/**
 * Several minutes are normal: a prompt of 498,000 tokens took about 52 s, plus the time in a queue (docs/service.md, Observed
 * times).
 */
export const DEFAULT_LIMITS: SilenceLimits = {
  connecting: 60_000,
  'first-byte': 15 * 60_000,
  reasoning: 10 * 60_000,
  answering: 5 * 60_000,
};

// A longer limit, of 24 days, is the same as none.
const MAX_DELAY_MS = 2 ** 31 - 1;

/** After the finish reason, only usage and the end of the stream can follow. In milliseconds. */
const FINISH_MS = 10_000;

/**
 * How many times its silence limit a phase can last with keep-alives only. A service that queues a request sends them for a long
 * time; a service that has lost the request can send them forever.
 */
const KEPT_ALIVE_FACTOR = 4;

export interface Watchdog {
  /**
   * Aborts with a `silent` ServiceError as the reason if a phase was silent for too long, or if only keep-alives
   * arrived for four times as long.
   */
  readonly signal: AbortSignal;
  enter(phase: WaitPhase): void;
  /** Restarts the timer of silence. Keep-alives count as activity. */
  activity(): void;
  /** A part of the response arrived. Restarts the timer of keep-alives. */
  progress(): void;
  /** The answer is complete. The rest of the stream has a short time limit, which keep-alives don't extend. */
  finish(): void;
  /** Text arrived. If the answer was finished, that wasn't its end, and later finish reasons are ignored. */
  goOn(): void;
  stop(): void;
}

/**
 * Watches one request for silence, with the limit of its current phase.
 *
 * @param now milliseconds on a monotonic clock, which may go on while the computer sleeps
 */
export function createWatchdog(limits: SilenceLimits, now?: () => number): Watchdog {
  const controller = new AbortController();
  let phase: WaitPhase = 'connecting';
  let finished = false;
  let isDoubtful = false;
  let timer = start(limits[phase]);
  let progressTimer = start(limits[phase] * KEPT_ALIVE_FACTOR, { keptAlive: true });

  function start(limit: number, more: { readonly keptAlive?: true } = {}): WakingTimer {
    const silentMs = Math.min(limit, MAX_DELAY_MS);
    const bark = () => {
      stop();
      controller.abort(new ServiceError('silent', { phase, silentMs, ...more }));
    };
    return startWakingTimer(silentMs, bark, now);
  }

  function stop(): void {
    timer.stop();
    progressTimer.stop();
  }

  function restart(): void {
    stop();
    timer = start(limits[phase]);
    progressTimer = start(limits[phase] * KEPT_ALIVE_FACTOR, { keptAlive: true });
  }

  return {
    signal: controller.signal,
    enter(next) {
      if (next === phase || finished) return;
      phase = next;
      restart();
    },
    activity() {
      if (!finished) timer.refresh();
    },
    progress() {
      if (!finished) progressTimer.refresh();
    },
    finish() {
      if (finished || isDoubtful) return;
      finished = true;
      stop();
      timer = start(limits.afterFinish ?? FINISH_MS);
    },
    goOn() {
      if (!finished) return;
      finished = false;
      isDoubtful = true;
      restart();
    },
    stop,
  };
}
