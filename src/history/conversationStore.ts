/**
 * Stores all conversations: the open ones in memory, the others in the database. Without a database, conversations are lost when the
 * window closes. There is a file for each task: what is in memory (`openConversations.ts`), written (`savedConversations.ts`), read
 * (`loadedConversations.ts`), deleted (`removedConversations.ts`), and done by other windows (`otherWindows.ts`, `turnLeases.ts`).
 */

import { type Conversation, withTurn } from '../conversation/conversation.ts';
import type { Turn } from '../conversation/turn.ts';
import type { Choices, Unsent } from '../conversation/unsent.ts';
import { endAbandonedTurns, turnsElsewhere } from './abandonedTurns.ts';
import { createImports, putCopy } from './addedCopies.ts';
import type { ImportOptions } from './importedCopy.ts';
import type { Holder } from './leaseRows.ts';
import type { Summary } from './listedRows.ts';
import type { Changes } from './otherWindows.ts';
import type { Pending } from './pendingStore.ts';
import type { DeletedConversation } from './removedRows.ts';
import type { StorageTrouble } from './sqlite.ts';
import { allInMemory, type ConversationStoreDeps, createParts, type StoreParts } from './storeParts.ts';
import { withFinishedTurns } from './unfinished.ts';
import { isBegun } from './unsentParts.ts';

export interface ConversationStore extends Pending {
  /** Newest first, without conversations that have no question, nothing unsent, no title of the user, and no pin. */
  list(): readonly Summary[];
  /** A conversation. If another window has changed it and it can't be read, returns its previous state. */
  get(id: string): Conversation | undefined;
  /**
   * Whether the last attempt to read or find a conversation failed. `poll` tries again, and returns the conversation with those that
   * changed.
   */
  isUnread(id: string): boolean;
  /** The conversations for which `get` returns the previous state. */
  unread(): readonly Conversation[];
  /**
   * Like `get`, but includes everything that other windows have written since, so that a change doesn't undo it. A turn that runs in
   * this window is as this window has it. Undefined if another window has deleted the conversation, or if it can't be read.
   */
  latest(id: string): Conversation | undefined;
  /** A number that changes whenever a window writes the conversation; undefined if the conversation isn't in the database. */
  revision(id: string): number | undefined;
  /** The conversations in memory. */
  open(): readonly Conversation[];
  /** Sets a function that says which conversations are shown in chats. These stay in memory. */
  useShown(isShown: (id: string) => boolean): void;
  /**
   * Adds a conversation, or replaces it with a change of the `latest`. `exchangeId` is the exchange that changed, when
   * it is only one.
   */
  put(conversation: Conversation, exchangeId?: string): void;
  /** Like `put`, while text of a running turn arrives. */
  progress(conversation: Conversation, turn: Turn): void;
  /** Adds a copy of another conversation. Its cost is not counted again. */
  putCopy(conversation: Conversation): void;
  /** The IDs of turns that were copied into a conversation. They don't count for its cost. */
  copies(id: string): ReadonlySet<string>;
  /**
   * Adds an imported conversation, unless an equal conversation or copy already exists. If any of its IDs is known, also from a
   * deleted conversation, it becomes a copy with new IDs: an import never changes existing conversations.
   */
  putImported(
    conversation: Conversation,
    options: ImportOptions,
  ): { readonly id: string; readonly isNew: boolean };
  /** @param named false if the title is no reason to list the conversation among those that can be restored */
  remove(id: string, named?: boolean): void;
  /** Undoes `remove`, also in another window. Has no effect on a conversation that isn't deleted. */
  restore(id: string): void;
  /** A deleted conversation that can be restored, without its exchanges. */
  removed(id: string): Conversation | undefined;
  /** The deleted conversations that can be restored. The one that was deleted last comes first. */
  listRemoved(): readonly DeletedConversation[];
  /** Acquires the lease of a conversation, so that a turn can run in it. Returns the other holder if that fails. */
  take(id: string): Holder | undefined;
  /** Renews the lease after a wait. Returns the other holder if this fails. */
  renew(id: string): Holder | undefined;
  release(id: string): void;
  /** The other window in which a turn of the conversation runs. */
  holder(id: string): Holder | undefined;
  /** The unsent parts besides the text of the draft. Deleted conversations keep them. */
  unsent(id: string): Unsent;
  /**
   * Whether the last attempt to read the unsent parts failed. `poll` tries again, and returns the conversation with those that
   * changed.
   */
  isUnsentUnread(id: string): boolean;
  /** The latest choices for the next messages, made in this window or another. */
  choices(id: string): Choices;
  /** Stores the given parts; the others stay unchanged. */
  putUnsent(id: string, parts: Partial<Unsent>): void;
  /** Stores the end of a turn, and its cost, if the conversation was deleted while the turn was running. */
  putEnd(conversationId: string, exchangeId: string, turn: Turn): void;
  /** Records the cost of a turn that is not part of any conversation. */
  putSpend(conversationId: string, turn: Turn): void;
  /**
   * Stores the assumed cost of a turn without a conversation, in case this window is killed while the turn runs. `assumed` is the
   * turn as it would have ended.
   */
  beginSpend(conversationId: string, assumed: Turn): void;
  /** Ends the turns of windows that no longer run, so that their cost is counted. */
  endAbandoned(): void;
  /** The cost of all conversations since a time in epoch milliseconds, in USD. Includes turns that run in other windows. */
  costSince(time: number): number;
  /** The part of `costSince` that is estimated, because the service didn't report usage. */
  estimatedSince(time: number): number;
  /** Checks whether another window has written to the database, and updates what is in memory. */
  poll(): Changes;
  /** The reason why something couldn't be written yet. */
  trouble(): StorageTrouble | undefined;
  /** Whether a part of a conversation couldn't be written yet. Unsent parts don't count. */
  isUnsaved(id: string): boolean;
  /** Whether unsent text couldn't be written, which exports don't include. */
  hasUnsavedText(): boolean;
  /** Writes pending changes and releases all leases. The next window shows running turns as interrupted. */
  dispose(): void;
}

export function createConversationStore(deps: ConversationStoreDeps): ConversationStore {
  const parts = createParts(deps);
  const { history, attempt, open, removed, leases, listed, saved, loaded, ends, pending, attached } = parts;
  const inMemory = {
    all: () => allInMemory(parts),
    unsaved: () => allInMemory(parts).filter(({ id }) => saved.isUnsaved(id)),
    runningElsewhere: () => turnsElsewhere(parts),
  };
  const unsentParts = { draft: pending.draft, queue: pending.queue, unsent: attached.unsent };
  const isOpen = () => history?.isOpen() !== false;
  const putImported = createImports(parts);
  return {
    list: () => listed.list(open.all(), (one) => isBegun(unsentParts, one), removed.isUndeleted),
    get: loaded.get,
    ...{ isUnread: loaded.isUnread, unread: loaded.unread, latest: loaded.latest },
    revision: parts.revisions.now,
    ...{ open: open.all, useShown: open.useShown },
    ...{ put: saved.put, progress: saved.progress },
    putCopy: (conversation) => putCopy(parts, conversation),
    ...{ putImported, copies: ends.copies },
    remove(id, named = true) {
      const known = loaded.get(id);
      removed.remove(id, known && { ...known, named: known.named && named }, named);
      saved.forget(id);
      listed.refresh();
    },
    restore: (id) => restore(parts, id),
    removed(id) {
      if (open.has(id)) return undefined;
      const kept = removed.get(id);
      return kept === undefined ? loaded.findRemoved(id) : { ...kept, exchanges: [], branches: [] };
    },
    listRemoved: () => removed.list((one) => isBegun(unsentParts, one)),
    ...{ take: leases.take, renew: leases.renew, release: leases.release, holder: leases.holder },
    draft: pending.draft,
    putDraft: pending.putDraft,
    queue: pending.queue,
    enqueue: pending.enqueue,
    dequeue: pending.dequeue,
    clearQueue: pending.clearQueue,
    ...{ unsent: attached.unsent, isUnsentUnread: attached.isUnsentUnread },
    choices: attached.choices,
    putUnsent: attached.putUnsent,
    putEnd: (conversationId, exchangeId, turn) => putEnd(parts, conversationId, exchangeId, turn),
    putSpend: ends.putSpend,
    beginSpend: ends.beginSpend,
    endAbandoned: () => endAbandonedTurns(parts),
    // Deleted conversations count too.
    costSince(time) {
      endAbandonedTurns(parts);
      return ends.costSince(time, inMemory);
    },
    estimatedSince(time) {
      endAbandonedTurns(parts);
      return ends.estimatedSince(time, inMemory);
    },
    ...{ poll: parts.poll, trouble: parts.trouble },
    ...{ isUnsaved: saved.isUnsaved, hasUnsavedText: parts.hasUnsavedText },
    dispose() {
      // The database was locked, and may be available by now.
      if (!isOpen()) attempt('opening the database', () => history?.version());
      saved.dispose();
      pending.refresh();
      attached.writeDue();
      attached.release();
      parts.writeDue();
      leases.releaseAll();
      attempt('closing the store', () => history?.close());
    },
  };
}

function restore(parts: StoreParts, id: string): void {
  const { history, open, removed, leases, saved, loaded } = parts;
  const kept = removed.restore(id);
  parts.writeDue();
  parts.listed.refresh();
  if (kept === undefined || open.has(id)) return;
  // Deleting a conversation stops its turn.
  const ended = leases.isRunning(id) ? kept : withFinishedTurns(kept, 'service');
  // If the database lacks parts of the conversation, they are in memory. Otherwise the database may have more, written by another
  // window.
  if (saved.isUnsaved(id) || history?.isOpen() === false) saved.putWhole(ended);
  else loaded.takeBack(ended);
}

function putEnd(parts: StoreParts, conversationId: string, exchangeId: string, turn: Turn): void {
  const { history, open, removed, saved, ends } = parts;
  saved.drop(turn.id);
  const known = open.get(conversationId);
  if (known !== undefined) open.set(withTurn(known, exchangeId, turn));
  const kept = removed.get(conversationId);
  if (kept !== undefined) removed.set(withTurn(kept, exchangeId, turn));
  // The unsaved parts of the conversation are saved together with the end of the turn.
  const isKept = history === undefined || saved.isUnsaved(conversationId);
  if (kept !== undefined && isKept) return;
  ends.put(conversationId, exchangeId, turn);
}
