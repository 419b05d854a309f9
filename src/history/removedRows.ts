/** The deleted conversations of the database, until they are purged. */
import type { Database } from './sqlite.ts';

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
