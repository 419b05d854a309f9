/** Loads conversations from the database into memory, and detects whether another window has changed them. */
import type { Conversation } from '../conversation/conversation.ts';
import type { Revisions } from './conversationRevisions.ts';
import type { Attempt } from './databaseAttempts.ts';
import type { History } from './history.ts';
import { MAX_OPEN, type OpenConversations } from './openConversations.ts';
import type { RemovedConversations } from './removedConversations.ts';
import type { SavedConversations } from './savedConversations.ts';
import type { TurnEnds } from './turnEnds.ts';
import type { TurnLeases } from './turnLeases.ts';
import { unfinishedIds, withFinishedTurns, withRunningTurns } from './unfinished.ts';

export interface LoadedConversations {
  /**
   * A conversation from memory or the database. Turns whose window no longer runs are ended. If another window has changed the
   * conversation, so that it has left the memory, and it can't be read, returns its previous state.
   */
  get(id: string): Conversation | undefined;
  /**
   * Like `get`, but includes everything that another window has written since. Undefined if that window has deleted the
   * conversation, or if it can't be read.
   */
  latest(id: string): Conversation | undefined;
  /** A deleted conversation from the database, without its exchanges. */
  findRemoved(id: string): Conversation | undefined;
  /**
   * Whether the last attempt to read a conversation failed, so that it isn't known whether it exists. False for conversations in
   * memory and for those deleted in this window.
   */
  isUnread(id: string): boolean;
  /** The previous states of conversations that another window has changed and that can't be read. */
  unread(): readonly Conversation[];
  /** Tries again to read conversations that couldn't be read. Returns the IDs of those that can be read now. */
  retryUnread(): readonly string[];
  /** Drops a conversation from memory because another window has changed it. It is read again when it is needed. */
  outdate(id: string): void;
  /**
   * Restores a conversation that was deleted, as it is in the database. The given one is from memory. It is used as long as the
   * database can't be read, and is written if it isn't there.
   */
  takeBack(conversation: Conversation): void;
  /** Whether another window wrote to a conversation in memory. */
  isOutdated(id: string): boolean;
  /** Whether another window deleted a conversation in memory. */
  isRemovedElsewhere(id: string): boolean;
  /** Reads a conversation in memory again, and keeps the turns that run in this window. */
  loadAgain(known: Conversation): Conversation;
}

export interface LoadedConversationsDeps {
  readonly history: Pick<History, 'load' | 'loadAny' | 'removed'> | undefined;
  readonly attempt: Attempt;
  readonly open: OpenConversations;
  readonly removed: RemovedConversations;
  readonly revisions: Revisions;
  readonly leases: TurnLeases;
  readonly ends: Pick<TurnEnds, 'withDue'>;
  readonly saved: SavedConversations;
}

export function createLoadedConversations(deps: LoadedConversationsDeps): LoadedConversations {
  const { open, removed, revisions, leases, ends, saved } = deps;
  const read = (id: string) => deps.attempt('reading a conversation', () => deps.history?.load(id));
  /** The IDs of conversations that couldn't be read at the last attempt. */
  const unread = new Set<string>();
  /** Conversations as they were before another window changed them, until they are read again. */
  const outdated = new Map<string, Conversation>();
  /** Conversations that were deleted and restored, until they are read. */
  const takenBack = new Map<string, Conversation>();

  /** Runs a read. The ID stays in `unread` if the read throws. */
  function noting<Result>(id: string, run: () => Result): Result {
    const wasUnread = unread.delete(id);
    unread.add(id);
    for (const earlier of [...unread].slice(0, -MAX_OPEN)) unread.delete(earlier);
    const result = run();
    if (!wasUnread) unread.delete(id);
    return result;
  }

  const findRemoved = (id: string) =>
    deps.attempt('looking for deleted conversations', () => noting(id, () => deps.history?.removed(id)));

  /** Reads a conversation. If its restoration couldn't be written yet, it is read as if it were restored. */
  const readStored = (id: string) =>
    removed.isUnrestored(id) ? deps.history?.loadAny(id) : deps.history?.load(id);

  /**
   * Writes a restored conversation that isn't in the database, because it was never written or was purged. If another window has
   * deleted it, it is left out.
   */
  function writeTakenBack(id: string): Conversation | undefined {
    const kept = takenBack.get(id);
    if (kept === undefined) return undefined;
    const isRemoved = findRemoved(id) !== undefined;
    if (unread.has(id)) return undefined;
    takenBack.delete(id);
    if (isRemoved) return undefined;
    saved.putWhole(kept);
    return kept;
  }

  function load(id: string): Conversation | undefined {
    const revision = revisions.now(id);
    const found = deps.attempt('reading a conversation', () => {
      const row = noting(id, () => readStored(id));
      unread.delete(id);
      return row;
    });
    if (unread.has(id)) return undefined;
    outdated.delete(id);
    if (found === undefined) return writeTakenBack(id);
    // Turns whose end isn't written yet don't belong to a closed window.
    const stored = ends.withDue(found);
    takenBack.delete(id);
    revisions.note(id, revision);
    const left = unfinishedIds(stored);
    if (left.length === 0 || leases.isRunning(id) || leases.holder(id) !== undefined) return stored;
    const finished = withFinishedTurns(stored, 'window');
    for (const exchangeId of left) saved.save(finished, exchangeId);
    return finished;
  }

  function getNow(id: string): Conversation | undefined {
    const known = open.get(id);
    if (known !== undefined) return known;
    if (removed.get(id) !== undefined) return undefined;
    const loaded = load(id);
    if (loaded !== undefined) saved.keep(loaded);
    return loaded;
  }

  const asBefore = () => new Map([...outdated, ...takenBack]);

  const get = (id: string): Conversation | undefined =>
    getNow(id) ?? (removed.get(id) === undefined ? asBefore().get(id) : undefined);

  function loadAgain(known: Conversation): Conversation {
    const revision = revisions.now(known.id);
    const stored = read(known.id);
    if (stored === undefined) return known;
    const merged = withRunningTurns(ends.withDue(stored), known);
    revisions.note(known.id, revision);
    saved.keep(merged);
    return merged;
  }

  const isUnread = (id: string) => unread.has(id) && !open.has(id) && removed.get(id) === undefined;

  const isOutdated = (id: string) => !saved.isUnsaved(id) && revisions.isOutdated(id);

  const isRemovedElsewhere = (id: string) =>
    revisions.has(id) &&
    !removed.isUnrestored(id) &&
    revisions.now(id) === undefined &&
    findRemoved(id) !== undefined;

  return {
    get,
    latest(id) {
      const known = open.get(id);
      if (known === undefined) return getNow(id);
      if (isRemovedElsewhere(id)) return undefined;
      return isOutdated(id) ? loadAgain(known) : known;
    },
    findRemoved,
    isUnread,
    unread: () => [...asBefore().values()].filter(({ id }) => isUnread(id)),
    retryUnread() {
      for (const id of unread) if (!isUnread(id)) unread.delete(id);
      return [...unread].filter((id) => {
        if (getNow(id) === undefined) findRemoved(id);
        return !unread.has(id);
      });
    },
    outdate(id) {
      const known = open.get(id);
      if (known !== undefined) outdated.set(id, known);
      for (const earlier of [...outdated.keys()].slice(0, -MAX_OPEN)) outdated.delete(earlier);
      open.delete(id);
      revisions.forget(id);
    },
    takeBack(conversation) {
      takenBack.set(conversation.id, conversation);
      getNow(conversation.id);
    },
    isOutdated,
    isRemovedElsewhere,
    loadAgain,
  };
}
