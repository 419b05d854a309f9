/**
 * Ends of turns that are not written with a conversation: of a deleted conversation, or of none. And what all turns cost,
 * with those ends that could not be written yet.
 */

import type { Conversation, Exchange, Turn } from '../conversation/turn.ts';
import { costOf } from '../conversation/usage/cost.ts';
import type { Prices } from '../service/limits.ts';
import type { Attempt } from './attempts.ts';
import type { History } from './history.ts';

export interface TurnEnds {
  /** Keeps the end of a turn of a deleted conversation. It is written at once, or with the next `write`. */
  put(conversationId: string, exchangeId: string, turn: Turn): void;
  /** Keeps the cost of a turn that is not part of any conversation, under an id. */
  putSpend(countedAs: string, turn: Turn): void;
  /** The turns of a copy. Their cost is that of the originals. */
  addCopy(copy: Conversation): void;
  /** Writes what could not be written before. The first end that fails again ends the attempt. */
  write(): void;
  /**
   * USD since a time in epoch milliseconds, with the estimated cost of what the service didn't report.
   *
   * @param inMemory the conversations to add up when the database can't be read
   */
  costSince(time: number, inMemory: () => readonly Conversation[]): number;
  /** The part of it that is estimated, because the service didn't report usage. */
  estimatedSince(time: number, inMemory: () => readonly Conversation[]): number;
}

export interface TurnEndsDeps {
  readonly history: Pick<History, 'putEnd' | 'putSpend' | 'costSince' | 'estimatedSince'> | undefined;
  prices(): Prices;
  readonly attempt: Attempt;
}

/** The end of a turn, and the id that its cost is under. */
interface UnwrittenEnd {
  readonly conversationId: string;
  /** Undefined for a turn without a conversation. */
  readonly exchangeId: string | undefined;
  readonly turn: Turn;
}

export function createTurnEnds({ history, prices, attempt }: TurnEndsDeps): TurnEnds {
  let unwritten: readonly UnwrittenEnd[] = [];
  const copied = new Set<string>();

  function write(): void {
    if (history === undefined || unwritten.length === 0) return;
    attempt('writing how a turn ended', () => {
      for (const one of unwritten) {
        const { conversationId, exchangeId, turn } = one;
        if (exchangeId === undefined) history.putSpend(conversationId, turn, prices());
        else history.putEnd(conversationId, exchangeId, turn, prices());
        unwritten = unwritten.filter((other) => other !== one);
      }
    });
  }

  function add(end: UnwrittenEnd): void {
    unwritten = [...unwritten, end];
    write();
  }

  /** The cost of the turns that ended since a time. One that is there twice counts once. */
  function sumOf(turns: readonly Turn[], time: number, costOfOne: (turn: Turn) => number): number {
    return [...new Map(turns.map((turn) => [turn.id, turn])).values()]
      .filter(({ id, startedAt, outcome }) => startedAt >= time && outcome !== undefined && !copied.has(id))
      .reduce((sum, turn) => sum + costOfOne(turn), 0);
  }

  function sumSince(
    time: number,
    inMemory: () => readonly Conversation[],
    read: () => number | undefined,
    costOfOne: (turn: Turn) => number,
  ): number {
    const waiting = unwritten.map(({ turn }) => turn);
    const stored = attempt('adding up what was spent', read);
    if (stored !== undefined) return stored + sumOf(waiting, time, costOfOne);
    return sumOf([...inMemory().flatMap(({ exchanges }) => turnsOf(exchanges)), ...waiting], time, costOfOne);
  }

  return {
    put: (conversationId, exchangeId, turn) => add({ conversationId, exchangeId, turn }),
    putSpend: (conversationId, turn) => add({ conversationId, exchangeId: undefined, turn }),
    addCopy({ exchanges, branches }) {
      for (const { id } of turnsOf([...exchanges, ...branches.flatMap((branch) => branch.exchanges)]))
        copied.add(id);
    },
    write,
    costSince(time, inMemory) {
      const given = prices();
      return sumSince(
        time,
        inMemory,
        () => history?.costSince(time),
        (turn) => (costOf(turn, given) ?? 0) + estimatedCostOf(turn),
      );
    },
    estimatedSince: (time, inMemory) =>
      sumSince(time, inMemory, () => history?.estimatedSince(time), estimatedCostOf),
  };
}

const estimatedCostOf = ({ estimatedCost = 0 }: Turn): number => estimatedCost;

const turnsOf = (exchanges: readonly Exchange[]): readonly Turn[] =>
  exchanges.flatMap(({ attempts }) => attempts);
