/** Search over questions, answers and reasoning. */
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

/** Marks the start and end of a match in a snippet; text doesn't normally contain these characters. */
export const MATCH_MARKS = { start: '\u0002', end: '\u0003' } as const;

const SNIPPET_WORDS = 16;

export interface SearchRows {
  /** The newest results that contain all words. The last word also matches longer words. */
  search(text: string, limit: number): readonly Hit[];
}

export function createSearchRows(db: Database): SearchRows {
  const search = db.prepare(
    `SELECT passage.conversation_id, passage.owner_id, passage.part, conversation.title, conversation.changed_at,
       snippet(search, 0, char(2), char(3), '…', ${SNIPPET_WORDS}) AS snippet
     FROM search JOIN passage ON passage.id = search.rowid
       JOIN conversation ON conversation.id = passage.conversation_id
     WHERE search MATCH ? AND conversation.deleted_at IS NULL
     ORDER BY search.rowid DESC LIMIT ?`,
  );
  return {
    search(text, limit) {
      const query = toQuery(text);
      if (query === undefined) return [];
      return search.all(query, limit).map((row) => ({
        conversationId: String(row['conversation_id']),
        title: String(row['title']),
        ownerId: String(row['owner_id']),
        // Parts of rounds have a number: `reasoning/0`.
        part: String(row['part']).split('/')[0] as Hit['part'],
        snippet: String(row['snippet']),
        changedAt: Number(row['changed_at']),
      }));
    },
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
