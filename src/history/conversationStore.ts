/**
 * All conversations: the open ones in memory, the others in the database. Without a database, conversations are lost
 * when the window closes.
 */
import { withTurn } from '../chat/edits.ts';
import type { Conversation, Turn } from '../chat/turn.ts';
import type { Unsent } from '../chat/unsent.ts';
import type { Prices } from '../service/limits.ts';
import type { Summary } from './conversationRows.ts';
import type { History } from './history.ts';
import { type ImportOptions, idsOf, isSameExport, toImportedCopy } from './importedCopy.ts';
import type { Holder } from './leaseRows.ts';
import { createPendingStore, type Pending } from './pendingStore.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { type StorageTrouble, toStorageTrouble } from './sqlite.ts';
import { createTurnEnds } from './turnEnds.ts';
import { unfinishedIds, withFinishedTurns, withRunningTurns } from './unfinished.ts';
import { createUnsentStore } from './unsentStore.ts';

export interface ConversationStore extends Pending {
  /** Newest first, without conversations that have neither a question nor anything unsent. */
  list(): readonly Summary[];
  get(id: string): Conversation | undefined;
  /**
   * Like `get`, with what another window has written since, so that a change doesn't undo it. A turn that runs here is
   * as it is here. Undefined when another window has deleted the conversation.
   */
  latest(id: string): Conversation | undefined;
  /** The conversations in memory. */
  open(): readonly Conversation[];
  /**
   * Adds a conversation, or replaces it with a change of the `latest`. `exchangeId` is the exchange that changed, when
   * it is only one.
   */
  put(conversation: Conversation, exchangeId?: string): void;
  /** Like `put`, while text of a running turn arrives. */
  progress(conversation: Conversation, turn: Turn): void;
  /** Adds a copy of another conversation. Its cost is not counted again. */
  putCopy(conversation: Conversation): void;
  /**
   * Adds an imported conversation. One that is the same already is not added. It becomes a copy with new ids when any of
   * its ids is known, also of what is deleted: an import never changes what is there.
   */
  putImported(
    conversation: Conversation,
    options: ImportOptions,
  ): { readonly id: string; readonly isNew: boolean };
  remove(id: string): void;
  /** Undoes `remove`, or the deletion in another window. Has no effect on a conversation that is not deleted. */
  restore(id: string): void;
  /** A deleted conversation that can be restored, without its exchanges. */
  removed(id: string): Conversation | undefined;
  /** Acquires the lease of a conversation, so that a turn can run in it. Returns the other holder if that fails. */
  take(id: string): Holder | undefined;
  /** Renews the lease after a wait. Returns the other holder if that fails. */
  renew(id: string): Holder | undefined;
  release(id: string): void;
  /** The other window in which a turn of the conversation runs. */
  holder(id: string): Holder | undefined;
  /** What is not sent yet, besides the text of the draft. Deleted conversations keep it. */
  unsent(id: string): Unsent;
  /** Keeps the parts that are given. */
  putUnsent(id: string, parts: Partial<Unsent>): void;
  /** Keeps the end of a turn whose conversation was deleted while it ran, and its cost. */
  putEnd(conversationId: string, exchangeId: string, turn: Turn): void;
  /** Records the cost of a turn that is not part of any conversation. */
  putSpend(conversationId: string, turn: Turn): void;
  /** USD since a time in epoch milliseconds, over all conversations. */
  costSince(time: number): number;
  /**
   * Checks whether another window wrote to the database. `changed` has the ids of the open conversations it changed,
   * deleted, or restored, `removed` those that it deleted. `lost` has those with a turn of this window in which another
   * one has the lease now, because this one couldn't write.
   */
  poll(): {
    readonly listed: boolean;
    readonly changed: readonly string[];
    readonly removed: readonly string[];
    readonly lost: readonly string[];
  };
  trouble(): StorageTrouble | undefined;
  /** Writes pending changes and releases all leases. The next window shows running turns as interrupted. */
  dispose(): void;
}

export interface ConversationStoreDeps {
  readonly history: History | undefined;
  prices(): Prices;
  /** Called when a write fails, which is then retried; called with undefined when writing works again. */
  onTrouble(trouble: StorageTrouble | undefined, error?: unknown): void;
  /** An operation of the database failed and is not retried. Called once for each error until writing works again. */
  onFailure(what: string, error: unknown): void;
}

/** A deleted conversation, and whether the database says so as well. */
interface Removed {
  readonly conversation: Conversation;
  readonly written: boolean;
}

/** Whether a window changed the title or the pin. */
interface HeaderChange {
  readonly renamed: boolean;
  readonly pinned: boolean;
}

/** Number of conversations that are kept in memory, and of deleted ones. */
const MAX_OPEN = 20;

export function createConversationStore(deps: ConversationStoreDeps): ConversationStore {
  const { history } = deps;
  /** Ordered by last use, the latest last. */
  const memory = new Map<string, Conversation>();
  const removed = new Map<string, Removed>();
  const revisions = new Map<string, number | undefined>();
  const running = new Set<string>();
  /** Restored conversations that the database still has as deleted. */
  const unrestored = new Set<string>();
  /** What this window changed in headers that it couldn't write yet. */
  const ownHeaders = new Map<string, HeaderChange>();
  /** Conversations with a turn of this window whose lease may not be in the database. */
  const unleased = new Set<string>();
  /** Conversations that were not read again when another window wrote, because they were not saved here. */
  const overlooked = new Set<string>();
  /** Failures that were already reported. */
  const reported = new Set<string>();
  const recorder: Recorder | undefined =
    history &&
    createRecorder({
      history,
      prices: deps.prices,
      get: (id) => toWrite(id),
      onSaved: (id) => void ownHeaders.delete(id),
      onTrouble(trouble, error) {
        if (trouble === undefined) {
          reported.clear();
          writeDue();
        }
        deps.onTrouble(trouble, error);
      },
    });
  let listed: readonly Summary[] | undefined;
  let version = history?.version();

  function keep(conversation: Conversation): void {
    memory.delete(conversation.id);
    memory.set(conversation.id, conversation);
    if (memory.size <= MAX_OPEN || history === undefined || recorder?.trouble() !== undefined) return;
    for (const [id, other] of memory) {
      if (memory.size <= MAX_OPEN) break;
      if (!running.has(id) && other.exchanges.length > 0 && recorder?.isUnsaved(id) !== true)
        memory.delete(id);
    }
  }

  function save(conversation: Conversation, exchangeId: string | undefined): void {
    const { id } = conversation;
    // What another window wrote during a reservation isn't in memory yet, and must still be found.
    const isCurrent = !revisions.has(id) || revisionOf(id) === revisions.get(id);
    recorder?.save(conversation, exchangeId);
    if (isCurrent) revisions.set(id, revisionOf(id));
    if (recorder?.trouble() === undefined) writeDue();
    listed = undefined;
  }

  /** Runs an operation of the database. An error is reported once, and the window continues with what is in memory. */
  function attempt<Result>(what: string, run: () => Result): Result | undefined {
    try {
      return run();
    } catch (error) {
      const kind = `${what}: ${toStorageTrouble(error)}`;
      if (!reported.has(kind)) deps.onFailure(what, error);
      reported.add(kind);
      return undefined;
    }
  }

  const ends = createTurnEnds({ history, prices: deps.prices, attempt });

  /** Writes what could not be written before. */
  function writeDue(): void {
    ends.write();
    for (const id of unrestored) {
      const written = attempt('restoring a conversation', () => history?.restore(id) ?? true);
      if (written === true) unrestored.delete(id);
    }
    for (const [id, one] of removed) if (!one.written) removed.set(id, { ...one, written: writeRemoval(id) });
    forgetEarlier();
  }

  /** The conversations that were deleted long ago are in the database, so that they can still be restored. */
  function forgetEarlier(): void {
    if (history === undefined) return;
    for (const [id, { written }] of [...removed].slice(0, -MAX_OPEN))
      if (written && recorder?.isUnsaved(id) !== true) removed.delete(id);
  }

  /** What is not saved of a deleted conversation is saved first, and its row is then deleted. */
  function writeRemoval(id: string): boolean {
    if (recorder?.isUnsaved(id) === true) return false;
    return attempt('deleting a conversation', () => history?.remove(id) ?? true) === true;
  }

  const revisionOf = (id: string) =>
    attempt('looking for changes of other windows', () => history?.revision(id));

  function load(id: string): Conversation | undefined {
    const stored = attempt('reading a conversation', () => history?.load(id));
    if (stored === undefined) return undefined;
    revisions.set(id, revisionOf(id));
    const left = unfinishedIds(stored);
    if (left.length === 0 || running.has(id) || holderOf(id) !== undefined) return stored;
    const finished = withFinishedTurns(stored, 'window');
    for (const exchangeId of left) save(finished, exchangeId);
    return finished;
  }

  /** Notes what this window changes, until it is written. */
  function noteHeader(changed: Conversation): void {
    const before = memory.get(changed.id);
    const now = toHeaderChange(before, changed);
    const own = ownHeaders.get(changed.id);
    ownHeaders.set(changed.id, {
      renamed: now.renamed || own?.renamed === true,
      pinned: now.pinned || own?.pinned === true,
    });
  }

  /** A conversation that couldn't be written before, with what another window has given its header since. */
  function toWrite(id: string): Conversation | undefined {
    const kept = memory.get(id) ?? removed.get(id)?.conversation;
    const stored = kept && attempt('reading a conversation', () => history?.load(id));
    if (kept === undefined || stored === undefined) return kept;
    const merged = withHeader(kept, stored, ownHeaders.get(id) ?? { renamed: false, pinned: false });
    if (memory.has(id)) memory.set(id, merged);
    return merged;
  }

  /** A conversation as another window has left it, with the turns that run here. */
  function loadAgain(known: Conversation): Conversation {
    const stored = attempt('reading a conversation', () => history?.load(known.id));
    if (stored === undefined) return known;
    const merged = withRunningTurns(stored, known);
    revisions.set(known.id, revisionOf(known.id));
    keep(merged);
    return merged;
  }

  /** Whether another window wrote to a conversation in memory. */
  function isOutdated(id: string): boolean {
    if (!revisions.has(id) || recorder?.isUnsaved(id) === true) return false;
    const revision = revisionOf(id);
    return revision !== undefined && revision !== revisions.get(id);
  }

  /** The conversations in memory, also the deleted ones. */
  const allInMemory = (): readonly Conversation[] => [
    ...memory.values(),
    ...[...removed.values()].map(({ conversation }) => conversation),
  ];

  /** Whether an id of a conversation, an exchange, or a turn is in use. */
  function isKnown(ids: readonly string[]): boolean {
    const used = new Set(allInMemory().flatMap(idsOf));
    if (ids.some((id) => used.has(id))) return true;
    // Without an answer of the database, new ids are safe.
    return attempt('looking for known conversations', () => history?.isKnown(ids) ?? false) ?? true;
  }

  function putCopy(conversation: Conversation): void {
    ends.addCopy(conversation);
    keep(conversation);
    recorder?.saveCopy(conversation);
    revisions.set(conversation.id, revisionOf(conversation.id));
    listed = undefined;
  }

  /** Writes all open conversations, after another window replaced the database. */
  function saveOpen(): void {
    for (const conversation of memory.values()) {
      if (conversation.exchanges.length === 0) continue;
      recorder?.saveWhole(conversation);
      revisions.set(conversation.id, revisionOf(conversation.id));
    }
  }

  /** Acquires the lease. Returns the other holder if that fails. */
  function lease(id: string): Holder | undefined {
    const taken = attempt('taking a conversation', () => history?.take(id) ?? true);
    if (taken === false) return holderOf(id) ?? { conversationId: id, place: '' };
    if (taken === true) return undefined;
    // On a full disk a lease can't be written, but that of another window can still be read.
    const holder = holderOf(id);
    if (holder === undefined) unleased.add(id);
    return holder;
  }

  /**
   * Acquires the leases that could not be written or renewed. Returns the conversations in which another window was
   * faster.
   */
  function leaseDue(): readonly string[] {
    // A lease that isn't renewed runs out.
    if (recorder?.trouble() !== undefined) for (const id of running) unleased.add(id);
    const lost: string[] = [];
    for (const id of unleased) {
      const taken = running.has(id) ? attempt('taking a conversation', () => history?.take(id)) : true;
      if (taken === undefined) continue;
      unleased.delete(id);
      if (!taken) lost.push(id);
    }
    return lost;
  }

  const isUnsaved = (id: string) => recorder?.isUnsaved(id) === true;

  const holderOf = (id: string) =>
    attempt('looking for the window of a conversation', () => history?.holder(id));

  /** A conversation without a question has no row until something of it has to be kept. */
  function addRow(id: string): void {
    const conversation = memory.get(id);
    if (history === undefined || conversation === undefined || conversation.exchanges.length > 0) return;
    // It is in the list as long as something of it is kept.
    listed = undefined;
    // Another window may have added it, and asked in it.
    if (history.isKnown([id])) return;
    history.putHeader(conversation);
    revisions.set(id, revisionOf(id));
  }

  const {
    refresh,
    rewrite,
    writeDue: writePending,
    ...pending
  } = createPendingStore({ history, attempt, addRow });
  const attached = createUnsentStore({ history, attempt, addRow });

  /** Keeps a deleted conversation for `restore`. */
  function forget(id: string, written: boolean): void {
    const conversation = memory.get(id);
    if (conversation !== undefined) {
      removed.set(id, { conversation, written });
      forgetEarlier();
    }
    memory.delete(id);
    revisions.delete(id);
    recorder?.forget(id);
  }

  /** Whether another window deleted an open conversation. */
  const isRemovedElsewhere = (id: string): boolean =>
    revisions.has(id) &&
    !unrestored.has(id) &&
    revisionOf(id) === undefined &&
    attempt('looking for deleted conversations', () => history?.removed(id)) !== undefined;

  /** Open conversations that another window deleted, also those in which a turn runs. */
  function forgetRemoved(): readonly string[] {
    const found = [...memory.keys()].filter(isRemovedElsewhere);
    for (const id of found) forget(id, true);
    return found;
  }

  /** Open conversations with a turn of another window that no longer runs. Reading them again ends the turn. */
  function forgetAbandoned(): readonly string[] {
    const found = [...memory.values()].filter(
      (one) =>
        history !== undefined &&
        !running.has(one.id) &&
        unfinishedIds(one).length > 0 &&
        recorder?.isUnsaved(one.id) !== true &&
        holderOf(one.id) === undefined,
    );
    for (const { id } of found) {
      memory.delete(id);
      revisions.delete(id);
    }
    return found.map(({ id }) => id);
  }

  /** Conversations that another window restored. */
  function forgetRestored(): readonly string[] {
    const found = [...removed].flatMap(([id, { written }]) =>
      written && revisionOf(id) !== undefined ? [id] : [],
    );
    for (const id of found) removed.delete(id);
    return found;
  }

  function get(id: string): Conversation | undefined {
    const known = memory.get(id);
    if (known !== undefined) return known;
    if (removed.has(id)) return undefined;
    const loaded = load(id);
    if (loaded !== undefined) keep(loaded);
    return loaded;
  }

  return {
    list() {
      listed ??= attempt('listing the conversations', () => history?.list()) ?? [];
      const known = new Set(listed.map(({ id }) => id));
      const unsaved = [...memory.values()].filter(
        ({ id, exchanges }) => exchanges.length > 0 && !known.has(id),
      );
      return unsaved.length === 0
        ? listed
        : [...unsaved.map(toSummary), ...listed].toSorted((a, b) => b.changedAt - a.changedAt);
    },
    get,
    latest(id) {
      const known = memory.get(id);
      if (known === undefined) return get(id);
      if (isRemovedElsewhere(id)) return undefined;
      return isOutdated(id) ? loadAgain(known) : known;
    },
    open: () => [...memory.values()],
    put(conversation, exchangeId) {
      noteHeader(conversation);
      keep(conversation);
      if (conversation.exchanges.length > 0) save(conversation, exchangeId);
    },
    progress(conversation, turn) {
      memory.set(conversation.id, conversation);
      recorder?.progress(conversation.id, turn);
    },
    putCopy,
    putImported(conversation, options) {
      const known = get(conversation.id);
      if (known !== undefined && isSameExport(known, conversation)) return { id: known.id, isNew: false };
      const finished = withFinishedTurns(conversation, 'window');
      const ids = idsOf(finished);
      const isFree = new Set(ids).size === ids.length && !isKnown(ids);
      const imported = isFree ? finished : toImportedCopy(finished, options);
      putCopy(imported);
      return { id: imported.id, isNew: true };
    },
    remove(id) {
      unrestored.delete(id);
      forget(id, writeRemoval(id));
      listed = undefined;
    },
    restore(id) {
      const kept = removed.get(id)?.conversation;
      removed.delete(id);
      unrestored.add(id);
      writeDue();
      listed = undefined;
      if (kept === undefined || memory.has(id)) return;
      // The database may have more, if another window restored it before. What it doesn't have is in memory.
      const isSaved = recorder?.trouble() === undefined && recorder?.isUnsaved(id) !== true;
      if (isSaved && revisionOf(id) !== undefined) return;
      // Deleting a conversation stops its turn.
      const back = running.has(id) ? kept : withFinishedTurns(kept, 'service');
      keep(back);
      if (back.exchanges.length > 0) recorder?.saveWhole(back);
    },
    removed(id) {
      if (memory.has(id)) return undefined;
      const kept = removed.get(id)?.conversation;
      if (kept !== undefined) return { ...kept, exchanges: [], branches: [] };
      return attempt('looking for deleted conversations', () => history?.removed(id));
    },
    renew: lease,
    take(id) {
      const holder = lease(id);
      if (holder !== undefined) return holder;
      running.add(id);
      return undefined;
    },
    release(id) {
      running.delete(id);
      unleased.delete(id);
      attempt('releasing a conversation', () => history?.release(id));
    },
    holder: holderOf,
    ...pending,
    unsent: attached.unsent,
    putUnsent: attached.putUnsent,
    putEnd(conversationId, exchangeId, turn) {
      recorder?.drop(turn.id);
      const open = memory.get(conversationId);
      if (open !== undefined) memory.set(conversationId, withTurn(open, exchangeId, turn));
      const kept = removed.get(conversationId);
      if (kept !== undefined)
        removed.set(conversationId, { ...kept, conversation: withTurn(kept.conversation, exchangeId, turn) });
      // What is not saved of the conversation is saved with its end.
      const isKept = history === undefined || recorder?.isUnsaved(conversationId) === true;
      if (kept !== undefined && isKept) return;
      ends.put(conversationId, exchangeId, turn);
    },
    putSpend: ends.putSpend,
    // Deleted conversations count too.
    costSince: (time) => ends.costSince(time, allInMemory),
    poll() {
      const now = attempt('looking for changes of other windows', () => history?.version());
      // Later it could replace what another window has written since.
      writePending();
      attached.writeDue();
      const lost = leaseDue();
      const left = forgetAbandoned();
      const isQuiet = now === version && [...overlooked].every(isUnsaved);
      if (isQuiet) return { listed: left.length > 0, changed: left, removed: [], lost };
      const replaced = now?.split('/')[0] !== version?.split('/')[0];
      version = now;
      listed = undefined;
      if (replaced) saveOpen();
      if (replaced) attached.rewrite();
      if (replaced) rewrite();
      else refresh();
      const gone = forgetRemoved();
      const back = forgetRestored();
      writeDue();
      overlooked.clear();
      for (const id of memory.keys()) if (isUnsaved(id)) overlooked.add(id);
      const changed = [...memory.values()].filter(({ id }) => isOutdated(id));
      for (const one of changed) {
        if (running.has(one.id)) loadAgain(one);
        else {
          memory.delete(one.id);
          revisions.delete(one.id);
        }
      }
      return {
        listed: true,
        changed: [...left, ...changed.map(({ id }) => id), ...gone, ...back],
        removed: gone,
        lost,
      };
    },
    trouble: () => recorder?.trouble(),
    dispose() {
      recorder?.dispose();
      refresh();
      attached.writeDue();
      writeDue();
      for (const id of running) attempt('releasing a conversation', () => history?.release(id));
      attempt('closing the store', () => history?.close());
    },
  };
}

/** What a change does to a header. A new one is no change: where it is stored, another window can have changed it. */
function toHeaderChange(before: Conversation | undefined, after: Conversation): HeaderChange {
  return {
    renamed: before !== undefined && (after.title !== before.title || after.named !== before.named),
    pinned: before !== undefined && after.pinned !== before.pinned,
  };
}

/** A conversation with the stored title and pin, where it didn't change them itself. */
function withHeader(changed: Conversation, stored: Conversation, own: HeaderChange): Conversation {
  const { title, named } = own.renamed ? changed : stored;
  const { pinned } = own.pinned ? changed : stored;
  return { ...changed, title, named, pinned };
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
