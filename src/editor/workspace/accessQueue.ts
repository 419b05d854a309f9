/** The dialogs about access of tool calls that run at the same time: there can be more than a hundred, and Stop is behind them. */
import type { AccessPurpose } from '../../access/accessReasons.ts';
import { createKeyedQueue } from '../base/keyedQueue.ts';
import { type askAccess, showAccess } from './accessDialog.ts';

interface Waiting {
  readonly purpose: AccessPurpose;
  readonly signal: AbortSignal | undefined;
  isRefused: boolean;
}

/**
 * Returns a function that shows one dialog after the other. Each says how many others of its kind wait, which Cancel refuses, too.
 * What is allowed is only what a dialog shows.
 */
export function createAccessQueue(): typeof askAccess {
  const queue = createKeyedQueue();
  const waiting = new Set<Waiting>();
  return (dialog, signal) => {
    const own: Waiting = { purpose: dialog.purpose, signal, isRefused: false };
    waiting.add(own);
    return queue.run('', async () => {
      waiting.delete(own);
      if (own.isRefused) return false;
      const others = [...waiting].filter((one) => one.purpose === own.purpose && !one.signal?.aborted);
      const answer = await showAccess(dialog, signal, others.length);
      if (answer === 'canceled') for (const one of others) one.isRefused = true;
      return answer === 'allowed';
    });
  };
}
