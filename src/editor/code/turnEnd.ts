/** The end of a turn that a command waits for. */
import type { Turn } from '../../conversation/turn.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { createRetryLines } from '../wording/retryWords.ts';

/**
 * Resolves with the turn when it has ended, or with undefined when its conversation was deleted.
 *
 * @param onRetry called with the text to show about a retry
 */
export function waitForEnd(
  conversations: Pick<Conversations, 'find' | 'onDidChange'>,
  turnId: string,
  onRetry: (line: string) => void,
): Promise<Turn | undefined> {
  const retryLineOf = createRetryLines();
  return new Promise((resolve) => {
    const check = () => {
      const turn = conversations.find(turnId)?.turn;
      if (turn !== undefined && turn.outcome === undefined) {
        const line = retryLineOf(turn);
        if (line !== undefined) onRetry(line);
        return false;
      }
      resolve(turn);
      return true;
    };
    if (check()) return;
    const listening = conversations.onDidChange(({ type }) => {
      if ((type === 'turn' || type === 'listed') && check()) listening.dispose();
    });
  });
}
