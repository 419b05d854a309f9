/** A timer that doesn't count the time in which the computer slept. */

export interface WakingTimer {
  /** Starts again from the beginning. */
  refresh(): void;
  stop(): void;
}

/**
 * A timer that is so late was probably stopped with the computer. One of a process that was blocked is late as well, which does no
 * harm: its time starts again. In milliseconds.
 */
const SLEPT_MS = 2000;

/**
 * The longest wait at a time, in milliseconds. On some systems timers go on while the computer sleeps, so a sleep that ends
 * before a timer is due doesn't make it late. In slices, a sleep that is a little longer than one is always seen.
 */
const SLICE_MS = 5000;

/**
 * Calls a function after so many milliseconds, once. If the computer slept meanwhile, data may be on its way, so the time
 * starts again. The timer alone doesn't keep the process running.
 *
 * @param now milliseconds on a clock that nobody sets, and that may go on while the computer sleeps
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
