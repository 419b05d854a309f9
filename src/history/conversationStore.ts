/**
 * All conversations: the open ones in memory, the others in the database. Without a database, conversations are lost
 * when the window closes. Each idea has its own file: what is in memory (`openConversations.ts`), written
 * (`savedConversations.ts`), read (`loadedConversations.ts`), deleted (`removedConversations.ts`), and done by other
 * windows (`otherWindows.ts`, `turnLeases.ts`).
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
  /** When it can't be read, a conversation that another window has changed is given as it was before. */
  get(id: string): Conversation | undefined;
  /**
   * Whether a conversation could not be read or looked for when it was needed last. `poll` tries again, and returns it with
   * those that changed.
   */
  isUnread(id: string): boolean;
  /** The conversations that `get` gives as they were before. */
  unread(): readonly Conversation[];
  /**
   * Like `get`, with what another window has written since, so that a change doesn't undo it. A turn that runs here is
   * as it is here. Undefined when another window has deleted the conversation, or it can't be read.
   */
  latest(id: string): Conversation | undefined;
  /** A number that each window changes when it writes the conversation; undefined where the database doesn't have it. */
  revision(id: string): number | undefined;
  /** The conversations in memory. */
  open(): readonly Conversation[];
  /** Sets which conversations chats show. They stay in memory. */
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
  /** The turns of a conversation that were copied into it, by their ids. They are no part of its cost. */
  copies(id: string): ReadonlySet<string>;
  /**
   * Adds an imported conversation. One that is the same already is not added, nor a second copy that would be the same. It becomes a
   * copy with new ids when any of its ids is known, also of what is deleted: an import never changes what is there.
   */
  putImported(
    conversation: Conversation,
    options: ImportOptions,
  ): { readonly id: string; readonly isNew: boolean };
  /** @param named false if its title is no reason to list it among those that can be restored */
  remove(id: string, named?: boolean): void;
  /** Undoes `remove`, or the deletion in another window. Has no effect on a conversation that is not deleted. */
  restore(id: string): void;
  /** A deleted conversation that can be restored, without its exchanges. */
  removed(id: string): Conversation | undefined;
  /** The deleted conversations that can be restored. The one that was deleted last comes first. */
  listRemoved(): readonly DeletedConversation[];
  /** Acquires the lease of a conversation, so that a turn can run in it. Returns the other holder if that fails. */
  take(id: string): Holder | undefined;
  /** Renews the lease after a wait. Returns the other holder if that fails. */
  renew(id: string): Holder | undefined;
  release(id: string): void;
  /** The other window in which a turn of the conversation runs. */
  holder(id: string): Holder | undefined;
  /** What is not sent yet, besides the text of the draft. Deleted conversations keep it. */
  unsent(id: string): Unsent;
  /** Whether that could not be read when it was needed last. `poll` tries again, and returns the conversation with those that changed. */
  isUnsentUnread(id: string): boolean;
  /** What is chosen for the next messages, as this or another window chose it last. */
  choices(id: string): Choices;
  /** Keeps the parts that are given. */
  putUnsent(id: string, parts: Partial<Unsent>): void;
  /** Keeps the end of a turn whose conversation was deleted while it ran, and its cost. */
  putEnd(conversationId: string, exchangeId: string, turn: Turn): void;
  /** Records the cost of a turn that is not part of any conversation. */
  putSpend(conversationId: string, turn: Turn): void;
  /** Keeps what such a turn costs if this window is killed while it runs. `assumed` is the turn as it would have ended. */
  beginSpend(conversationId: string, assumed: Turn): void;
  /** Ends the turns of windows that no longer run, so that the account has them. */
  endAbandoned(): void;
  /** USD since a time in epoch milliseconds, over all conversations, with the turns that run in other windows. */
  costSince(time: number): number;
  /** The part of it that is estimated, because the service didn't report usage. */
  estimatedSince(time: number): number;
  /** Checks whether another window wrote to the database, and brings what is in memory up to date. */
  poll(): Changes;
  /** Why something could not be written yet. */
  trouble(): StorageTrouble | undefined;
  /** Whether a part of a conversation could not be written yet. What isn't sent is no part of it. */
  isUnsaved(id: string): boolean;
  /** Whether what isn't sent yet could not be written, which no export has. */
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
      // It may be free by now.
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
  // What the database doesn't have is in memory. Otherwise it may have more: what another window has written.
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
  // What is not saved of the conversation is saved with its end.
  const isKept = history === undefined || saved.isUnsaved(conversationId);
  if (kept !== undefined && isKept) return;
  ends.put(conversationId, exchangeId, turn);
}
