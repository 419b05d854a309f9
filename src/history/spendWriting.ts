/** Writes what turns cost: one row for each turn. */

import { totalUsageOf } from '../conversation/rounds.ts';
import type { Turn } from '../conversation/turn.ts';
import { answerTokensOf, costOf, hasUsage, isUnbilled } from '../conversation/usage/cost.ts';
import type { Prices } from '../service/limits.ts';
import { DEMO_ROUTE } from './spendRows.ts';
import { type Database, toStorageTrouble } from './sqlite.ts';

/**
 * The estimated cost of what the service didn't report. The tables are an addition to the tables of version 4, not a new version: a
 * window with an earlier version of the extension goes on with the same database.
 */
const ESTIMATED = 'estimated_spend (turn_id TEXT PRIMARY KEY, at INTEGER NOT NULL, cost REAL NOT NULL)';
/** What running turns without a conversation would cost if their window were killed now (`begunSpend.ts`). */
const BEGUN = 'begun_spend (turn_id TEXT PRIMARY KEY, pid INTEGER NOT NULL, record TEXT NOT NULL)';

export function addEstimatedSpend(db: Database): void {
  for (const table of [ESTIMATED, BEGUN]) {
    try {
      db.exec(`CREATE TABLE IF NOT EXISTS ${table}`);
    } catch (error) {
      const trouble = toStorageTrouble(error);
      // A locked database is opened later: the tables can be added then.
      if (trouble === 'damaged' || trouble === 'busy') throw error;
      // A full disk, or a database that can only be read. This window counts for itself; the next one tries again.
      db.exec(`PRAGMA temp_store = MEMORY; CREATE TEMP TABLE ${table}`);
    }
  }
}

/** A row that is there stays. */
export const INSERT_SPEND = `INSERT INTO spend VALUES (:turnId, :at, :conversationId, :route, :model, :outcome,
    :promptTokens, :cachedTokens, :reasoningTokens, :answerTokens, :cost, :firstTokenMs)
  ON CONFLICT (turn_id) DO NOTHING`;

/** Usage only grows: what has fewer tokens was written by a window that didn't know the end. */
export const CORRECT_SPEND = `UPDATE spend SET (at, conversation_id, route, model, outcome, prompt_tokens, cached_tokens,
    reasoning_tokens, answer_tokens, cost, first_token_ms) =
  (:at, :conversationId, :route, :model, :outcome, :promptTokens, :cachedTokens, :reasoningTokens, :answerTokens, :cost,
    :firstTokenMs)
  WHERE turn_id = :turnId AND coalesce(prompt_tokens, 0) + coalesce(reasoning_tokens, 0) + coalesce(answer_tokens, 0)
    <= coalesce(:promptTokens, 0) + coalesce(:reasoningTokens, 0) + coalesce(:answerTokens, 0)`;

/** Of an id, a time, and a cost. A copy has no row of `spend`, and its cost is that of the original. */
export const PUT_ESTIMATE = `INSERT INTO estimated_spend SELECT turn_id, ?2, ?3 FROM spend WHERE turn_id = ?1
  ON CONFLICT (turn_id) DO UPDATE SET cost = excluded.cost`;

export const DROP_ESTIMATE = 'DELETE FROM estimated_spend WHERE turn_id = ?';

/** Called inside a transaction. */
export interface SpendWriting {
  /** @param wasEnded whether its cost was recorded, unless it is a copy, when it ended before */
  put(conversationId: string, ended: Turn, prices: Prices, wasEnded: boolean): void;
}

export function createSpendWriting(db: Database): SpendWriting {
  const spend = db.prepare(INSERT_SPEND);
  const correct = db.prepare(CORRECT_SPEND);
  const dropEstimate = db.prepare(DROP_ESTIMATE);
  const estimate = db.prepare(PUT_ESTIMATE);

  function putEstimate({ id, startedAt, estimatedCost }: Turn): void {
    if (estimatedCost === undefined) dropEstimate.run(id);
    else estimate.run(id, startedAt, estimatedCost);
  }

  const dropBegun = db.prepare('DELETE FROM begun_spend WHERE turn_id = ?');

  return {
    put(conversationId, ended, prices, wasEnded) {
      dropBegun.run(ended.id);
      const figures = toSpend(conversationId, ended, prices);
      if (!wasEnded) spend.run(figures);
      correct.run(figures);
      putEstimate(ended);
    },
  };
}

/** A row of `spend`. */
export function toSpend(conversationId: string, turn: Turn, prices: Prices) {
  const all = totalUsageOf(turn);
  const usage = hasUsage(all) ? all : undefined;
  const first = turn.timings.firstReasoning ?? turn.timings.firstAnswer;
  return {
    turnId: turn.id,
    at: turn.startedAt,
    conversationId,
    route: turn.request.demo === true ? DEMO_ROUTE : turn.request.routeName,
    model: turn.responseModel ?? turn.request.model,
    outcome: turn.outcome ?? 'interrupted',
    promptTokens: usage?.promptTokens ?? null,
    cachedTokens: usage?.cachedTokens ?? null,
    reasoningTokens: usage?.reasoningTokens ?? null,
    answerTokens: (usage && answerTokensOf(usage)) ?? null,
    cost: costOf(turn, prices) ?? (isUnbilled(turn) ? 0 : null),
    firstTokenMs: first === undefined ? null : Math.round(first),
  };
}
