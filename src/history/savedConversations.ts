/** Writes conversations from memory to the database. Parts that can't be written stay in memory and are written later. */
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
  /** Keeps a conversation in memory. Others are dropped if they are written and none of their turns runs. */
  keep(conversation: Conversation): void;
  /**
   * Keeps and writes a conversation, and notes changes of its header. A conversation without a question is written when it gets a
   * title or a pin.
   */
  put(conversation: Conversation, exchangeId: string | undefined): void;
  /** Writes a conversation that is or will be in memory. */
  save(conversation: Conversation, exchangeId: string | undefined): void;
  /** Called when text of a running turn arrives. */
  progress(conversation: Conversation, turn: Turn): void;
  /** Keeps a copy of another conversation, whose cost is already recorded. */
  putCopy(conversation: Conversation): void;
  /** Keeps a conversation and writes all of it. Its header is merged with that of another window. */
  putWhole(conversation: Conversation): void;
  /**
   * Writes the conversations in memory after another window has replaced the database. A conversation that is stored with all its
   * turns is read again instead, because another window may have more of it.
   */
  saveOpen(): void;
  /** Called when a turn has ended and needs no more writes. */
  drop(turnId: string): void;
  /** Called when a conversation is deleted. It leaves the memory after the text of its running turns is written. */
  forget(id: string): void;
  /** Whether a part of a conversation couldn't be written yet. */
  isUnsaved(id: string): boolean;
  /** The reason why something couldn't be written yet. */
  trouble(): StorageTrouble | undefined;
  /** Writes everything that is pending now, without waiting for the next attempt. */
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
  /** Called when a write failed, or with undefined when writing works again. */
  onTrouble(trouble: StorageTrouble | undefined, error?: unknown): void;
  /** Called after an attempt to write a conversation. */
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

  /**
   * Writes, and notes the new revision if no other window wrote before. If one did, its changes aren't in memory yet and must still
   * be detected.
   */
  function writeKnowing(rows: Pick<History, 'together'>, id: string, write: () => void): void {
    let isCurrent = false;
    let revision: number | undefined;
    try {
      // In the transaction, another window can't write between the comparison and the end.
      rows.together(() => {
        isCurrent = revisions.isCurrent(id);
        write();
        revision = revisions.now(id);
      });
    } catch (error) {
      if (toStorageTrouble(error) === 'busy') throw error;
      // Without a transaction, a full disk keeps as much as fits.
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
      // An unsaved conversation isn't read again, so it may lack a title from another window.
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

/** Whether a stored conversation has all turns of another one unchanged. */
function hasTurnsOf(stored: Conversation, own: Conversation): boolean {
  const turnsOf = ({ exchanges, branches }: Conversation) =>
    toLinkedExchanges(exchanges, branches).flatMap(({ exchange }) => exchange.attempts);
  // Undefined fields are missing in the database.
  const toPlain = (turn: Turn | undefined): unknown => turn && JSON.parse(JSON.stringify(turn));
  const turns = new Map(turnsOf(stored).map((turn) => [turn.id, turn]));
  return turnsOf(own).every((turn) => isDeepStrictEqual(toPlain(turns.get(turn.id)), toPlain(turn)));
}

/** A conversation that couldn't be written before, with the header changes of other windows. */
function toWrite(
  id: string,
  { history, attempt, open, removed }: SavedConversationsDeps,
  merge: (own: Conversation, stored: Conversation) => Conversation,
): Conversation | undefined {
  const kept = open.get(id) ?? removed.get(id);
  // `loadAny` also finds a conversation that is deleted in the database and restored here.
  const stored = kept && attempt('reading a conversation', () => history?.loadAny(id));
  if (kept === undefined || stored === undefined) return kept;
  const merged = merge(kept, stored);
  if (open.has(id)) open.set(merged);
  return merged;
}
