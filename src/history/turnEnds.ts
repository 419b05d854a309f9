/**
 * Ends of turns that are not written with a conversation: of a deleted conversation, or of none. And what all turns cost,
 * with those ends that could not be written yet.
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
  /** Keeps the end of a turn of a deleted conversation. It is written at once, or with the next `write`. */
  put(conversationId: string, exchangeId: string, turn: Turn): void;
  /** Keeps the cost of a turn that is not part of any conversation, under an id. */
  putSpend(countedAs: string, turn: Turn): void;
  /** Keeps what a running turn that is not part of any conversation costs if this window is killed. */
  beginSpend(countedAs: string, assumed: Turn): void;
  /** Says that such turns of this window still run. */
  renewSpend(): void;
  /** Records what such turns of killed windows cost. */
  settleSpend(): void;
  /** The turns of a copy. Their cost is that of the originals. */
  addCopy(copy: Conversation): void;
  /** The turns of a conversation that were copied into it, by their ids. */
  copies(conversationId: string): ReadonlySet<string>;
  /** Another window wrote to the database. */
  refresh(): void;
  /** Whether the end of a turn of a conversation could not be written yet. */
  isDue(conversationId: string): boolean;
  /**
   * A conversation as the database has it, with the ends of its turns that could not be written yet. An end that was only
   * assumed is not among them: the database may have the one that the turn really had.
   */
  withDue(stored: Conversation): Conversation;
  /** Writes what could not be written before. The first end that fails again ends the attempt. */
  write(): void;
  /**
   * USD since a time in epoch milliseconds, with the estimated cost of what the service didn't report, and with what the turns
   * of other windows that still run have cost so far.
   */
  costSince(time: number, memory: ConversationsInMemory): number;
  /** The part of it that is estimated, because the service didn't report usage. */
  estimatedSince(time: number, memory: ConversationsInMemory): number;
}

export interface ConversationsInMemory {
  /** What is added to what was read last when the database can't be read. */
  all(): readonly Conversation[];
  /** Those of which something could not be written yet. */
  unsaved(): readonly Conversation[];
  /** The turns of conversations that run in other windows, as they would end now. */
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

/** The end of a turn, and the id that its cost is under. */
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
  /** Those in the database, by the ids of conversations. The status bar asks for them each second. */
  const stored = new Map<string, ReadonlySet<string>>();
  /** Conversations of which another window can't have added copies since they were read. */
  const current = new Set<string>();
  /** The sums as they were read last, since when, and the turns that were in memory then. */
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

  /** The cost of the turns that ended since a time. One that is there twice counts once. */
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

  /** What other windows spend now. They add it to what is recorded when their turns end. */
  const elsewhere = (
    memory: ConversationsInMemory,
    key: keyof RunningCost,
    costOfOne: (turn: Turn) => number,
  ) =>
    memory.runningElsewhere().reduce((sum, turn) => sum + costOfOne(turn), 0) +
    (attempt('adding up what was spent', () => history?.begunElsewhere())?.[key] ?? 0);

  /** The turns of conversations on a full disk whose cost is not in the database. */
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
