/**
 * The search index for emoji and for scripts that don't separate words, such as Chinese and Japanese: what is put there, in
 * the background and before a search, and what is found.
 */

import { type Database, transact } from './sqlite.ts';
import { hasIndex } from './unspacedTables.ts';
import { CHARACTERS_AT_ONCE, type Term, toIndexed, toIndexQuery } from './unspacedTokens.ts';

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
  /** Whether passages are not in the index yet. */
  isDue(): boolean;
  /** Ids of the newest passages that have all terms, the newest first. */
  matches(terms: readonly Term[], limit: number): readonly Passage[];
}

export function createUnspacedRows(db: Database): UnspacedSearch {
  if (!hasIndex(db))
    return { isDue: () => true, indexDue: () => false, mergeParts: () => false, matches: () => [] };
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
    isDue: isAnyDue,
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
