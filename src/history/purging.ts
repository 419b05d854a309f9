/** Permanently deletes conversations that were deleted before, and images that no other conversation uses. */
import type { Database } from './sqlite.ts';

/** How long deleted conversations are kept, in days. */
export const KEPT_AFTER_DELETING_DAYS = 30;

/**
 * Permanently deletes conversations that were deleted before a time, in epoch milliseconds. The cost of their turns is kept. Must be
 * called in a transaction.
 */
export function purgeRemoved(db: Database, before: number): void {
  const removedIds = db
    .prepare('SELECT id FROM conversation WHERE deleted_at < ?')
    .all(before)
    .map((row) => String(row['id']));
  const tables = ['passage', 'turn', 'exchange', 'lease', 'unsent'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE conversation_id = ?`),
  );
  const deltas = db.prepare(
    'DELETE FROM delta WHERE turn_id IN (SELECT id FROM turn WHERE conversation_id = ?)',
  );
  const rounds = db.prepare(
    'DELETE FROM round WHERE turn_id IN (SELECT id FROM turn WHERE conversation_id = ?)',
  );
  const conversation = db.prepare('DELETE FROM conversation WHERE id = ?');
  for (const id of removedIds) {
    deltas.run(id);
    rounds.run(id);
    for (const table of tables) table.run(id);
    conversation.run(id);
  }
  if (removedIds.length > 0) dropUnusedImages(db);
  // Deletes rows that were written after their conversation was deleted, or left by an earlier version, which doesn't know this
  // table.
  db.exec('DELETE FROM unsent WHERE conversation_id NOT IN (SELECT id FROM conversation)');
}

/** Deletes unused images. Questions that can't be read are skipped: they have no images to show, and must not prevent purging. */
function dropUnusedImages(db: Database): void {
  db.exec(`DELETE FROM image WHERE hash NOT IN (
    SELECT hash FROM (
      SELECT CASE one.type WHEN 'object' THEN json_extract(one.value, '$.hash') END AS hash
      FROM exchange, json_each(CASE WHEN json_valid(question) THEN question END, '$.images') AS one)
    WHERE hash IS NOT NULL)`);
}
