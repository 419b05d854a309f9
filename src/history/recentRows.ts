/** Reads the latest questions of a workspace. */
import { OTHER_CHATS_PREFIX, type Recallable } from '../conversation/recalledQuestions.ts';
import type { Database } from './sqlite.ts';
import { asBytes, toWholeText } from './wholeText.ts';

export interface RecentRows {
  /** Questions that the user wrote, the newest first. Includes questions that were replaced by an edited one. */
  recentQuestions(workspace: string | undefined): readonly Recallable[];
}

/** The most questions that are examined, of all workspaces, and the most that are returned. */
const MAX_LOOKED_AT = 3000;
const MAX_READ = 300;

export function createRecentRows(db: Database): RecentRows {
  // Records can contain whole files, so they aren't read completely. Damaged records are left out.
  const recent = db.prepare(
    `SELECT ${asBytes('asked.text', 'text')}, ${asBytes("json_extract(question, '$.asked')", 'title')}
     FROM (SELECT id, owner_id, text FROM passage WHERE part = 'question' ORDER BY id DESC LIMIT ${MAX_LOOKED_AT}) AS asked
       JOIN exchange ON exchange.id = asked.owner_id JOIN conversation ON conversation.id = exchange.conversation_id
     WHERE deleted_at IS NULL AND workspace IS ? AND conversation.id NOT LIKE '${OTHER_CHATS_PREFIX}%'
       AND CASE WHEN json_valid(question) THEN
         json_extract(question, '$.origin.uri', '$.purpose', '$.continues', '$.revises') END = '[null,null,null,null]'
     ORDER BY asked.id DESC LIMIT ${MAX_READ}`,
  );
  return {
    recentQuestions: (workspace) =>
      recent.all(workspace ?? null).map((row) => {
        const asked = toWholeText(row['title']);
        const text = toWholeText(row['text']) ?? '';
        return { text, origin: undefined, ...(asked !== undefined && { asked }) };
      }),
  };
}
