/**
 * Fills and queries the search index for emoji and for scripts that don't separate words, such as Chinese and Japanese. Passages are
 * added in the background and before a search.
 */

import { type Database, transact } from './sqlite.ts';
import { hasIndex, mendUnspacedIndex } from './unspacedTables.ts';
import { CHARACTERS_AT_ONCE, type Term, toIndexed, toIndexQuery } from './unspacedTokens.ts';
import { asBytes, toWholeText } from './wholeText.ts';

/** The number of passages that are written in one transaction. */
const PASSAGES_AT_ONCE = 200;
/** The number of index pages, of 4 KB each, that are merged between two checks of the time. This is about a millisecond of work. */
const PAGES_AT_ONCE = 8;
/** The most index pages that are checked in the background. This takes about a step's time. */
const PAGES_TO_CHECK = 300;
/** The fraction of a step's time for creating tokens. The rest is for writing them. */
const SHARE_OF_TOKENS = 1 / 3;

/** A passage whose tokens are being created. */
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
   * Adds passages to the index, the newest first, for about the given time in milliseconds. A long text takes several calls. If the
   * window is killed meanwhile, nothing is lost: the passages are still to be indexed.
   *
   * @returns whether there are more
   */
  indexDue(milliseconds: number): boolean;
  /**
   * Merges parts of the index for about the given time in milliseconds, so that there are never many of them.
   *
   * @returns whether there are more to merge
   */
  mergeParts(milliseconds: number): boolean;
  /**
   * Checks the index, because SQLite 3.50 reads damaged pages without an error and finds nothing in them. A damaged index is
   * emptied. A large one isn't checked, because the check can't be done in steps.
   *
   * @returns whether it was emptied
   */
  checkIndex(): boolean;
}

export interface Passage {
  readonly id: number;
  readonly conversationId: string;
}

export interface UnspacedSearch extends UnspacedRows {
  /** Whether passages are not in the index yet. */
  isDue(): boolean;
  /** Like `checkIndex`, however large the index is. */
  checkWhole(): boolean;
  /** The newest passages that have all terms, the newest first. */
  matches(terms: readonly Term[], limit: number): readonly Passage[];
}

export function createUnspacedRows(db: Database): UnspacedSearch {
  if (!hasIndex(db))
    return {
      isDue: () => true,
      indexDue: () => false,
      mergeParts: () => false,
      checkIndex: () => false,
      checkWhole: () => false,
      matches: () => [],
    };
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
  const pages = db.prepare(
    `SELECT count(*) AS n FROM (SELECT 1 FROM unspaced_data LIMIT ${PAGES_TO_CHECK + 1})`,
  );
  const isAnyDue = () => anyDue.get() !== undefined;
  return {
    isDue: isAnyDue,
    indexDue(milliseconds) {
      if (!isAnyDue()) return false;
      // Writing takes the rest.
      const until = performance.now() + milliseconds * SHARE_OF_TOKENS;
      do write(prepare(until));
      while (performance.now() < until && isAnyDue());
      if (isAnyDue()) return true;
      // Merges here, too, because long after the window was opened, only searches index passages.
      merge();
      return false;
    },
    mergeParts(milliseconds) {
      const until = performance.now() + milliseconds;
      while (merge()) if (performance.now() >= until) return true;
      return false;
    },
    checkIndex: () => Number(pages.get()?.['n']) <= PAGES_TO_CHECK && mendUnspacedIndex(db),
    checkWhole: () => mendUnspacedIndex(db),
    matches: (terms, limit) =>
      find
        .all(toIndexQuery(terms), limit)
        .map((row) => ({ id: Number(row['id']), conversationId: String(row['conversation_id']) })),
  };
}

/** Creates a function that merges some pages and returns false if there is nothing to merge. */
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
  const read = db.prepare(`SELECT ${asBytes('text')} FROM passage WHERE id = ?`);
  return (id) => toWholeText(read.get(id)?.['text']);
}

/**
 * Creates a function that creates tokens until a given time, but of some characters in any case, because on a busy machine this time
 * may already have passed. Nothing is locked meanwhile.
 */
function createPreparing(db: Database, textOf: Reading): (until: number) => readonly Prepared[] {
  const due = db.prepare(`SELECT id FROM unindexed ORDER BY id DESC LIMIT ${PASSAGES_AT_ONCE}`);
  /** A long text that a later call continues. */
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
      // Whether the text has changed is checked when the tokens are written, because reading a long text takes milliseconds.
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
      // In ascending order: before a passage with a smaller ID, FTS5 would write a part of the index to the disk.
      for (const { id, text, tokens } of prepared.toReversed()) {
        // Another window may have changed or indexed the passage meanwhile.
        if (isDue.get(id) === undefined || textOf(id) !== text) continue;
        remove.run(id);
        if (tokens !== undefined) add.run(id, tokens);
        settle.run(id);
      }
    });
  };
}
