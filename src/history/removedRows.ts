/** The deleted conversations of the database, until they are purged. */
import { type Database, toStorageTrouble, transact } from './sqlite.ts';

export interface DeletedConversation {
  readonly id: string;
  readonly title: string;
  /** The title is of the user, or of a command that has not deleted the conversation itself. */
  readonly named: boolean;
  /** The workspace that it was created in. */
  readonly workspace: string | undefined;
  /** Epoch milliseconds. */
  readonly deletedAt: number;
  /** The number of questions, also of those on other branches. */
  readonly questions: number;
}

export interface RemovedRows {
  /** Those with a question, anything unsent, a title of the user, or a pin; the one that was deleted last comes first. */
  listRemoved(): readonly DeletedConversation[];
}

/** What a conversation has to have to be listed: a question, anything unsent, a title of the user, or a pin. */
export const IS_LISTED = `(head IS NOT NULL OR draft <> '' OR queue <> '[]' OR named = 1 OR pinned = 1
  OR EXISTS (SELECT 1 FROM unsent WHERE conversation_id = id AND part NOT IN ('preset', 'leavesOut')))`;

/**
 * Also marks, once, the conversations of commit messages that an earlier version has deleted: it didn't mark those that the command has
 * deleted with the message, nearly all of them.
 */
const INDEX = `
CREATE INDEX removed_conversation ON conversation (deleted_at) WHERE deleted_at IS NOT NULL;
UPDATE conversation SET named = 0 WHERE deleted_at IS NOT NULL AND id LIKE 'commit-message-%';
`;

/** Adds the index to a database that doesn't have it. An addition to the tables of version 4, as that of the search. */
export function addRemovedIndex(db: Database): void {
  const has = () => db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'removed_conversation'").get();
  if (has() !== undefined) return;
  try {
    transact(db, () => {
      // Another window may have added it.
      if (has() === undefined) db.exec(INDEX);
    });
  } catch (error) {
    // A full disk, or a database that can only be read. The next window tries again.
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
