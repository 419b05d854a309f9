/**
 * The tables of the search index for emoji and for scripts that don't separate words. They are an addition to the
 * tables of version 4, not a new version: a window with an earlier version of the extension goes on with the same
 * database, and doesn't set it aside. Triggers of plain SQL, which also run in such a window, note which passages are not
 * in the index yet. Windows with this version put them there (`unspacedRows.ts`).
 */
import { type Database, toStorageTrouble, transact } from './sqlite.ts';

/**
 * Ranges that have the characters of `unspacedTokens.ts`. They may have others, because a passage without such a
 * character is only looked at in vain.
 */
const RANGES = [
  [0x0e00, 0x0eff],
  [0x1000, 0x11ff],
  [0x1780, 0x17ff],
  [0x2300, 0xa4cf],
  [0xa960, 0xa97f],
  [0xa9e0, 0xa9ff],
  [0xaa60, 0xaa7f],
  [0xac00, 0xd7ff],
  [0xf900, 0xfaff],
  [0xff00, 0xffef],
  [0x1aff0, 0x1b16f],
  [0x1f000, 0x3ffff],
] as const;
const PATTERN = `*[${RANGES.map((range) => range.map((code) => String.fromCodePoint(code)).join('-')).join('')}]*`;

/** The number of parts of the index that FTS5 merges at once, whatever it takes: with 2,000, it would write nothing more. */
const MOST_PARTS = 1000;

/**
 * The index has only tokens, so the text is not stored twice. `unindexed` has the passages that are not in it yet. FTS5 adds
 * a part to the index with each transaction. By itself, it would merge parts at the end of one in so many, for as long as
 * three frames; here, `mergeParts` does that a little at a time.
 */
const TABLES = `
CREATE VIRTUAL TABLE unspaced USING fts5(text, content='', contentless_delete=1, tokenize='ascii');
INSERT INTO unspaced (unspaced, rank) VALUES ('automerge', 0), ('crisismerge', ${MOST_PARTS});
CREATE TABLE unindexed (id INTEGER PRIMARY KEY);
CREATE TRIGGER passage_removed_unspaced AFTER DELETE ON passage BEGIN
  DELETE FROM unspaced WHERE rowid = old.id;
  DELETE FROM unindexed WHERE id = old.id;
END;
`;

/** Also where an earlier version has made them, with other characters: its passages are all put into the index again. */
const TRIGGERS = `
DROP TRIGGER IF EXISTS passage_added_unspaced;
DROP TRIGGER IF EXISTS passage_changed_unspaced;
INSERT OR IGNORE INTO unindexed SELECT id FROM passage;
CREATE TRIGGER passage_added_unspaced AFTER INSERT ON passage WHEN new.text GLOB '${PATTERN}' BEGIN
  INSERT INTO unindexed SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM unindexed WHERE id = new.id);
END;
CREATE TRIGGER passage_changed_unspaced AFTER UPDATE OF text ON passage
WHEN new.text GLOB '${PATTERN}' OR old.text GLOB '${PATTERN}' BEGIN
  INSERT INTO unindexed SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM unindexed WHERE id = new.id);
END;
`;

/** Adds the index to a database that doesn't have it. Without it, the search works as before. */
export function addUnspacedIndex(db: Database): void {
  if (isComplete(db)) return;
  try {
    transact(db, () => {
      // Another window may have added it.
      if (!hasIndex(db)) db.exec(TABLES);
      if (!isComplete(db)) db.exec(TRIGGERS);
    });
  } catch (error) {
    // A full disk, or a database that can only be read. The next window tries again.
    if (toStorageTrouble(error) === 'damaged') throw error;
  }
}

/** What `PRAGMA quick_check` says when only this index is damaged. */
export const isOnlyUnspacedDamaged = (found: string): boolean => /\bunspaced\b/.test(found);

/** Empties the index when it is damaged, so that it is filled again: it has nothing that is not in the passages. */
export function mendUnspacedIndex(db: Database): void {
  if (!hasIndex(db)) return;
  try {
    db.exec("INSERT INTO unspaced (unspaced) VALUES ('integrity-check')");
  } catch (error) {
    if (toStorageTrouble(error) !== 'damaged') throw error;
    transact(db, () => {
      db.exec("INSERT INTO unspaced (unspaced) VALUES ('delete-all')");
      db.exec('DELETE FROM unindexed; INSERT INTO unindexed SELECT id FROM passage');
    });
  }
}

export const hasIndex = (db: Database): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'unindexed'").get() !== undefined;

const isComplete = (db: Database): boolean =>
  db
    .prepare(
      "SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND name = 'passage_added_unspaced' AND instr(sql, ?)",
    )
    .get(PATTERN) !== undefined;
