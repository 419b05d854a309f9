/**
 * Runs the calls of a conversation one after the other. While the user is asked about one call, the calls behind it are
 * shown as waiting, too.
 */
import { untilAborted } from '../../service/abort.ts';
import { createKeyedQueue } from '../base/keyedQueue.ts';
import type { WhileAsking } from '../workspace/accessRequests.ts';
import type { ToolContext } from './toolDefinitions.ts';

export interface CallQueue {
  /**
   * Runs the work of a call after that of earlier calls, whether or not they succeeded. Settles when the work does, or when
   * the call is stopped: work that never ends would hold up all later calls, also those of later turns.
   */
  run<T>(
    call: Pick<ToolContext, 'conversationId' | 'enter' | 'signal'>,
    work: (whileAsking: WhileAsking) => Promise<T>,
  ): Promise<T>;
}

interface Line {
  asking: boolean;
  /** The calls that have not begun. */
  readonly behind: Set<ToolContext['enter']>;
}

export function createCallQueue(): CallQueue {
  const queue = createKeyedQueue();
  const lines = new Map<string, Line>();

  return {
    run({ conversationId, enter, signal }, work) {
      const line = lines.get(conversationId) ?? { asking: false, behind: new Set() };
      lines.set(conversationId, line);
      line.behind.add(enter);
      if (line.asking) enter('waiting');
      function setAsking(asking: boolean): void {
        line.asking = asking;
        for (const one of line.behind) one(asking ? 'waiting' : 'running');
      }
      return queue.run(conversationId, () => {
        line.behind.delete(enter);
        const working = work(async (asking) => {
          setAsking(true);
          try {
            return await asking();
          } finally {
            setAsking(false);
          }
        });
        return untilAborted(working, signal);
      });
    },
  };
}
