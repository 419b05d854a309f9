/** Asks the user once about all that is added together. A drive may not answer, and the user may remove what is on it. */
import { untilAborted } from '../../service/abort.ts';

/**
 * When one is removed before the answer is there, the others are asked about again.
 *
 * @param ask with a signal that aborts then: what is found out later is not asked about any more
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
