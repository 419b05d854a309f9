/** Compares imported conversations with existing ones, and copies them. */

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { allExchanges } from '../conversation/allExchanges.ts';
import type { Conversation, Exchange } from '../conversation/conversation.ts';
import { withTurnIds } from '../conversation/requestMessages/omissions.ts';
import type { Turn } from '../conversation/turn.ts';
import { toComparable } from './branches.ts';

export interface ImportOptions {
  /** Epoch milliseconds. */
  readonly createdAt: number;
  newId(): string;
}

/** Whether the exports of two conversations are equal. */
export function isSameExport(one: Conversation, other: Conversation): boolean {
  // Compared as JSON, because undefined fields and the order of keys don't count.
  const toPlain = (conversation: Conversation): unknown =>
    JSON.parse(JSON.stringify(toComparable(conversation)));
  return isDeepStrictEqual(toPlain(one), toPlain(other));
}

/** The IDs of a conversation, its exchanges, and its turns, which are keys in the database. */
export const allIdsOf = (conversation: Conversation): readonly string[] => [
  conversation.id,
  ...allExchanges(conversation).flatMap(({ id, attempts }) => [id, ...attempts.map((turn) => turn.id)]),
];

/**
 * Creates IDs for a copy. They depend only on the conversation, so that the copy is found when the same conversation is imported
 * again.
 */
export function toOwnIds(conversation: Conversation): () => string {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);
  const content = hash(JSON.stringify(conversation));
  let count = 0;
  return () => hash(`${content} ${count++}`);
}

/** A complete copy with new IDs, including all branches. If an ID occurs twice, each occurrence gets a new one. */
export function toImportedCopy(
  conversation: Conversation,
  { createdAt, newId }: ImportOptions,
): Conversation {
  const turnIds = new Map<string, string>();
  const exchangeIds = new Map<string, string>();
  const renew = (ids: Map<string, string>, id: string): string => {
    const next = newId();
    if (!ids.has(id)) ids.set(id, next);
    return next;
  };
  const copyTurn = (turn: Turn): Turn => ({ ...turn, id: renew(turnIds, turn.id) });
  const copyExchange = (exchange: Exchange): Exchange => ({
    ...exchange,
    id: renew(exchangeIds, exchange.id),
    attempts: exchange.attempts.map(copyTurn),
  });
  const idOf = (turnId: string) => turnIds.get(turnId) ?? turnId;
  // A question can continue a turn that comes later in the file.
  const relink = (exchange: Exchange): Exchange => {
    const { continues } = exchange.question;
    return {
      ...exchange,
      ...(continues !== undefined && { question: { ...exchange.question, continues: idOf(continues) } }),
      attempts: exchange.attempts.map((turn) => withTurnIds(turn, idOf)),
    };
  };
  const exchanges = conversation.exchanges.map(copyExchange);
  const branches = conversation.branches.map((branch) => ({
    ...branch,
    exchanges: branch.exchanges.map(copyExchange),
  }));
  return {
    ...conversation,
    id: newId(),
    createdAt,
    pinned: false,
    forkedFrom: conversation.id,
    exchanges: exchanges.map(relink),
    branches: branches.map(({ after, exchanges: all }) => ({
      after: after === undefined ? undefined : (exchangeIds.get(after) ?? after),
      exchanges: all.map(relink),
    })),
  };
}
