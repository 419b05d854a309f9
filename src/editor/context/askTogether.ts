/**
 * Asks the user once about everything that is attached together. A drive may not respond, and the user may remove the items
 * on it.
 */
import { untilAborted } from '../../service/abort.ts';

/**
 * Asks about the items that are not removed. If one is removed before the result is known, asks about the others again.
 *
 * @param ask asks about items. Its signal aborts when one of them is removed: what is found out later must not be asked
 *   about anymore
 */
export async function askTogether<One extends { readonly removal: AbortSignal }, Answer>(
  all: readonly One[],
  ask: (left: readonly One[], signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const left = all.filter(({ removal }) => !removal.aborted);
  const signal = AbortSignal.any(left.map(({ removal }) => removal));
  try {
    return await untilAborted(ask(left, signal), signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    return askTogether(left, ask);
  }
}
