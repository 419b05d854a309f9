/** A timer that doesn't count the time during which the computer sleeps. */

export interface WakingTimer {
  /** Starts again from the beginning. */
  refresh(): void;
  stop(): void;
}

/**
 * If a timer is this many milliseconds late, the computer was probably asleep. A timer of a blocked process is late as well,
 * which does no harm: its time starts again.
 */
const SLEPT_MS = 2000;

/**
 * The longest wait at a time, in milliseconds. On some systems, timers go on while the computer sleeps, so a timer that is due
 * after the sleep isn't late. With slices, any sleep that is a little longer than a slice is detected.
 */
const SLICE_MS = 5000;

/**
 * Calls a function once after a number of milliseconds. If the computer slept meanwhile, data may be on its way, so the time
 * starts again. The timer doesn't keep the process running.
 *
 * @param now milliseconds on a monotonic clock, which may go on while the computer sleeps
 */
export function startWakingTimer(
  ms: number,
  call: () => void,
  now: () => number = () => performance.now(),
): WakingTimer {
  let due = now() + ms;
  let timer: NodeJS.Timeout;
  const wait = () => {
    const slice = Math.max(1, Math.min(due - now(), SLICE_MS));
    const end = now() + slice;
    timer = setTimeout(() => {
      if (now() - end >= SLEPT_MS) due = now() + ms;
      // A timer can be early by a part of a millisecond.
      if (now() > due - 1) call();
      else wait();
    }, slice).unref();
  };
  wait();
  return {
    refresh() {
      due = now() + ms;
    },
    stop: () => clearTimeout(timer),
  };
}
