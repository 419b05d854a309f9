/** Writes the cost of turns, one row for each turn. */

import { totalUsageOf } from '../conversation/rounds.ts';
import type { Turn } from '../conversation/turn.ts';
import { costOf, hasUsage, isCostKnown, isUnbilled, turnAnswerTokens } from '../conversation/usage/cost.ts';
import type { Prices } from '../service/prices.ts';
import { DEMO_ROUTE } from './spendRows.ts';
import { type Database, toStorageTrouble } from './sqlite.ts';

/**
 * The estimated cost of turns with unreported usage; 0 if nothing can be estimated. These tables are an addition to the tables of
 * version 4, not a new version, so that windows with an earlier version of the extension can keep using the same database.
 */
const ESTIMATED = 'estimated_spend (turn_id TEXT PRIMARY KEY, at INTEGER NOT NULL, cost REAL NOT NULL)';
/** The cost of running turns without a conversation, as if their window were killed now (`begunSpend.ts`). */
const BEGUN = 'begun_spend (turn_id TEXT PRIMARY KEY, pid INTEGER NOT NULL, record TEXT NOT NULL)';
/** When turns ended that began on an earlier day. For the daily cap, they count for the day of their end. */
const LATE = 'late_spend (turn_id TEXT PRIMARY KEY, at INTEGER NOT NULL)';

export function addEstimatedSpend(db: Database): void {
  for (const table of [ESTIMATED, BEGUN, LATE]) {
    try {
      db.exec(`CREATE TABLE IF NOT EXISTS ${table}`);
    } catch (error) {
      const trouble = toStorageTrouble(error);
      // A locked database is opened later: the tables can be added then.
      if (trouble === 'damaged' || trouble === 'busy') throw error;
      // The disk is full, or the database is read-only. This window counts its own turns; the next window tries again.
      db.exec(`PRAGMA temp_store = MEMORY; CREATE TEMP TABLE ${table}`);
    }
  }
}

/** An existing row stays. */
const INSERT_SPEND = `INSERT INTO spend VALUES (:turnId, :at, :conversationId, :route, :model, :outcome,
    :promptTokens, :cachedTokens, :reasoningTokens, :answerTokens, :cost, :firstTokenMs)
  ON CONFLICT (turn_id) DO NOTHING`;

/**
 * Replaces a row unless it has more tokens. Usage only grows, so a row with fewer tokens was written by a window that didn't know
 * the end.
 */
const CORRECT_SPEND = `UPDATE spend SET (at, conversation_id, route, model, outcome, prompt_tokens, cached_tokens,
    reasoning_tokens, answer_tokens, cost, first_token_ms) =
  (:at, :conversationId, :route, :model, :outcome, :promptTokens, :cachedTokens, :reasoningTokens, :answerTokens, :cost,
    :firstTokenMs)
  WHERE turn_id = :turnId AND coalesce(prompt_tokens, 0) + coalesce(reasoning_tokens, 0) + coalesce(answer_tokens, 0)
    <= coalesce(:promptTokens, 0) + coalesce(:reasoningTokens, 0) + coalesce(:answerTokens, 0)`;

/** Excludes copies, which have no row in `spend`. */
const IF_RECORDED = 'WHERE EXISTS (SELECT 1 FROM spend WHERE turn_id = :turnId)';

const PUT_ESTIMATE = `INSERT INTO estimated_spend SELECT :turnId, :at, :cost ${IF_RECORDED}
  ON CONFLICT (turn_id) DO UPDATE SET (at, cost) = (excluded.at, excluded.cost)`;

const PUT_LATE = `INSERT INTO late_spend SELECT :turnId, :at ${IF_RECORDED}
  ON CONFLICT (turn_id) DO UPDATE SET at = excluded.at`;

/** The recorded cost of an ended turn. */
export interface Spend {
  /** A row of `spend`. */
  readonly spend: ReturnType<typeof toRow>;
  /** The estimated cost of unreported usage in USD; undefined if everything is reported. */
  readonly estimate: number | undefined;
  /** The time for which the daily cap counts the turn, in epoch milliseconds. */
  readonly countedAt: number;
}

/** The functions must be called inside a transaction. */
export interface SpendWriting {
  /** @param isNew whether the turn may have no row yet */
  write(figures: Spend, isNew: boolean): void;
  /** @param wasEnded whether the turn had already ended, so that its cost was recorded, unless it is a copy */
  put(conversationId: string, ended: Turn, prices: Prices, wasEnded: boolean): void;
}

export function createSpendWriting(db: Database): SpendWriting {
  const spend = db.prepare(INSERT_SPEND);
  const correct = db.prepare(CORRECT_SPEND);
  const dropEstimate = db.prepare('DELETE FROM estimated_spend WHERE turn_id = ?');
  const putEstimate = db.prepare(PUT_ESTIMATE);
  const putLate = db.prepare(PUT_LATE);

  function write({ spend: row, estimate, countedAt: at }: Spend, isNew: boolean): void {
    const { turnId } = row;
    if (isNew) spend.run(row);
    correct.run(row);
    if (estimate === undefined) dropEstimate.run(turnId);
    else putEstimate.run({ turnId, at, cost: estimate });
    if (at !== row.at) putLate.run({ turnId, at });
  }

  const dropBegun = db.prepare('DELETE FROM begun_spend WHERE turn_id = ?');

  return {
    write,
    put(conversationId, ended, prices, wasEnded) {
      dropBegun.run(ended.id);
      write(toSpend(conversationId, ended, prices), !wasEnded);
    },
  };
}

export const toSpend = (conversationId: string, turn: Turn, prices: Prices): Spend => ({
  spend: toRow(conversationId, turn, prices),
  estimate: isCostKnown(turn) ? undefined : (turn.estimatedCost ?? 0),
  countedAt: countedAt(turn),
});

/** When a turn began, or when it ended if that was on a later day. In epoch milliseconds. */
export function countedAt({ startedAt, timings, endedOn }: Turn): number {
  const end = endedOn ?? Math.round(startedAt + (timings.ended ?? 0));
  return new Date(startedAt).toDateString() === new Date(end).toDateString() ? startedAt : end;
}

function toRow(conversationId: string, turn: Turn, prices: Prices) {
  const all = totalUsageOf(turn);
  const usage = hasUsage(all) ? all : undefined;
  const first = turn.timings.firstReasoning ?? turn.timings.firstAnswer;
  const outcome: string = turn.outcome ?? 'interrupted';
  return {
    turnId: turn.id,
    at: turn.startedAt,
    conversationId,
    route: turn.request.demo === true ? DEMO_ROUTE : turn.request.routeName,
    model: turn.responseModel ?? turn.request.model,
    outcome,
    promptTokens: usage?.promptTokens ?? null,
    cachedTokens: usage?.cachedTokens ?? null,
    reasoningTokens: usage?.reasoningTokens ?? null,
    answerTokens: (usage && turnAnswerTokens(usage, turn)) ?? null,
    cost: costOf(turn, prices) ?? (isUnbilled(turn) ? 0 : null),
    firstTokenMs: first === undefined ? null : Math.round(first),
  };
}
