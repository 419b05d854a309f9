/** For processes that act as a window: the database of a folder, and its store. Errors end the process. */
import { type ConversationStore, createConversationStore } from '../../src/history/conversationStore.ts';
import { type History, openHistory } from '../../src/history/history.ts';

/** @param place what other windows call this one. Exits with 3 if the database was set aside or is wrong, 4 if it can't be written, 5 otherwise. */
export function openAsWindow(folder: string, place: string): { history: History; store: ConversationStore } {
  const opened = openHistory({
    folder,
    place,
    onSetAside: () => process.exit(3),
    onWrong: () => process.exit(3),
  });
  if (!opened.ok) throw new Error(opened.message);
  const { history } = opened;
  const store = createConversationStore({
    history,
    prices: () => ({ input: 3, cachedInput: 0.3, output: 15 }),
    onFailure: () => process.exit(5),
    onTrouble: (trouble) => {
      if (trouble !== undefined) process.exit(4);
    },
  });
  return { history, store };
}
