/**
 * Writes the ends of turns that aren't written with a conversation, because it was deleted or there is none. Also adds up the cost
 * of all turns, including ends that couldn't be written yet.
 */

import { allTurns } from '../conversation/allExchanges.ts';
import { type Conversation, withTurn } from '../conversation/conversation.ts';
import type { Turn } from '../conversation/turn.ts';
import { costOf } from '../conversation/usage/cost.ts';
import type { Prices } from '../service/prices.ts';
import type { RunningCost } from './begunSpend.ts';
import type { Attempt } from './databaseAttempts.ts';
import type { History } from './history.ts';
import { countedAt } from './spendWriting.ts';
import type { AttemptWrite } from './unwrittenParts.ts';

export interface TurnEnds {
  /** Stores the end of a turn of a deleted conversation. It is written now, or with the next `write`. */
  put(conversationId: string, exchangeId: string, turn: Turn): void;
  /** Stores the cost of a turn that belongs to no conversation, under an ID. */
  putSpend(countedAs: string, turn: Turn): void;
  /** Stores the assumed cost of a running turn that belongs to no conversation, in case this window is killed. */
  beginSpend(countedAs: string, assumed: Turn): void;
  /** Renews the rows of such turns of this window. */
  renewSpend(): void;
  /** Records the cost of such turns of killed windows. */
  settleSpend(): void;
  /** Notes the turns of a copy. Their cost is recorded for the originals. */
  addCopy(copy: Conversation): void;
  /** The IDs of turns that were copied into a conversation. */
  copies(conversationId: string): ReadonlySet<string>;
  /** Called after another window wrote to the database. */
  refresh(): void;
  /** Whether the end of a turn of a conversation couldn't be written yet. */
  isDue(conversationId: string): boolean;
  /**
   * A stored conversation with the ends of its turns that couldn't be written yet. Ends that were only assumed are left out, because
   * the database may have the real end.
   */
  withDue(stored: Conversation): Conversation;
  /** Tries again to write ends that couldn't be written. Stops at the first one that fails again. */
  write(): void;
  /**
   * The cost since a time in epoch milliseconds, in USD. Includes the estimated cost of unreported usage, and the cost so far of
   * turns that run in other windows.
   */
  costSince(time: number, memory: ConversationsInMemory): number;
  /** The part of `costSince` that is estimated, because the service didn't report usage. */
  estimatedSince(time: number, memory: ConversationsInMemory): number;
}

export interface ConversationsInMemory {
  /** All conversations in memory. Their new turns are added to the last known sum if the database can't be read. */
  all(): readonly Conversation[];
  /** The conversations with parts that couldn't be written yet. */
  unsaved(): readonly Conversation[];
  /** The running turns of conversations in other windows, as if they ended now. */
  runningElsewhere(): readonly Turn[];
}

export interface TurnEndsDeps {
  readonly history:
    | Pick<
        History,
        | 'putEnd'
        | 'putSpend'
        | 'beginSpend'
        | 'renewSpend'
        | 'settleSpend'
        | 'begunElsewhere'
        | 'costSince'
        | 'estimatedSince'
        | 'recorded'
        | 'copies'
      >
    | undefined;
  prices(): Prices;
  readonly attempt: Attempt;
  readonly write: AttemptWrite;
}

/** The end of a turn, and the conversation ID under which its cost is recorded. */
interface UnwrittenEnd {
  readonly conversationId: string;
  /** Undefined for a turn without a conversation. */
  readonly exchangeId: string | undefined;
  readonly turn: Turn;
}

export function createTurnEnds(deps: TurnEndsDeps): TurnEnds {
  const { history, prices, attempt } = deps;
  let unwritten: readonly UnwrittenEnd[] = [];
  const copied = new Set<string>();
  /** The copied turns in the database, by conversation ID. Cached, because the status bar asks for them each second. */
  const stored = new Map<string, ReadonlySet<string>>();
  /** Conversations whose entry in `stored` is up to date, because no other window has written since. */
  const current = new Set<string>();
  /** The sums of the last successful read, the start of their period, and the turns that were in memory then. */
  const last = new Map<
    keyof RunningCost,
    { readonly time: number; readonly sum: number; readonly counted: ReadonlySet<string> }
  >();

  function write(): void {
    if (history === undefined || unwritten.length === 0) return;
    deps.write('ends', 'writing how a turn ended', () => {
      for (const one of unwritten) {
        const { conversationId, exchangeId, turn } = one;
        if (exchangeId === undefined) history.putSpend(conversationId, turn, prices());
        else history.putEnd(conversationId, exchangeId, turn, prices());
        unwritten = unwritten.filter((other) => other !== one);
      }
    });
  }

  function add(end: UnwrittenEnd): void {
    unwritten = [...unwritten.filter(({ turn }) => turn.id !== end.turn.id), end];
    write();
  }

  /** The cost of the turns that ended since a time. A turn that is listed twice counts once. */
  function sumOf(turns: readonly Turn[], time: number, costOfOne: (turn: Turn) => number): number {
    return [...new Map(turns.map((turn) => [turn.id, turn])).values()]
      .filter((turn) => countedAt(turn) >= time && turn.outcome !== undefined && !copied.has(turn.id))
      .reduce((sum, turn) => sum + costOfOne(turn), 0);
  }

  function sumSince(
    key: keyof RunningCost,
    time: number,
    memory: ConversationsInMemory,
    read: () => number | undefined,
    costOfOne: (turn: Turn) => number,
  ): number {
    const waiting = unwritten.map(({ turn }) => turn);
    const known = [...memory.all().flatMap(allTurns), ...waiting].filter(
      ({ outcome }) => outcome !== undefined,
    );
    const stored = attempt('adding up what was spent', read);
    if (stored !== undefined) {
      const sum = stored + sumOf([...unrecorded(memory), ...waiting], time, costOfOne);
      last.set(key, { time, sum, counted: new Set(known.map(({ id }) => id)) });
      return sum;
    }
    const before = last.get(key);
    if (before?.time !== time) return sumOf(known, time, costOfOne);
    return (
      before.sum +
      sumOf(
        known.filter(({ id }) => !before.counted.has(id)),
        time,
        costOfOne,
      )
    );
  }

  /** The cost so far of turns in other windows. These windows record it when the turns end. */
  const elsewhere = (
    memory: ConversationsInMemory,
    key: keyof RunningCost,
    costOfOne: (turn: Turn) => number,
  ) =>
    memory.runningElsewhere().reduce((sum, turn) => sum + costOfOne(turn), 0) +
    (attempt('adding up what was spent', () => history?.begunElsewhere())?.[key] ?? 0);

  /** The turns of unsaved conversations whose cost isn't in the database, for example because the disk is full. */
  function unrecorded(memory: ConversationsInMemory): readonly Turn[] {
    const turns = memory.unsaved().flatMap(allTurns);
    if (turns.length === 0) return turns;
    const ids = turns.map(({ id }) => id);
    const recorded = attempt('adding up what was spent', () => history?.recorded(ids));
    return turns.filter(({ id }) => recorded?.has(id) !== true);
  }

  return {
    put: (conversationId, exchangeId, turn) => add({ conversationId, exchangeId, turn }),
    putSpend: (conversationId, turn) => add({ conversationId, exchangeId: undefined, turn }),
    beginSpend(countedAs, assumed) {
      attempt('keeping what a turn costs', () => history?.beginSpend(countedAs, assumed, prices()));
    },
    renewSpend() {
      attempt('keeping what a turn costs', () => history?.renewSpend());
    },
    settleSpend() {
      attempt('ending turns of closed windows', () => history?.settleSpend());
    },
    addCopy(copy) {
      for (const { id } of allTurns(copy)) copied.add(id);
    },
    copies(id) {
      const read = current.has(id) ? undefined : attempt('finding copies', () => history?.copies(id));
      if (read !== undefined) stored.set(id, read);
      if (read !== undefined) current.add(id);
      return new Set([...copied, ...(stored.get(id) ?? [])]);
    },
    refresh: () => current.clear(),
    isDue: (id) => unwritten.some(({ conversationId }) => conversationId === id),
    withDue: (stored) =>
      unwritten.reduce(
        (all, { conversationId, exchangeId, turn }) =>
          conversationId === stored.id && exchangeId !== undefined && turn.windowClosed !== true
            ? withTurn(all, exchangeId, turn)
            : all,
        stored,
      ),
    write,
    costSince(time, memory) {
      const given = prices();
      const costOfOne = (turn: Turn) => (costOf(turn, given) ?? 0) + estimatedCostOf(turn);
      const recorded = sumSince('cost', time, memory, () => history?.costSince(time), costOfOne);
      return recorded + elsewhere(memory, 'cost', costOfOne);
    },
    estimatedSince: (time, memory) =>
      sumSince('estimated', time, memory, () => history?.estimatedSince(time), estimatedCostOf) +
      elsewhere(memory, 'estimated', estimatedCostOf),
  };
}

const estimatedCostOf = ({ estimatedCost = 0 }: Turn): number => estimatedCost;
