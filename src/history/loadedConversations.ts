/** Conversations on their way from the database to memory, and whether another window has changed them there. */
import type { Conversation } from '../conversation/conversation.ts';
import type { Revisions } from './conversationRevisions.ts';
import type { Attempt } from './databaseAttempts.ts';
import type { History } from './history.ts';
import type { OpenConversations } from './openConversations.ts';
import type { RemovedConversations } from './removedConversations.ts';
import type { SavedConversations } from './savedConversations.ts';
import type { TurnLeases } from './turnLeases.ts';
import { unfinishedIds, withFinishedTurns, withRunningTurns } from './unfinished.ts';

export interface LoadedConversations {
  /** A conversation from memory or the database. Turns whose window no longer runs are ended. */
  get(id: string): Conversation | undefined;
  /** Like `get`, with what another window has written since. Undefined when it has deleted the conversation. */
  latest(id: string): Conversation | undefined;
  /** Whether another window wrote to a conversation in memory. */
  isOutdated(id: string): boolean;
  /** Whether another window deleted a conversation in memory. */
  isRemovedElsewhere(id: string): boolean;
  /** Reads a conversation in memory again, as another window has left it, with the turns that run here. */
  loadAgain(known: Conversation): Conversation;
}

export interface LoadedConversationsDeps {
  readonly history: Pick<History, 'load'> | undefined;
  readonly attempt: Attempt;
  readonly open: OpenConversations;
  readonly removed: RemovedConversations;
  readonly revisions: Revisions;
  readonly leases: TurnLeases;
  readonly saved: SavedConversations;
}

export function createLoadedConversations(deps: LoadedConversationsDeps): LoadedConversations {
  const { open, removed, revisions, leases, saved } = deps;
  const read = (id: string) => deps.attempt('reading a conversation', () => deps.history?.load(id));

  function load(id: string): Conversation | undefined {
    const stored = read(id);
    if (stored === undefined) return undefined;
    revisions.note(id);
    const left = unfinishedIds(stored);
    if (left.length === 0 || leases.isRunning(id) || leases.holder(id) !== undefined) return stored;
    const finished = withFinishedTurns(stored, 'window');
    for (const exchangeId of left) saved.save(finished, exchangeId);
    return finished;
  }

  function get(id: string): Conversation | undefined {
    const known = open.get(id);
    if (known !== undefined) return known;
    if (removed.get(id) !== undefined) return undefined;
    const loaded = load(id);
    if (loaded !== undefined) saved.keep(loaded);
    return loaded;
  }

  function loadAgain(known: Conversation): Conversation {
    const stored = read(known.id);
    if (stored === undefined) return known;
    const merged = withRunningTurns(stored, known);
    revisions.note(known.id);
    saved.keep(merged);
    return merged;
  }

  const isOutdated = (id: string) => !saved.isUnsaved(id) && revisions.isOutdated(id);

  const isRemovedElsewhere = (id: string) =>
    revisions.has(id) &&
    !removed.isUnrestored(id) &&
    revisions.now(id) === undefined &&
    removed.stored(id) !== undefined;

  return {
    get,
    latest(id) {
      const known = open.get(id);
      if (known === undefined) return get(id);
      if (isRemovedElsewhere(id)) return undefined;
      return isOutdated(id) ? loadAgain(known) : known;
    },
    isOutdated,
    isRemovedElsewhere,
    loadAgain,
  };
}
