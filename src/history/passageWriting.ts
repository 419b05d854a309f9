/** Writes passages: the texts of questions and turns, each with its owner and the name of the part. */
import type { Database } from './sqlite.ts';

export interface PassageWriting {
  /** Writes a text. Returns whether anything was written: false if the text is empty or already stored. */
  put(conversationId: string, ownerId: string, part: string, text: string): boolean;
  /** Like `put`, for text that may have moved, for example into a round. An empty text deletes the passage. */
  replace(conversationId: string, ownerId: string, part: string, text: string): boolean;
}

export function createPassageWriting(db: Database): PassageWriting {
  const passage = db.prepare(
    `INSERT INTO passage (conversation_id, owner_id, part, text) VALUES (?, ?, ?, ?)
     ON CONFLICT (owner_id, part) DO UPDATE SET text = excluded.text WHERE text <> excluded.text`,
  );
  const drop = db.prepare('DELETE FROM passage WHERE owner_id = ? AND part = ?');

  const put: PassageWriting['put'] = (conversationId, ownerId, part, text) =>
    text !== '' && passage.run(conversationId, ownerId, part, text).changes > 0;

  return {
    put,
    replace: (conversationId, ownerId, part, text) =>
      text === '' ? drop.run(ownerId, part).changes > 0 : put(conversationId, ownerId, part, text),
  };
}
