/** Reads and writes conversations in the database: their headers, and complete conversations. */

import type { Conversation } from '../conversation/conversation.ts';
import type { QueuedQuestion } from '../conversation/queue.ts';
import type { Turn } from '../conversation/turn.ts';
import { fromLinkedExchanges } from './branches.ts';
import { createExchangeReader } from './exchangeRows.ts';
import { purgeRemoved } from './purging.ts';
import type { OnWrong } from './readRecord.ts';
import { fromQueueRecord, toQueueRecord } from './records.ts';
import { type Database, toStorageTrouble, transact } from './sqlite.ts';
import { asBytes, toWholeText } from './wholeText.ts';

export interface ConversationRows {
  /** Runs the body in one transaction, so that nothing of it is stored if the window is killed meanwhile. */
  together(body: () => void): void;
  load(id: string): Conversation | undefined;
  /** Like `load`, but also returns deleted conversations. */
  loadAny(id: string): Conversation | undefined;
  /** Ids of the conversations with a turn that has no outcome, also of deleted ones. */
  unfinished(): readonly string[];
  /** The turns of a conversation without an outcome, also of a deleted one. Nothing else of the conversation is read. */
  unfinishedTurns(id: string): readonly Turn[];
  /** Whether one of the IDs is that of a conversation, an exchange, or a turn, also of a deleted one. */
  isKnown(ids: readonly string[]): boolean;
  /** Increases with every change except text of a running turn; undefined when the conversation doesn't exist. */
  revision(id: string): number | undefined;
  /** Adds a conversation or changes its header. Exchanges are written separately. */
  putHeader(conversation: Omit<Conversation, 'exchanges' | 'branches'>): void;
  rename(id: string, title: string): void;
  pin(id: string, pinned: boolean): void;
  /**
   * Hides the conversation from all lists until it is restored or purged.
   *
   * @param named false if the user didn't choose the title
   */
  remove(id: string, named?: boolean): void;
  restore(id: string): void;
  /** A deleted conversation without its exchanges; undefined if it doesn't exist or isn't deleted. */
  removed(id: string): Conversation | undefined;
  /** Permanently deletes conversations that were deleted before a time, in epoch milliseconds. The cost of their turns is kept. */
  purge(before: number): void;
  draft(id: string): string;
  /** Returns false when the conversation is not in the database. */
  putDraft(id: string, draft: string): boolean;
  /** The queued questions, the next one first. */
  queue(id: string): readonly QueuedQuestion[];
  /**
   * Changes the queue in one transaction, so that two windows can't take the same question from it. Returns the new
   * one; undefined when the conversation is not in the database.
   */
  changeQueue(
    id: string,
    toNext: (before: readonly QueuedQuestion[]) => readonly QueuedQuestion[],
  ): readonly QueuedQuestion[] | undefined;
}

const UNFINISHED = 'SELECT DISTINCT conversation_id FROM turn WHERE outcome IS NULL';

/** Adds an index for turns without an outcome. It is an addition to the tables of version 4, like the search index. */
export function addUnfinishedIndex(db: Database): void {
  try {
    db.exec('CREATE INDEX IF NOT EXISTS unfinished_turn ON turn (conversation_id) WHERE outcome IS NULL');
  } catch (error) {
    // If the disk is full or the database is read-only, all turns are searched instead.
    if (toStorageTrouble(error) === 'damaged') throw error;
  }
}

export function createConversationRows(db: Database, now: () => number, onWrong: OnWrong): ConversationRows {
  const header = db.prepare(
    `SELECT created_at, ${asBytes('title')}, named, pinned, workspace, forked_from, head, deleted_at
     FROM conversation WHERE id = ?`,
  );
  const reader = createExchangeReader(db, onWrong);
  const put = db.prepare(
    `INSERT INTO conversation (id, created_at, changed_at, title, named, pinned, workspace, forked_from)
     VALUES (:id, :createdAt, :changedAt, :title, :named, :pinned, :workspace, :forkedFrom)
     ON CONFLICT (id) DO UPDATE SET title = excluded.title, named = excluded.named, pinned = excluded.pinned,
       workspace = excluded.workspace, revision = revision + 1`,
  );
  const known = db.prepare(
    `SELECT 1 FROM json_each(?) AS wanted WHERE wanted.value IN (SELECT id FROM conversation)
       OR wanted.value IN (SELECT id FROM exchange) OR wanted.value IN (SELECT id FROM turn)
       OR wanted.value IN (SELECT turn_id FROM spend) OR wanted.value IN (SELECT conversation_id FROM spend) LIMIT 1`,
  );
  const rename = db.prepare(
    'UPDATE conversation SET title = ?, named = 1, revision = revision + 1 WHERE id = ?',
  );
  const pin = db.prepare('UPDATE conversation SET pinned = ?, revision = revision + 1 WHERE id = ?');
  const remove = db.prepare('UPDATE conversation SET deleted_at = ?, named = named AND ? WHERE id = ?');
  const revision = db.prepare('SELECT revision FROM conversation WHERE id = ? AND deleted_at IS NULL');
  const draft = db.prepare(`SELECT ${asBytes('draft')} FROM conversation WHERE id = ?`);
  const queue = db.prepare('SELECT queue FROM conversation WHERE id = ?');
  const exchangeIds = db.prepare('SELECT id FROM exchange WHERE conversation_id = ?');
  const unfinished = db.prepare(UNFINISHED);
  const putQueue = db.prepare('UPDATE conversation SET queue = ? WHERE id = ?');
  const putDraft = db.prepare('UPDATE conversation SET draft = ? WHERE id = ?');

  const toHeader = (id: string, row: Readonly<Record<string, unknown>>) => ({
    id,
    createdAt: Number(row['created_at']),
    title: toWholeText(row['title']) ?? '',
    named: row['named'] === 1,
    pinned: row['pinned'] === 1,
    workspace: toText(row['workspace']),
    forkedFrom: toText(row['forked_from']),
  });
  /** The queue without questions that were already asked. A question that was asked has the ID of its exchange. */
  function readQueue(id: string, row: Readonly<Record<string, unknown>> | undefined) {
    const queued = fromQueueRecord(toText(row?.['queue']) ?? '[]', onWrong);
    if (queued.length === 0) return queued;
    const asked = new Set(exchangeIds.all(id).map((one) => one['id']));
    return queued.filter((one) => !asked.has(one.id));
  }

  function loadAny(id: string): Conversation | undefined {
    const row = header.get(id);
    if (row === undefined) return undefined;
    return { ...toHeader(id, row), ...fromLinkedExchanges(reader.exchanges(id), toText(row['head'])) };
  }

  return {
    together: (body) => transact(db, body),
    load: (id) => (header.get(id)?.['deleted_at'] === null ? loadAny(id) : undefined),
    loadAny,
    unfinished: () => unfinished.all().map((row) => String(row['conversation_id'])),
    unfinishedTurns: reader.unfinishedTurns,
    isKnown: (ids) => known.get(JSON.stringify(ids)) !== undefined,
    revision(id) {
      const row = revision.get(id);
      return row === undefined ? undefined : Number(row['revision']);
    },
    putHeader({ id, createdAt, title, named, pinned, workspace, forkedFrom }) {
      put.run({
        id,
        createdAt,
        changedAt: createdAt,
        title,
        named: Number(named),
        pinned: Number(pinned),
        workspace: workspace ?? null,
        forkedFrom: forkedFrom ?? null,
      });
    },
    rename: (id, title) => void rename.run(title, id),
    pin: (id, pinned) => void pin.run(Number(pinned), id),
    remove: (id, named = true) => void remove.run(now(), Number(named), id),
    restore: (id) => void remove.run(null, 1, id),
    removed(id) {
      const row = header.get(id);
      return row === undefined || row['deleted_at'] === null
        ? undefined
        : { ...toHeader(id, row), exchanges: [], branches: [] };
    },
    purge: (before) => transact(db, () => purgeRemoved(db, before)),
    draft: (id) => toWholeText(draft.get(id)?.['draft']) ?? '',
    putDraft: (id, text) => putDraft.run(text, id).changes > 0,
    queue: (id) => readQueue(id, queue.get(id)),
    changeQueue: (id, toNext) =>
      transact(db, () => {
        const row = queue.get(id);
        if (row === undefined) return undefined;
        const next = toNext(readQueue(id, row));
        putQueue.run(toQueueRecord(next), id);
        return next;
      }),
  };
}

const toText = (value: unknown) => (typeof value === 'string' ? value : undefined);
