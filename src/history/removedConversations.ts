/** Deleted conversations that this window can restore, and deletions and restorations that could not be written yet. */
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
   * What can be restored, with what could not be written yet. The one that was deleted last comes first.
   *
   * @param isListed whether one in memory has anything in it
   */
  list(isListed: (conversation: Conversation) => boolean): readonly DeletedConversation[];
  /**
   * Deletes a conversation, or keeps that for later.
   *
   * @param known what this window has of it
   * @param named false if its title is not of the user
   */
  remove(id: string, known: Conversation | undefined, named: boolean): void;
  /** Keeps a conversation that is deleted in the database already. */
  keep(conversation: Conversation): void;
  /** Replaces a conversation that is kept. */
  set(conversation: Conversation): void;
  /** Takes a conversation from those that are kept. It is restored with the next `writeDue`. */
  restore(id: string): Conversation | undefined;
  /** Whether a restoration could not be written yet. */
  isUnrestored(id: string): boolean;
  /** Drops the conversations that another window restored, and returns their ids. */
  dropRestored(isStored: (id: string) => boolean): readonly string[];
  /** Whether a conversation is deleted here, and the database doesn't say so yet. */
  isUndeleted(id: string): boolean;
  /** Writes what could not be written before. The first operation that fails again ends it. Returns whether something was written. */
  writeDue(): boolean;
}

export interface RemovedConversationsDeps {
  readonly history: Pick<History, 'remove' | 'restore' | 'listRemoved'> | undefined;
  readonly attempt: Attempt;
  readonly unwritten: Pick<UnwrittenParts, 'write' | 'drop'>;
  /** Whether a part of a conversation could not be written yet, or its row, which what isn't sent needs. */
  isUnsaved(id: string): boolean;
}

/** A deleted conversation, and whether the database says so as well. */
interface Removed {
  readonly conversation: Conversation;
  readonly written: boolean;
  /** False if its title is not of the user. */
  readonly named: boolean;
  /** When this window learned of it, in epoch milliseconds. */
  readonly at: number;
}

export function createRemovedConversations(deps: RemovedConversationsDeps): RemovedConversations {
  const { history, attempt, unwritten, isUnsaved } = deps;
  const removed = new Map<string, Removed>();
  /** Restored conversations that the database still has as deleted. */
  const unrestored = new Set<string>();

  /** What is not saved of a deleted conversation is saved first, and its row is then deleted. */
  function write(id: string, named: boolean): boolean {
    if (isUnsaved(id)) return false;
    const remove = () => history?.remove(id, named) ?? true;
    return unwritten.write(toPart(id), 'deleting a conversation', remove) === true;
  }

  /** The conversations that were deleted long ago are in the database, so that they can still be restored. */
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
      // One that is written and not stored any more was restored by another window.
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
      // Without the conversation, or when it is deleted already, it is not tried again.
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

/** A deletion and its restoration: the last one counts. */
const toPart = (id: string): string => `removed ${id}`;

function toDeleted({ conversation, at }: Removed): DeletedConversation {
  const { id, title, named, workspace } = conversation;
  const questions = new Set(allExchanges(conversation).map((one) => one.id)).size;
  return { id, title, named, workspace, deletedAt: at, questions };
}
