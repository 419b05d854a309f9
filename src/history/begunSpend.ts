/**
 * Turns without a conversation, of other chats and of Check Connection, while they run: the service bills them also when
 * their window is killed, and nothing else of them is stored.
 */
import * as v from 'valibot';
import type { Turn } from '../conversation/turn.ts';
import { parseJson } from '../service/json.ts';
import type { Prices } from '../service/limits.ts';
import { decode, type Fields } from '../validation/decode.ts';
import type { LeaseDeps } from './leaseRows.ts';
import { INSERT_SPEND, toSpend } from './spendWriting.ts';
import { type Database, transact } from './sqlite.ts';

export interface BegunSpend {
  /**
   * Keeps what a running turn costs if its window is killed now. Its real cost replaces that.
   *
   * @param assumed the turn as it would have ended
   */
  beginSpend(conversationId: string, assumed: Turn, prices: Prices): void;
  /** Records the costs that windows left behind that no longer run. */
  settleSpend(): void;
}

/** A row of `spend`, and the estimated cost of what wasn't reported, in USD. Fields of later versions are left out. */
const decoder = v.object({
  spend: v.object({
    turnId: v.string(),
    at: v.number(),
    conversationId: v.string(),
    route: v.string(),
    model: v.string(),
    outcome: v.string(),
    promptTokens: v.nullable(v.number()),
    cachedTokens: v.nullable(v.number()),
    reasoningTokens: v.nullable(v.number()),
    answerTokens: v.nullable(v.number()),
    cost: v.nullable(v.number()),
    firstTokenMs: v.nullable(v.number()),
  } satisfies Fields<ReturnType<typeof toSpend>>),
  estimate: v.number(),
});

export function createBegunSpend(
  db: Database,
  { pid, isAlive }: Pick<LeaseDeps, 'pid' | 'isAlive'>,
): BegunSpend {
  const put = db.prepare(
    'INSERT INTO begun_spend VALUES (?, ?, ?) ON CONFLICT (turn_id) DO UPDATE SET record = excluded.record',
  );
  const all = db.prepare('SELECT * FROM begun_spend');
  const drop = db.prepare('DELETE FROM begun_spend WHERE turn_id = ?');
  const spend = db.prepare(INSERT_SPEND);
  const estimate = db.prepare(
    'INSERT INTO estimated_spend VALUES (?, ?, ?) ON CONFLICT (turn_id) DO NOTHING',
  );

  function settle(turnId: string, record: string): void {
    // Another window may have settled it.
    if (drop.run(turnId).changes === 0) return;
    const decoded = decode(decoder, parseJson(record));
    if (!decoded.ok) return;
    const figures = decoded.value;
    const isNew = spend.run(figures.spend).changes > 0;
    if (isNew && figures.estimate > 0) estimate.run(turnId, figures.spend.at, figures.estimate);
  }

  return {
    beginSpend(conversationId, assumed, prices) {
      const row = toSpend(conversationId, assumed, prices);
      put.run(assumed.id, pid, JSON.stringify({ spend: row, estimate: assumed.estimatedCost ?? 0 }));
    },
    settleSpend() {
      const left = all.all().filter((row) => !isAlive(Number(row['pid'])));
      for (const row of left) transact(db, () => settle(String(row['turn_id']), String(row['record'])));
    },
  };
}
