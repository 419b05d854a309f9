/**
 * Creates the tables of the search index for emoji and for scripts that don't separate words. They are an addition to the tables of
 * version 4, not a new version, so that windows with an earlier version of the extension can use the same database and don't set it
 * aside. Triggers in plain SQL, which also run in such windows, note which passages aren't in the index yet. Windows with this
 * version add these passages (`unspacedRows.ts`).
 */
import { type Database, toStorageTrouble, transact } from './sqlite.ts';

/**
 * Ranges that include the characters of `unspacedTokens.ts`. They may include others, because a passage without any such character
 * is only examined in vain.
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

/** The number of index parts at which FTS5 merges them at once, however long it takes. With 2,000 parts, it would no longer write. */
const MOST_PARTS = 1000;

/**
 * The index contains only tokens, so the text isn't stored twice. `unindexed` lists the passages that aren't in the index yet. FTS5
 * adds a part to the index with each transaction. By default, it would merge parts at the end of some transactions, which takes up
 * to three frames. Here, `mergeParts` does this a little at a time.
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

/** Also replaces the triggers of an earlier version, which were for other characters. Then, all passages are indexed again. */
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

/** Adds the index to a database that lacks it. If this fails, the search works without it. */
export function addUnspacedIndex(db: Database): void {
  if (isComplete(db)) return;
  try {
    transact(db, () => {
      // Another window may have added the index meanwhile.
      if (!hasIndex(db)) db.exec(TABLES);
      if (!isComplete(db)) db.exec(TRIGGERS);
    });
  } catch (error) {
    // The disk is full, or the database is read-only. The next window tries again.
    if (toStorageTrouble(error) === 'damaged') throw error;
  }
}

/** Whether the result of `PRAGMA quick_check` means that only this index is damaged. */
export const isOnlyUnspacedDamaged = (found: string): boolean => /\bunspaced\b/.test(found);

/**
 * Empties a damaged index, so that it is filled again from the passages. The check takes about 14 ms for each MB of the index.
 *
 * @returns whether it was damaged
 */
export function mendUnspacedIndex(db: Database): boolean {
  if (!hasIndex(db)) return false;
  try {
    db.exec("INSERT INTO unspaced (unspaced) VALUES ('integrity-check')");
    return false;
  } catch (error) {
    if (toStorageTrouble(error) !== 'damaged') throw error;
    transact(db, () => {
      db.exec("INSERT INTO unspaced (unspaced) VALUES ('delete-all')");
      db.exec('DELETE FROM unindexed; INSERT INTO unindexed SELECT id FROM passage');
    });
    return true;
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
