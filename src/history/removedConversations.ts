/** Holds deleted conversations that this window can restore, and writes deletions and restorations, also later if that fails. */
import { allExchanges } from '../conversation/allExchanges.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { Attempt } from './databaseAttempts.ts';
import type { History } from './history.ts';
import { MAX_OPEN } from './openConversations.ts';
import type { DeletedConversation } from './removedRows.ts';
import type { UnwrittenParts } from './unwrittenParts.ts';

export interface RemovedConversations {
  all(): readonly Conversation[];
  get(id: string): Conversation | undefined;
  /**
   * The conversations that can be restored, including deletions that aren't written yet. The latest deletion comes first.
   *
   * @param isListed whether a conversation in memory has any content
   */
  list(isListed: (conversation: Conversation) => boolean): readonly DeletedConversation[];
  /**
   * Deletes a conversation. If the deletion can't be written, it is tried again later.
   *
   * @param known the conversation as this window knows it
   * @param named false if the user didn't choose the title
   */
  remove(id: string, known: Conversation | undefined, named: boolean): void;
  /** Keeps a conversation that is already deleted in the database. */
  keep(conversation: Conversation): void;
  /** Replaces a kept conversation. */
  set(conversation: Conversation): void;
  /** Removes a conversation from those that are kept, and returns it. The next `writeDue` restores it in the database. */
  restore(id: string): Conversation | undefined;
  /** Whether a restoration couldn't be written yet. */
  isUnrestored(id: string): boolean;
  /** Drops the conversations that another window has restored, and returns their IDs. */
  dropRestored(isStored: (id: string) => boolean): readonly string[];
  /** Whether a conversation is deleted here, but not yet in the database. */
  isUndeleted(id: string): boolean;
  /** Tries again to write deletions and restorations. Stops at the first one that fails again. Returns whether anything was written. */
  writeDue(): boolean;
}

export interface RemovedConversationsDeps {
  readonly history: Pick<History, 'remove' | 'restore' | 'listRemoved'> | undefined;
  readonly attempt: Attempt;
  readonly unwritten: Pick<UnwrittenParts, 'write' | 'drop'>;
  /** Whether a part of a conversation couldn't be written yet, or its row, which unsent parts need. */
  isUnsaved(id: string): boolean;
}

/** A deleted conversation, and whether it is also deleted in the database. */
interface Removed {
  readonly conversation: Conversation;
  readonly written: boolean;
  /** False if the user didn't choose the title. */
  readonly named: boolean;
  /** When this window learned of it, in epoch milliseconds. */
  readonly at: number;
}

export function createRemovedConversations(deps: RemovedConversationsDeps): RemovedConversations {
  const { history, attempt, unwritten, isUnsaved } = deps;
  const removed = new Map<string, Removed>();
  /** Restored conversations that the database still has as deleted. */
  const unrestored = new Set<string>();

  /** Deletes a conversation in the database. Its unsaved parts have to be saved first. */
  function write(id: string, named: boolean): boolean {
    if (isUnsaved(id)) return false;
    const remove = () => history?.remove(id, named) ?? true;
    return unwritten.write(toPart(id), 'deleting a conversation', remove) === true;
  }

  /** Drops the earliest deleted conversations from memory. They are in the database, so they can still be restored. */
  function forgetEarlier(): void {
    if (history === undefined) return;
    for (const [id, { written }] of [...removed].slice(0, -MAX_OPEN))
      if (written && !isUnsaved(id)) removed.delete(id);
  }

  function keep(conversation: Conversation, written: boolean, named = true): void {
    removed.set(conversation.id, { conversation, written, named, at: Date.now() });
    forgetEarlier();
  }

  return {
    all: () => [...removed.values()].map(({ conversation }) => conversation),
    get: (id) => removed.get(id)?.conversation,
    list(isListed) {
      const stored = attempt('listing the deleted conversations', () => history?.listRemoved());
      // A conversation whose deletion is written but no longer stored was restored by another window.
      const kept = [...removed.values()].filter(({ written }) => stored === undefined || !written);
      const known = new Set(kept.map(({ conversation }) => conversation.id));
      return [
        ...kept.filter(({ conversation }) => isListed(conversation)).map(toDeleted),
        ...(stored ?? []).filter(({ id }) => !known.has(id) && !unrestored.has(id)),
      ].toSorted((one, other) => other.deletedAt - one.deletedAt);
    },
    remove(id, known, named) {
      unrestored.delete(id);
      const written = write(id, named);
      if (known !== undefined) keep(known, written, named);
      // If the conversation isn't known, or is already deleted, the deletion isn't tried again.
      else if (removed.get(id)?.written !== false) unwritten.drop(toPart(id));
    },
    keep: (conversation) => keep(conversation, true),
    set(conversation) {
      const one = removed.get(conversation.id);
      if (one !== undefined) removed.set(conversation.id, { ...one, conversation });
    },
    restore(id) {
      const kept = removed.get(id)?.conversation;
      removed.delete(id);
      unrestored.add(id);
      return kept;
    },
    isUnrestored: (id) => unrestored.has(id),
    dropRestored(isStored) {
      const found = [...removed].flatMap(([id, { written }]) => (written && isStored(id) ? [id] : []));
      for (const id of found) removed.delete(id);
      return found;
    },
    isUndeleted: (id) => removed.get(id)?.written === false,
    writeDue() {
      let count = 0;
      for (const id of unrestored) {
        const restore = () => history?.restore(id) ?? true;
        const written = unwritten.write(toPart(id), 'restoring a conversation', restore);
        if (written !== true) return count > 0;
        unrestored.delete(id);
        count++;
      }
      for (const [id, one] of removed) {
        if (one.written || isUnsaved(id)) continue;
        if (!write(id, one.named)) return count > 0;
        removed.set(id, { ...one, written: true });
        count++;
      }
      forgetEarlier();
      return count > 0;
    },
  };
}

/** The part for the deletion and the restoration of a conversation, so that the later one replaces the other. */
const toPart = (id: string): string => `removed ${id}`;

function toDeleted({ conversation, at }: Removed): DeletedConversation {
  const { id, title, named, workspace } = conversation;
  const questions = new Set(allExchanges(conversation).map((one) => one.id)).size;
  return { id, title, named, workspace, deletedAt: at, questions };
}
