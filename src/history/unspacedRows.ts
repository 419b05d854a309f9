/**
 * The search index for scripts that don't separate words, such as Chinese and Japanese. It is an addition to the
 * tables of version 4, not a new version: a window with an earlier version of the extension goes on with the same
 * database, and doesn't set it aside. Triggers of plain SQL, which also run in such a window, note which passages are not
 * in the index yet. Windows with this version put them there, in the background and before a search.
 */
import { CHARACTERS_AT_ONCE, type Term, toIndexed, toIndexQuery } from './searchTokens.ts';
import { type Database, toStorageTrouble, transact } from './sqlite.ts';

/**
 * Ranges that have the characters of `searchTokens.ts`. They may have others, because a passage without such a
 * character is only looked at in vain.
 */
const RANGES = [
  [0x0e00, 0x0eff],
  [0x1000, 0x11ff],
  [0x1780, 0x17ff],
  [0x2e80, 0xa4cf],
  [0xa960, 0xa97f],
  [0xa9e0, 0xa9ff],
  [0xaa60, 0xaa7f],
  [0xac00, 0xd7ff],
  [0xf900, 0xfaff],
  [0xff00, 0xffef],
  [0x1aff0, 0x1b16f],
  [0x20000, 0x3ffff],
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
INSERT INTO unindexed SELECT id FROM passage;
CREATE TRIGGER passage_added_unspaced AFTER INSERT ON passage WHEN new.text GLOB '${PATTERN}' BEGIN
  INSERT INTO unindexed SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM unindexed WHERE id = new.id);
END;
CREATE TRIGGER passage_changed_unspaced AFTER UPDATE OF text ON passage
WHEN new.text GLOB '${PATTERN}' OR old.text GLOB '${PATTERN}' BEGIN
  INSERT INTO unindexed SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM unindexed WHERE id = new.id);
END;
CREATE TRIGGER passage_removed_unspaced AFTER DELETE ON passage BEGIN
  DELETE FROM unspaced WHERE rowid = old.id;
  DELETE FROM unindexed WHERE id = old.id;
END;
`;

/** How many passages are written at once, in one transaction. */
const PASSAGES_AT_ONCE = 200;
/** How many pages of the index, of 4 KB, are merged before the time is looked at: about a millisecond of work. */
const PAGES_AT_ONCE = 8;
/** How much of the time of a step is for making tokens. The rest is for writing them. */
const SHARE_OF_TOKENS = 1 / 3;

/** A passage whose tokens are being made. */
interface Making {
  readonly id: number;
  readonly text: string | undefined;
  readonly tokens: ReturnType<typeof toIndexed>;
}

interface Prepared extends Omit<Making, 'tokens'> {
  readonly tokens: string | undefined;
}

export interface UnspacedRows {
  /**
   * Puts passages into the index, the newest first, for about as long as given, in milliseconds. A long text takes several
   * calls. A window that is killed meanwhile loses nothing: the passages are still to be indexed.
   *
   * @returns whether there are more
   */
  indexDue(milliseconds: number): boolean;
  /**
   * Merges parts of the index for about as long as given, in milliseconds, so that there are never many of them.
   *
   * @returns whether there are more to merge
   */
  mergeParts(milliseconds: number): boolean;
}

export interface Passage {
  readonly id: number;
  readonly conversationId: string;
}

export interface UnspacedSearch extends UnspacedRows {
  /** Ids of the newest passages that have all terms, the newest first. */
  matches(terms: readonly Term[], limit: number): readonly Passage[];
}

/** Adds the index to a database that doesn't have it. Without it, the search works as before. */
export function addUnspacedIndex(db: Database): void {
  if (hasIndex(db)) return;
  try {
    transact(db, () => {
      // Another window may have added it.
      if (!hasIndex(db)) db.exec(TABLES);
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

const hasIndex = (db: Database): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'unindexed'").get() !== undefined;

export function createUnspacedRows(db: Database): UnspacedSearch {
  if (!hasIndex(db)) return { indexDue: () => false, mergeParts: () => false, matches: () => [] };
  const anyDue = db.prepare('SELECT 1 FROM unindexed LIMIT 1');
  const find = db.prepare(
    `SELECT unspaced.rowid AS id, passage.conversation_id
     FROM unspaced JOIN passage ON passage.id = unspaced.rowid
       JOIN conversation ON conversation.id = passage.conversation_id
     WHERE unspaced MATCH ? AND conversation.deleted_at IS NULL
     ORDER BY unspaced.rowid DESC LIMIT ?`,
  );
  const textOf = createReading(db);
  const prepare = createPreparing(db, textOf);
  const write = createWriting(db, textOf);
  const merge = createMerging(db);
  const isAnyDue = () => anyDue.get() !== undefined;
  return {
    indexDue(milliseconds) {
      if (!isAnyDue()) return false;
      // Writing takes the rest.
      const until = performance.now() + milliseconds * SHARE_OF_TOKENS;
      do write(prepare(until));
      while (performance.now() < until && isAnyDue());
      if (isAnyDue()) return true;
      // Also long after the window was opened, when only searches do it.
      merge();
      return false;
    },
    mergeParts(milliseconds) {
      const until = performance.now() + milliseconds;
      while (merge()) if (performance.now() >= until) return true;
      return false;
    },
    matches: (terms, limit) =>
      find
        .all(toIndexQuery(terms), limit)
        .map((row) => ({ id: Number(row['id']), conversationId: String(row['conversation_id']) })),
  };
}

/** Returns a function that merges some pages, and returns false when there is nothing to merge. */
function createMerging(db: Database): () => boolean {
  const merge = db.prepare(`INSERT INTO unspaced (unspaced, rank) VALUES ('merge', ${PAGES_AT_ONCE})`);
  const changes = db.prepare('SELECT total_changes() AS n');
  const changed = () => Number(changes.get()?.['n']);
  return () => {
    const before = changed();
    merge.run();
    // The statement itself counts as one change (sqlite.org/fts5.html, the merge command).
    return changed() - before > 1;
  };
}

type Reading = (id: number) => string | undefined;

function createReading(db: Database): Reading {
  const read = db.prepare('SELECT text FROM passage WHERE id = ?');
  return (id) => {
    const text = read.get(id)?.['text'];
    return typeof text === 'string' ? text : undefined;
  };
}

/**
 * Makes tokens until a time, but of some characters in any case: on a busy machine, the time can be over at once. Nothing is
 * locked meanwhile.
 */
function createPreparing(db: Database, textOf: Reading): (until: number) => readonly Prepared[] {
  const due = db.prepare(`SELECT id FROM unindexed ORDER BY id DESC LIMIT ${PASSAGES_AT_ONCE}`);
  /** A long text, which a later call goes on with. */
  let unfinished: Making | undefined;
  const begin = (id: number): Making => {
    const text = textOf(id);
    return { id, text, tokens: toIndexed(text ?? '') };
  };
  return (until) => {
    const prepared: Prepared[] = [];
    let characters = 0;
    for (const row of due.all()) {
      const id = Number(row['id']);
      // Whether its text is still the same is seen when it is written: reading a long text takes milliseconds.
      const making = unfinished?.id === id ? unfinished : begin(id);
      let made = making.tokens.next();
      while (made.done !== true && performance.now() < until) made = making.tokens.next();
      if (made.done !== true) {
        unfinished = making;
        break;
      }
      if (making === unfinished) unfinished = undefined;
      prepared.push({ id, text: making.text, tokens: made.value });
      characters += making.text?.length ?? 0;
      if (characters >= CHARACTERS_AT_ONCE && performance.now() >= until) break;
    }
    return prepared;
  };
}

function createWriting(db: Database, textOf: Reading): (prepared: readonly Prepared[]) => void {
  const isDue = db.prepare('SELECT 1 FROM unindexed WHERE id = ?');
  const settle = db.prepare('DELETE FROM unindexed WHERE id = ?');
  const remove = db.prepare('DELETE FROM unspaced WHERE rowid = ?');
  const add = db.prepare('INSERT INTO unspaced (rowid, text) VALUES (?, ?)');
  return (prepared) => {
    if (prepared.length === 0) return;
    transact(db, () => {
      // In their order: before an earlier passage, FTS5 would write a part of the index to the disk.
      for (const { id, text, tokens } of prepared.toReversed()) {
        // Another window may have changed it meanwhile, or put it into the index.
        if (isDue.get(id) === undefined || textOf(id) !== text) continue;
        remove.run(id);
        if (tokens !== undefined) add.run(id, tokens);
        settle.run(id);
      }
    });
  };
}
