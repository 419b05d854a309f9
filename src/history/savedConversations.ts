/** Conversations on their way from memory to the database. What can't be written stays in memory, and is written later. */
import { isDeepStrictEqual } from 'node:util';
import type { Conversation } from '../conversation/conversation.ts';
import type { Turn } from '../conversation/turn.ts';
import type { Prices } from '../service/prices.ts';
import { toLinkedExchanges } from './branches.ts';
import type { Revisions } from './conversationRevisions.ts';
import type { Attempt } from './databaseAttempts.ts';
import { createHeaderChanges } from './headerChanges.ts';
import type { History } from './history.ts';
import type { OpenConversations } from './openConversations.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import type { RemovedConversations } from './removedConversations.ts';
import { type StorageTrouble, toStorageTrouble } from './sqlite.ts';
import type { TurnLeases } from './turnLeases.ts';
import { isSavedWhole } from './unsentParts.ts';

export interface SavedConversations {
  /** Keeps a conversation in memory. Others leave it, when they are written and no turn of them runs. */
  keep(conversation: Conversation): void;
  /**
   * Keeps and writes a conversation, and notes what changed in its header. One without a question is written when it gets a
   * title or a pin.
   */
  put(conversation: Conversation, exchangeId: string | undefined): void;
  /** Writes a conversation that is in memory, or will be. */
  save(conversation: Conversation, exchangeId: string | undefined): void;
  /** Text of a running turn arrived. */
  progress(conversation: Conversation, turn: Turn): void;
  /** Keeps a copy of another conversation, whose cost is already recorded. */
  putCopy(conversation: Conversation): void;
  /** Keeps a conversation and writes all of it, with what another window has given its header. */
  putWhole(conversation: Conversation): void;
  /**
   * Writes the conversations in memory, after another window replaced the database. One that is there with all its turns is read
   * again instead: another window may have more of it.
   */
  saveOpen(): void;
  /** A turn has ended, and needs no more writes. */
  drop(turnId: string): void;
  /** A conversation is deleted: it leaves the memory, after what arrived of its running turns is written. */
  forget(id: string): void;
  /** Whether a part of a conversation could not be written yet. */
  isUnsaved(id: string): boolean;
  /** Why something could not be written yet. */
  trouble(): StorageTrouble | undefined;
  /** Writes everything that is pending now, not only when it is tried again. */
  flush(): void;
  /** Writes everything that is pending. */
  dispose(): void;
}

export interface SavedConversationsDeps {
  readonly history: History | undefined;
  readonly attempt: Attempt;
  readonly open: OpenConversations;
  readonly removed: Pick<RemovedConversations, 'get'>;
  readonly revisions: Revisions;
  readonly leases: Pick<TurnLeases, 'isRunning'>;
  prices(): Prices;
  /** A write failed, or, with undefined, writing works again. */
  onTrouble(trouble: StorageTrouble | undefined, error?: unknown): void;
  /** A conversation was given to the database. */
  onSaved(): void;
}

export function createSavedConversations(deps: SavedConversationsDeps): SavedConversations {
  const { history, open, revisions, leases } = deps;
  const headers = createHeaderChanges();
  const recorder: Recorder | undefined =
    history &&
    createRecorder({
      history,
      around: (id, write) => writeKnowing(history, id, write),
      prices: deps.prices,
      get: (id) => toWrite(id, deps, headers.merge),
      onSaved: headers.forget,
      onTrouble: deps.onTrouble,
    });
  const isUnsaved = (id: string) => recorder?.isUnsaved(id) === true;

  function keep(conversation: Conversation): void {
    open.use(conversation);
    if (history === undefined || recorder?.trouble() !== undefined) return;
    open.trim(({ id, exchanges }) => !leases.isRunning(id) && exchanges.length > 0 && !isUnsaved(id));
  }

  function save(conversation: Conversation, exchangeId: string | undefined): void {
    recorder?.save(conversation, exchangeId);
    deps.onSaved();
  }

  /** Writes, and notes the revision if no other window wrote before: what that has written isn't in memory yet, and must still be found. */
  function writeKnowing(rows: Pick<History, 'together'>, id: string, write: () => void): void {
    let isCurrent = false;
    let revision: number | undefined;
    try {
      // Another window can't write between the comparison and the end.
      rows.together(() => {
        isCurrent = revisions.isCurrent(id);
        write();
        revision = revisions.now(id);
      });
    } catch (error) {
      if (toStorageTrouble(error) === 'busy') throw error;
      // A full disk keeps what it has space for.
      write();
      return;
    }
    if (isCurrent && revision !== undefined) revisions.note(id, revision);
  }

  return {
    keep,
    put(conversation, exchangeId) {
      const hasChanged = headers.note(open.get(conversation.id), conversation);
      keep(conversation);
      if (conversation.exchanges.length === 0 && !hasChanged) return;
      // One that isn't saved isn't read again either, so that it may lack a title that another window has given it.
      const isLate = isUnsaved(conversation.id);
      const merged = isLate ? toWrite(conversation.id, deps, headers.merge) : undefined;
      save(merged ?? conversation, exchangeId);
    },
    save,
    progress(conversation, turn) {
      open.set(conversation);
      recorder?.progress(conversation.id, turn);
    },
    putCopy(conversation) {
      keep(conversation);
      recorder?.saveCopy(conversation);
      revisions.note(conversation.id);
    },
    putWhole(conversation) {
      keep(conversation);
      const { id } = conversation;
      if (isSavedWhole(conversation)) recorder?.saveWhole(toWrite(id, deps, headers.merge) ?? conversation);
    },
    saveOpen() {
      for (const conversation of open.all()) {
        const { id } = conversation;
        if (!isSavedWhole(conversation)) continue;
        const stored = isUnsaved(id)
          ? undefined
          : deps.attempt('reading a conversation', () => history?.load(id));
        if (stored !== undefined && hasTurnsOf(stored, conversation)) {
          revisions.outdate(id);
          continue;
        }
        recorder?.saveWhole(conversation);
        revisions.note(id);
      }
    },
    drop: (turnId) => recorder?.drop(turnId),
    forget(id) {
      open.delete(id);
      revisions.forget(id);
      recorder?.forget(id);
    },
    isUnsaved,
    trouble: () => recorder?.trouble(),
    flush: () => recorder?.flush(),
    dispose: () => recorder?.dispose(),
  };
}

/** Whether a conversation has all turns of another one as they are there. */
function hasTurnsOf(stored: Conversation, own: Conversation): boolean {
  const turnsOf = ({ exchanges, branches }: Conversation) =>
    toLinkedExchanges(exchanges, branches).flatMap(({ exchange }) => exchange.attempts);
  // What is undefined is missing in the database.
  const toPlain = (turn: Turn | undefined): unknown => turn && JSON.parse(JSON.stringify(turn));
  const turns = new Map(turnsOf(stored).map((turn) => [turn.id, turn]));
  return turnsOf(own).every((turn) => isDeepStrictEqual(toPlain(turns.get(turn.id)), toPlain(turn)));
}

/** A conversation that couldn't be written before, with what another window has given its header since. */
function toWrite(
  id: string,
  { history, attempt, open, removed }: SavedConversationsDeps,
  merge: (own: Conversation, stored: Conversation) => Conversation,
): Conversation | undefined {
  const kept = open.get(id) ?? removed.get(id);
  // Also one that is deleted there, and restored here.
  const stored = kept && attempt('reading a conversation', () => history?.loadAny(id));
  if (kept === undefined || stored === undefined) return kept;
  const merged = merge(kept, stored);
  if (open.has(id)) open.set(merged);
  return merged;
}
