/** Lists conversations: those in the database, and those that couldn't be written yet. */
import type { Conversation } from '../conversation/conversation.ts';
import type { Attempt } from './databaseAttempts.ts';
import type { History } from './history.ts';
import type { Summary } from './listedRows.ts';

export interface ListedConversations {
  /**
   * The conversations, newest first.
   *
   * @param inMemory the conversations in memory, which may not be written yet
   * @param isBegun whether an unsaved conversation in memory is listed
   * @param isLeftOut whether a conversation is deleted, but not yet in the database
   */
  list(
    inMemory: readonly Conversation[],
    isBegun: (conversation: Conversation) => boolean,
    isLeftOut: (id: string) => boolean,
  ): readonly Summary[];
  /** Notes that the database has changed, so that it is read again when the list is needed. */
  refresh(): void;
  /** Like `refresh`, but for a delayed write: the next `retry` reports a changed list. */
  refreshLate(): void;
  /** Reads the list again if the last attempt failed, or after `refreshLate`. Returns whether the list may have changed. */
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

/** The list entry of a conversation that is only in memory. */
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
