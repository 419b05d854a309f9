/** The dialogs about access of several tool calls or files. There can be more than a hundred, and Stop is behind them. */
import type { AccessPurpose } from '../../access/accessReasons.ts';
import { createKeyedQueue } from '../base/keyedQueue.ts';
import { type askAccess, showAccess } from './accessDialog.ts';

interface Waiting {
  readonly purpose: AccessPurpose;
  isRefused: boolean;
}

/**
 * Returns a function that shows one dialog after the other. Cancel refuses all of its kind that wait by then, also those that came
 * while it was open: the first dialog opens with the first call. What is allowed is only what a dialog shows.
 */
export function createAccessQueue(): typeof askAccess {
  const queue = createKeyedQueue();
  const waiting = new Set<Waiting>();
  return (dialog, signal) => {
    const own: Waiting = { purpose: dialog.purpose, isRefused: false };
    waiting.add(own);
    return queue.run('', async () => {
      waiting.delete(own);
      if (own.isRefused) return false;
      const answer = await showAccess(dialog, signal, 'calls');
      if (answer === 'canceled') for (const one of waiting) one.isRefused ||= one.purpose === own.purpose;
      return answer === 'allowed';
    });
  };
}

/**
 * Returns a function that shows the dialogs of one action, which asks about one file after the other: Cancel refuses the rest as
 * well. What is allowed is only what a dialog shows.
 *
 * @param count of files, as far as is known
 */
export function createAccessSeries(count: number): typeof askAccess {
  let isCanceled = false;
  return async (dialog, signal) => {
    if (isCanceled) return false;
    const answer = await showAccess(dialog, signal, count > 1 ? 'files' : undefined);
    isCanceled = answer === 'canceled';
    return answer === 'allowed';
  };
}
