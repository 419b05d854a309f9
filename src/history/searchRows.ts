/** Searches questions, answers, and reasoning. */
import { groupBy } from '../text/groupBy.ts';
import { JSON_MARKS, toJsonSnippet } from './searchSnippet.ts';
import { type Database, toStorageTrouble } from './sqlite.ts';
import { createUnspacedRows, type Passage, type UnspacedRows } from './unspacedRows.ts';
import { toUnspacedSnippet } from './unspacedSnippet.ts';
import { type Term, toTerm } from './unspacedTokens.ts';
import { asBytes, toWholeText } from './wholeText.ts';

/** A search result. */
export interface Hit {
  readonly conversationId: string;
  readonly title: string;
  /** The ID of the turn or, for a question, of the exchange. */
  readonly ownerId: string;
  readonly part: 'question' | 'reasoning' | 'answer';
  /** The matching words with the text around them; each match is between U+0002 and U+0003. */
  readonly snippet: string;
  /** Epoch milliseconds of the conversation's last question or answer. */
  readonly changedAt: number;
}

const SNIPPET_WORDS = 16;
/** The most results of one conversation, so that others are found as well. */
const HITS_OF_ONE = 5;
/** The most matches that are grouped, and the most whose text is read. If there are more, only the newest count. */
const MAX_MATCHES = 5000;
const MAX_READ = 500;
/** How long new passages may be added to the index before a search, in milliseconds. */
const INDEX_MS = 30;

export interface SearchRows extends UnspacedRows {
  /**
   * The newest results that contain all words, grouped by conversation. The last word also matches longer words. In scripts that
   * don't separate words, such as Chinese, any part of a sentence matches.
   */
  search(text: string, limit: number): readonly Hit[];
}

export function createSearchRows(db: Database): SearchRows {
  const matches = db.prepare(
    `SELECT search.rowid, passage.conversation_id
     FROM search JOIN passage ON passage.id = search.rowid
       JOIN conversation ON conversation.id = passage.conversation_id
     WHERE search MATCH ? AND conversation.deleted_at IS NULL
     ORDER BY search.rowid DESC LIMIT ${MAX_MATCHES}`,
  );
  const { startCode, endCode } = JSON_MARKS;
  // node:sqlite binds numbers as REAL, and FTS5 takes a rowid that isn't an INTEGER for any row.
  const excerpt = db.prepare(
    `SELECT passage.conversation_id, passage.owner_id, passage.part, conversation.title, conversation.changed_at,
       snippet(search, 0, char(2), char(3), '…', ${SNIPPET_WORDS}) AS snippet,
       iif(substr(ltrim(passage.text, char(9, 10, 13, 32)), 1, 1) IN ('{', '['),
         highlight(search, 0, char(${startCode}), char(${endCode})), NULL) AS json
     FROM search JOIN passage ON passage.id = search.rowid
       JOIN conversation ON conversation.id = passage.conversation_id
     WHERE search MATCH ? AND search.rowid = CAST(? AS INTEGER)`,
  );
  const passage = db.prepare(
    `SELECT passage.conversation_id, passage.owner_id, passage.part, conversation.title, conversation.changed_at,
       ${asBytes('passage.text', 'text')}
     FROM passage JOIN conversation ON conversation.id = passage.conversation_id WHERE passage.id = ?`,
  );
  const unspaced = createUnspacedRows(db);

  /** Indexes new passages, so that they are found, too. If this fails, the search uses the index as it is. */
  const indexNew = () => void ifWritable(() => unspaced.indexDue(INDEX_MS));

  let isChecked = false;

  /** The matches in the other index. If there are none, the index is checked once: SQLite 3.50 doesn't notice damaged pages. */
  function findUnspaced(terms: readonly Term[]): readonly Passage[] {
    const found = unspaced.matches(terms, MAX_MATCHES);
    if (found.length > 0 || isChecked || !terms.some(({ isUnspaced }) => isUnspaced)) return found;
    isChecked = true;
    if (!ifWritable(unspaced.checkWhole)) return found;
    indexNew();
    return unspaced.matches(terms, MAX_MATCHES);
  }

  /** The passages with a match, the newest first. */
  function find({ query, terms }: Query): readonly Match[] {
    // Only the other index contains emoji, and also the words beside them. Until it has all texts, the words are searched alone.
    const isSpaced = !terms.some(({ hasEmoji }) => hasEmoji) || unspaced.isDue();
    const spaced = (isSpaced ? matches.all(query) : []).map(
      (row): Match => ({
        id: Number(row['rowid']),
        conversationId: String(row['conversation_id']),
        terms: undefined,
      }),
    );
    const others = findUnspaced(terms).map((found): Match => ({ ...found, terms }));
    if (others.length === 0) return spaced;
    const all = new Map([...spaced, ...others].map((match) => [match.id, match]));
    return [...all.values()].toSorted((a, b) => b.id - a.id).slice(0, MAX_MATCHES);
  }

  function toHit(query: string, { id, terms }: Match): Hit | undefined {
    const row = terms === undefined ? excerpt.get(query, id) : passage.get(id);
    if (row === undefined) return undefined;
    const snippet =
      terms === undefined ? snippetOf(row) : toUnspacedSnippet(toWholeText(row['text']) ?? '', terms);
    return snippet === undefined ? undefined : hitOf(row, snippet);
  }

  /** The results of a conversation, the newest first, up to a number. */
  function hitsOf(query: string, found: readonly Match[], limit: number): readonly Hit[] {
    const hits: Hit[] = [];
    for (const match of found) {
      if (hits.length === limit) break;
      const hit = toHit(query, match);
      if (hit !== undefined) hits.push(hit);
    }
    return hits;
  }

  return {
    indexDue: unspaced.indexDue,
    mergeParts: unspaced.mergeParts,
    checkIndex: unspaced.checkIndex,
    search(text, limit) {
      const query = toQuery(text);
      if (query === undefined) return [];
      indexNew();
      const hits: Hit[] = [];
      let read = 0;
      for (const own of groupBy(find(query), ({ conversationId }) => conversationId).values()) {
        if (hits.length >= limit || read >= MAX_READ) break;
        const some = own.slice(0, MAX_READ - read);
        const found = hitsOf(query.query, some, Math.min(HITS_OF_ONE, limit - hits.length));
        read += found.length < HITS_OF_ONE ? some.length : found.length;
        hits.push(...found);
      }
      return hits;
    },
  };
}

/** What a function returns; undefined if the database can't be written. Background indexing tries again, and logs why it can't. */
function ifWritable<Result>(write: () => Result): Result | undefined {
  try {
    return write();
  } catch (error) {
    if (toStorageTrouble(error) === 'damaged') throw error;
    return undefined;
  }
}

/** A query for the index of words, and its terms for the index of scripts that don't separate words. */
interface Query {
  readonly query: string;
  readonly terms: readonly Term[];
}

/** A passage that matches a query. */
interface Match {
  readonly id: number;
  readonly conversationId: string;
  /** The terms, if the match is in the index for scripts that don't separate words. */
  readonly terms: readonly Term[] | undefined;
}

/** The snippet of a match; undefined if only names of JSON fields match. */
function snippetOf(row: Readonly<Record<string, unknown>>): string | undefined {
  const whole = String(row['snippet']);
  return typeof row['json'] === 'string' ? toJsonSnippet(row['json'], whole) : whole;
}

const PARTS = { question: true, reasoning: true, answer: true } as const satisfies Record<Hit['part'], true>;

const isPart = (name: string): name is Hit['part'] => Object.hasOwn(PARTS, name);

/** The result for a row; undefined if only a later version knows its part. */
function hitOf(row: Readonly<Record<string, unknown>>, snippet: string): Hit | undefined {
  // Parts of rounds have a number: `reasoning/0`.
  const [part = ''] = String(row['part']).split('/');
  if (!isPart(part)) return undefined;
  return {
    conversationId: String(row['conversation_id']),
    title: String(row['title']),
    ownerId: String(row['owner_id']),
    part,
    snippet,
    changedAt: Number(row['changed_at']),
  };
}

/**
 * Converts a search text to a query. For FTS5, each word is in quotes, so that nothing is interpreted as syntax. A phrase in
 * quotation marks stays a phrase. The last word also matches longer words. Undefined if there are no words.
 */
export function toQuery(text: string): Query | undefined {
  // SQLite ends a query at a NUL, so the closing quote would be missing.
  const found = [...text.replaceAll('\0', ' ').matchAll(/"([^"]+)"?|([^\s"]+)/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
  const words = found.filter((term) => /[\p{L}\p{N}]/u.test(term) || toTerm(term, false)?.hasEmoji === true);
  if (words.length === 0) return undefined;
  const isOpen = !text.endsWith(' ') && !text.endsWith('"');
  const isLast = (index: number) => isOpen && index === words.length - 1;
  return {
    query: words.map((word, index) => `"${word}"${isLast(index) ? '*' : ''}`).join(' '),
    terms: words.flatMap((word, index) => toTerm(word, isLast(index)) ?? []),
  };
}
