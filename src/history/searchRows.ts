/** Search over questions, answers and reasoning. */
import { JSON_MARKS, toJsonSnippet } from './searchSnippet.ts';
import type { Database } from './sqlite.ts';

/** A search result. */
export interface Hit {
  readonly conversationId: string;
  readonly title: string;
  /** The id of the turn or, for a question, of the exchange. */
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
/** The most matches that are grouped, and the most whose text is read: with more, only the newest count. */
const MAX_MATCHES = 5000;
const MAX_READ = 500;

export interface SearchRows {
  /**
   * The newest results that contain all words, those of a conversation together. The last word also matches longer
   * words.
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
  const excerpt = db.prepare(
    `SELECT passage.conversation_id, passage.owner_id, passage.part, conversation.title, conversation.changed_at,
       snippet(search, 0, char(2), char(3), '…', ${SNIPPET_WORDS}) AS snippet,
       iif(substr(ltrim(passage.text, char(9, 10, 13, 32)), 1, 1) IN ('{', '['),
         highlight(search, 0, char(${startCode}), char(${endCode})), NULL) AS json
     FROM search JOIN passage ON passage.id = search.rowid
       JOIN conversation ON conversation.id = passage.conversation_id
     WHERE search MATCH ? AND search.rowid = ?`,
  );
  /** The results of a conversation, the newest first, up to a number. */
  function hitsOf(query: string, rowIds: readonly number[], limit: number): readonly Hit[] {
    const hits: Hit[] = [];
    for (const rowId of rowIds) {
      if (hits.length === limit) break;
      const row = excerpt.get(query, rowId);
      const hit = row && toHit(row);
      if (hit !== undefined) hits.push(hit);
    }
    return hits;
  }

  return {
    search(text, limit) {
      const query = toQuery(text);
      if (query === undefined) return [];
      const found = Map.groupBy(matches.all(query), (row) => String(row['conversation_id']));
      const hits: Hit[] = [];
      let read = 0;
      for (const rows of found.values()) {
        if (hits.length >= limit || read >= MAX_READ) break;
        const rowIds = rows.slice(0, MAX_READ - read).map((row) => Number(row['rowid']));
        const own = hitsOf(query, rowIds, Math.min(HITS_OF_ONE, limit - hits.length));
        read += own.length < HITS_OF_ONE ? rowIds.length : own.length;
        hits.push(...own);
      }
      return hits;
    },
  };
}

/** Undefined if only the names of JSON fields match. */
function toHit(row: Readonly<Record<string, unknown>>): Hit | undefined {
  const { json } = row;
  const whole = String(row['snippet']);
  const snippet = typeof json === 'string' ? toJsonSnippet(json, whole) : whole;
  if (snippet === undefined) return undefined;
  return {
    conversationId: String(row['conversation_id']),
    title: String(row['title']),
    ownerId: String(row['owner_id']),
    // Parts of rounds have a number: `reasoning/0`.
    part: String(row['part']).split('/')[0] as Hit['part'],
    snippet,
    changedAt: Number(row['changed_at']),
  };
}

/**
 * A query for FTS5: each word in quotes, so that nothing is interpreted as syntax. A phrase in quotation marks stays a
 * phrase; the last word also matches longer words.
 */
export function toQuery(text: string): string | undefined {
  // SQLite ends a query at a NUL, and then misses the closing quote.
  const terms = [...text.replaceAll('\0', ' ').matchAll(/"([^"]+)"?|([^\s"]+)/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
  const words = terms.filter((term) => /[\p{L}\p{N}]/u.test(term));
  if (words.length === 0) return undefined;
  const open = !text.endsWith(' ') && !text.endsWith('"');
  return words.map((word, i) => `"${word}"${open && i === words.length - 1 ? '*' : ''}`).join(' ');
}
