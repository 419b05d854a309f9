/** The list of conversations: what the database has, and what couldn't be written yet. */
import type { Conversation } from '../conversation/conversation.ts';
import type { Attempt } from './databaseAttempts.ts';
import type { History } from './history.ts';
import type { Summary } from './listedRows.ts';

export interface ListedConversations {
  /**
   * Newest first.
   *
   * @param inMemory has the conversations that may not be written
   * @param isBegun whether one in memory is listed: what is in it could not be written, or there is no database
   * @param isLeftOut whether a conversation is deleted, and the database doesn't say so yet
   */
  list(
    inMemory: readonly Conversation[],
    isBegun: (conversation: Conversation) => boolean,
    isLeftOut: (id: string) => boolean,
  ): readonly Summary[];
  /** The database has changed, and is read again when the list is needed. */
  refresh(): void;
  /** Like `refresh`, after a write that nobody waits for: `retry` says that it is another list. */
  refreshLate(): void;
  /** Reads it again if it could not be read when it was needed last. Returns whether it is another list now. */
  retry(): boolean;
}

export function createListedConversations(
  history: Pick<History, 'list'> | undefined,
  attempt: Attempt,
): ListedConversations {
  let listed: readonly Summary[] = [];
  let isDue = true;
  let hasFailed = false;
  let isLate = false;
  function read(): void {
    const found = attempt('listing the conversations', () => history?.list());
    if (found !== undefined) listed = found;
    hasFailed = history !== undefined && found === undefined;
    isDue = hasFailed;
  }
  return {
    list(inMemory, isBegun, isLeftOut) {
      if (isDue) read();
      const known = new Set(listed.map(({ id }) => id));
      const unsaved = inMemory.filter((one) => !known.has(one.id) && isBegun(one));
      const all =
        unsaved.length === 0
          ? listed
          : [...unsaved.map(toSummary), ...listed].toSorted((a, b) => b.changedAt - a.changedAt);
      return all.some(({ id }) => isLeftOut(id)) ? all.filter(({ id }) => !isLeftOut(id)) : all;
    },
    refresh() {
      isDue = true;
    },
    refreshLate() {
      isDue = true;
      isLate = true;
    },
    retry() {
      if (!hasFailed && !isLate) return false;
      isLate = false;
      read();
      return !hasFailed;
    },
  };
}

/** The row of the list for a conversation that is only in memory. */
function toSummary(conversation: Conversation): Summary {
  const turns = conversation.exchanges.flatMap(({ attempts }) => attempts);
  return {
    id: conversation.id,
    changedAt: turns.reduce((latest, { startedAt }) => Math.max(latest, startedAt), conversation.createdAt),
    title: conversation.title,
    pinned: conversation.pinned,
    workspace: conversation.workspace,
    routes: [...new Set(turns.map(({ request }) => request.routeName))],
    cost: 0,
    unreported: 0,
  };
}
