/** Lists the deleted conversations in the database, until they are purged. */
import { type Database, toStorageTrouble, transact } from './sqlite.ts';

export interface DeletedConversation {
  readonly id: string;
  readonly title: string;
  /** The title is from the user, or from a command that didn't delete the conversation itself. */
  readonly named: boolean;
  /** The workspace in which the conversation was created. */
  readonly workspace: string | undefined;
  /** Epoch milliseconds. */
  readonly deletedAt: number;
  /** The number of questions, including those on other branches. */
  readonly questions: number;
}

export interface RemovedRows {
  /** The deleted conversations with a question, unsent parts, a title from the user, or a pin. The latest deletion comes first. */
  listRemoved(): readonly DeletedConversation[];
}

/** The SQL condition for a conversation to be listed: it has a question, unsent parts, a title from the user, or a pin. */
export const IS_LISTED = `(head IS NOT NULL OR draft <> '' OR queue <> '[]' OR named = 1 OR pinned = 1
  OR EXISTS (SELECT 1 FROM unsent WHERE conversation_id = id AND part NOT IN ('preset', 'leavesOut')))`;

/**
 * Also marks the conversations of commit messages that an earlier version has deleted, once. That version didn't mark those that the
 * command deleted with the message, which are nearly all of them.
 */
const INDEX = `
CREATE INDEX removed_conversation ON conversation (deleted_at) WHERE deleted_at IS NOT NULL;
UPDATE conversation SET named = 0 WHERE deleted_at IS NOT NULL AND id LIKE 'commit-message-%';
`;

/** Adds the index to a database that lacks it. It is an addition to the tables of version 4, like the search index. */
export function addRemovedIndex(db: Database): void {
  const has = () => db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'removed_conversation'").get();
  if (has() !== undefined) return;
  try {
    transact(db, () => {
      // Another window may have added it.
      if (has() === undefined) db.exec(INDEX);
    });
  } catch (error) {
    // The disk is full, or the database is read-only. The next window tries again.
    if (toStorageTrouble(error) === 'damaged') throw error;
  }
}

export function createRemovedRows(db: Database): RemovedRows {
  const list = db.prepare(
    `SELECT id, title, named, workspace, deleted_at,
       (SELECT count(*) FROM exchange WHERE conversation_id = conversation.id) AS questions
     FROM conversation WHERE deleted_at IS NOT NULL AND ${IS_LISTED} ORDER BY deleted_at DESC`,
  );
  return {
    listRemoved: () =>
      list.all().map((row) => ({
        id: String(row['id']),
        title: String(row['title']),
        named: row['named'] === 1,
        workspace: typeof row['workspace'] === 'string' ? row['workspace'] : undefined,
        deletedAt: Number(row['deleted_at']),
        questions: Number(row['questions']),
      })),
  };
}
