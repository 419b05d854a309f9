/**
 * Stores running turns that belong to no conversation: those of other chats and of Check Connection. The service bills them also if
 * their window is killed, and nothing else about them is stored.
 */
import * as v from 'valibot';
import type { Turn } from '../conversation/turn.ts';
import { parseJson } from '../service/json.ts';
import type { Prices } from '../service/prices.ts';
import { decode, type Fields } from '../validation/decode.ts';
import { isLeaseDue, isWindowRunning, LEASE_MS, type LeaseDeps } from './leaseRows.ts';
import { createSpendWriting, type Spend, toSpend } from './spendWriting.ts';
import { type Database, transact } from './sqlite.ts';

export interface BegunSpend {
  /**
   * Stores the assumed cost of a running turn, in case its window is killed. The real cost replaces it.
   *
   * @param assumed the turn as it would have ended
   */
  beginSpend(conversationId: string, assumed: Turn, prices: Prices): void;
  /** Renews the rows of the running turns of this window. Must be called more often than every `LEASE_MS` / 2. */
  renewSpend(): void;
  /** Records the costs of turns whose window no longer runs. */
  settleSpend(): void;
  /** The cost so far of turns that run in other windows, in USD, and the estimated part of it. */
  begunElsewhere(): RunningCost;
}

/** USD */
export interface RunningCost {
  readonly cost: number;
  readonly estimated: number;
}

/** Fields of later versions are left out. */
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
  } satisfies Fields<Spend['spend']>),
  /** USD; 0 if there is none. */
  estimate: v.number(),
  /** Rows of earlier versions don't have these. */
  isKnown: v.optional(v.boolean()),
  countedAt: v.optional(v.number()),
});

/**
 * The window that owns a row, and until when this window is known to run, in epoch milliseconds. The process ID alone isn't enough,
 * because another process can get the ID of a killed window. Rows of earlier versions lack these fields.
 */
const sign = v.object({ window: v.string(), until: v.number() });

export function createBegunSpend(db: Database, deps: Omit<LeaseDeps, 'place'>): BegunSpend {
  const { window, pid, now, isAlive, isLeased } = deps;
  const put = db.prepare(
    'INSERT INTO begun_spend VALUES (?, ?, ?) ON CONFLICT (turn_id) DO UPDATE SET pid = excluded.pid, record = excluded.record',
  );
  const renew = db.prepare('UPDATE begun_spend SET record = ? WHERE turn_id = ? AND record = ?');
  const all = db.prepare('SELECT * FROM begun_spend');
  const unrecorded = db.prepare('SELECT * FROM begun_spend WHERE turn_id NOT IN (SELECT turn_id FROM spend)');
  const drop = db.prepare('DELETE FROM begun_spend WHERE turn_id = ?');
  const { write } = createSpendWriting(db);

  const signOf = (row: Readonly<Record<string, unknown>>) => decode(sign, parseJson(String(row['record'])));

  /** Whether the turn runs in this window, also if the window was suspended for long. */
  function isOwn(row: Readonly<Record<string, unknown>>): boolean {
    const signed = signOf(row);
    return signed.ok ? signed.value.window === window : Number(row['pid']) === pid;
  }

  function isLeft(row: Readonly<Record<string, unknown>>): boolean {
    const signed = signOf(row);
    if (!signed.ok) return !isAlive(Number(row['pid']));
    const { window: owner, until } = signed.value;
    return owner !== window && !(isWindowRunning(owner, Number(row['pid']), deps) && isLeased(owner, until));
  }

  function settle(turnId: string, record: string): void {
    // Another window may have settled it.
    if (drop.run(turnId).changes === 0) return;
    const decoded = decode(decoder, parseJson(record));
    if (!decoded.ok) return;
    const { spend, estimate, isKnown = estimate === 0, countedAt = spend.at } = decoded.value;
    // A cost may already be recorded: the window was suspended for so long that another window settled the turn, and then continued.
    write({ spend, estimate: isKnown ? undefined : estimate, countedAt }, true);
  }

  return {
    beginSpend(conversationId, assumed, prices) {
      const { estimate, ...figures } = toSpend(conversationId, assumed, prices);
      const known = { estimate: estimate ?? 0, isKnown: estimate === undefined };
      const record = { ...figures, ...known, window, until: now() + LEASE_MS };
      put.run(assumed.id, pid, JSON.stringify(record));
    },
    renewSpend() {
      for (const row of all.all()) {
        const record = String(row['record']);
        const parsed = parseJson(record);
        const signed = decode(sign, parsed);
        if (!signed.ok || signed.value.window !== window) continue;
        if (!isLeaseDue(signed.value.until, now())) continue;
        // Rows that have changed meanwhile aren't updated.
        renew.run(
          JSON.stringify({ ...Object(parsed), until: now() + LEASE_MS }),
          String(row['turn_id']),
          record,
        );
      }
    },
    begunElsewhere() {
      const records = unrecorded.all().flatMap((row) => {
        const decoded = decode(decoder, parseJson(String(row['record'])));
        return decoded.ok && !isOwn(row) && !isLeft(row) ? [decoded.value] : [];
      });
      const estimated = records.reduce((sum, { estimate }) => sum + estimate, 0);
      return { cost: records.reduce((sum, { spend }) => sum + (spend.cost ?? 0), estimated), estimated };
    },
    settleSpend() {
      for (const row of all.all().filter(isLeft))
        transact(db, () => settle(String(row['turn_id']), String(row['record'])));
    },
  };
}
