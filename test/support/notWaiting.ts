/** For parts that read files for a message, when nobody stops that. */
import type { WaitingMessages } from '../../src/editor/chatView/waitingMessages.ts';

export const NOT_WAITING: Pick<WaitingMessages, 'until'> = {
  until: (_, work) => work(new AbortController().signal),
};
