/**
 * The dialogs about access for several tool calls or files. There can be more than a hundred, and the Stop button is behind
 * them.
 */
import type { AccessPurpose } from '../../access/accessReasons.ts';
import { createKeyedQueue } from '../base/keyedQueue.ts';
import { type askAccess, showAccess } from './accessDialog.ts';

interface Waiting {
  readonly purpose: AccessPurpose;
  isRefused: boolean;
}

/**
 * Returns a function that shows one dialog after the other. Cancel refuses all waiting requests of the same kind, also
 * those that arrived while the dialog was open: the first dialog opens with the first call. Only what a dialog shows can be
 * allowed.
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
 * Returns a function that shows the dialogs of one action, which asks about one file after the other. Cancel also refuses
 * the remaining files. Only what a dialog shows can be allowed.
 *
 * @param count the number of files, as far as is known
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
