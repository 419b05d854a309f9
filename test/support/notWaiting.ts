/** A stub for code that reads files for a message, when the user doesn't stop it. */
import type { WaitingMessages } from '../../src/editor/chatView/waitingMessages.ts';

export const NOT_WAITING: Pick<WaitingMessages, 'until'> = {
  until: (_, work) => work(new AbortController().signal),
};
