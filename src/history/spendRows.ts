/** Reads the cost of turns. There is one row per turn, which is kept when its conversation is deleted. */

import type { Outcome } from '../conversation/turn.ts';
import type { ConversationUsage, DayUsage, RouteUsage, UsageSums } from '../conversation/usage/usage.ts';
import { groupBy } from '../text/groupBy.ts';
import { decode, describeWrong } from '../validation/decode.ts';
import type { OnWrong } from './readRecord.ts';
import type { Database } from './sqlite.ts';
import { outcome } from './turnDecoders.ts';

export interface SpendRows {
  /**
   * The cost in USD since a time in epoch milliseconds, including the estimated cost of unreported usage. A turn that ended on a
   * later day than it began counts for the day of its end.
   */
  costSince(time: number): number;
  /** The estimated part of `costSince`, in USD. */
  estimatedSince(time: number): number;
  /** Returns those of the given turn IDs whose cost is recorded. */
  recorded(turnIds: readonly string[]): ReadonlySet<string>;
  /** The IDs of turns that were copied into a conversation. Their cost is recorded for the originals. */
  copies(conversationId: string): ReadonlySet<string>;
  /** Without the demo. */
  byDay(since: number): readonly DayUsage[];
  /** The most expensive first, and the demo last. */
  byRoute(since: number): readonly RouteUsage[];
  /** The most expensive first. */
  byConversation(since: number): readonly ConversationUsage[];
  /** Number of turns for each outcome, without the demo. */
  outcomes(since: number): readonly { readonly outcome: Outcome; readonly turns: number }[];
}

/** Stands for the demo in place of a route name. A route can be called “Demo”, but its name can't be empty. */
export const DEMO_ROUTE = '';

/**
 * The SQL condition for turns with unreported usage, whose cost is estimated. Earlier versions wrote no estimate for turns that
 * failed without text, or whose cost they couldn't estimate.
 */
export const IS_UNREPORTED = `(spend.turn_id IN (SELECT turn_id FROM estimated_spend)
  OR (spend.cost IS NULL AND spend.outcome <> 'failed'))`;
const SUMS = `count(*) AS turns, sum(${IS_UNREPORTED}) AS unreported,
  sum(prompt_tokens) AS prompt, sum(cached_tokens) AS cached, sum(reasoning_tokens) AS reasoning,
  sum(answer_tokens) AS answer,
  coalesce(sum(spend.cost), 0) AS cost`;
const IS_DEMO = `spend.route = '${DEMO_ROUTE}'`;
const BILLED = `spend.route <> '${DEMO_ROUTE}'`;
const DAY = "date(at / 1000, 'unixepoch', 'localtime')";

export function createSpendRows(db: Database, onWrong: OnWrong): SpendRows {
  const costSince = db.prepare(
    `SELECT coalesce(sum(cost), 0) AS cost FROM spend
       WHERE at >= :time OR turn_id IN (SELECT turn_id FROM late_spend WHERE at >= :time)`,
  );
  const estimatedSince = db.prepare(
    'SELECT coalesce(sum(cost), 0) AS cost FROM estimated_spend WHERE at >= :time',
  );
  const sumOf = (sum: ReturnType<Database['prepare']>, time: number) =>
    Number(sum.get({ time })?.['cost'] ?? 0);
  // A turn whose end is in the database is counted, or is a copy of one that is counted.
  const recorded = db.prepare(
    `SELECT value FROM json_each(?) WHERE value IN (SELECT turn_id FROM spend)
       OR value IN (SELECT id FROM turn WHERE outcome IS NOT NULL)`,
  );
  const copies = db.prepare(
    `SELECT id FROM turn WHERE conversation_id = ? AND outcome IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM spend WHERE turn_id = turn.id)`,
  );
  const byDay = db.prepare(
    `SELECT ${DAY} AS day, ${SUMS} FROM spend WHERE at >= ? AND ${BILLED} GROUP BY day ORDER BY day`,
  );
  const firstTokens = db.prepare(
    `SELECT ${DAY} AS day, first_token_ms AS ms FROM spend WHERE at >= ? AND ${BILLED} AND ms IS NOT NULL
       ORDER BY day, ms`,
  );
  const byRoute = db.prepare(
    `SELECT route, ${SUMS} FROM spend WHERE at >= ? GROUP BY route ORDER BY ${IS_DEMO}, cost DESC, route`,
  );
  const byConversation = db.prepare(
    `SELECT conversation_id, title, ${IS_DEMO} AS demo, ${SUMS} FROM spend
       LEFT JOIN conversation ON conversation.id = conversation_id AND deleted_at IS NULL
     WHERE at >= ? GROUP BY conversation_id, demo ORDER BY cost DESC`,
  );
  const outcomes = db.prepare(
    `SELECT outcome, count(*) AS turns FROM spend WHERE at >= ? AND ${BILLED}
       GROUP BY outcome ORDER BY turns DESC`,
  );
  return {
    costSince: (time) => sumOf(costSince, time) + sumOf(estimatedSince, time),
    estimatedSince: (time) => sumOf(estimatedSince, time),
    recorded: (turnIds) => new Set(recorded.all(JSON.stringify(turnIds)).map((row) => String(row['value']))),
    copies: (conversationId) => new Set(copies.all(conversationId).map(({ id }) => String(id))),
    byDay(since) {
      const times = groupBy(firstTokens.all(since), (row) => String(row['day']));
      return byDay.all(since).map((row) => {
        const day = String(row['day']);
        const ordered = times.get(day) ?? [];
        const middle = ordered[Math.floor(ordered.length / 2)];
        return { day, ...toSums(row), firstTokenMs: middle && Number(middle['ms']) };
      });
    },
    byRoute: (since) =>
      byRoute.all(since).map((row) => ({
        route: row['route'] === DEMO_ROUTE ? undefined : String(row['route']),
        ...toSums(row),
      })),
    byConversation: (since) =>
      byConversation.all(since).map((row) => ({
        conversationId: String(row['conversation_id']),
        demo: row['demo'] === 1,
        title: typeof row['title'] === 'string' ? row['title'] : undefined,
        ...toSums(row),
      })),
    outcomes: (since) =>
      outcomes.all(since).flatMap((row) => {
        const decoded = decode(outcome, row['outcome']);
        if (decoded.ok) return [{ outcome: decoded.value, turns: Number(row['turns']) }];
        onWrong(`the outcome of a turn: ${describeWrong(decoded.wrong)}`);
        return [];
      }),
  };
}

function toSums(row: Readonly<Record<string, unknown>>): UsageSums {
  const unreported = Number(row['unreported']);
  const isFree = unreported === 0 && row['prompt'] === null;
  const tokens = (name: string) => (row[name] === null && !isFree ? undefined : Number(row[name]));
  return {
    turns: Number(row['turns']),
    unreported,
    promptTokens: tokens('prompt'),
    cachedTokens: tokens('cached'),
    reasoningTokens: tokens('reasoning'),
    answerTokens: tokens('answer'),
    cost: Number(row['cost']),
  };
}
