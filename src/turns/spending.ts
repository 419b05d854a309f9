/**
 * The daily cap. The user is asked before any request that would exceed it, whatever sends the request: a conversation,
 * a round of its tools, another chat, or Check Connection. An approval raises the limit by one more daily cap, for all
 * of them, until midnight, in this window: a tool loop makes many requests, and a dialog for each would be dismissed
 * without being read. After a change of the cap the user is asked again.
 */

import { untilAborted } from '../service/abort.ts';

/** What sends the request. */
export type Asker = 'conversation' | 'other-chat' | 'connection-check';

/** Why a request needs approval. All amounts in USD. */
export interface Spending {
  /** What may be spent today: the daily cap and what was approved in addition. */
  readonly cap: number;
  /** Spent today, including running turns. */
  readonly spent: number;
  /** Estimated cost of the input of the request. The cost of the answer is not known before. */
  readonly inputCost: number;
}

/** A request that is to be sent next. */
export interface PlannedRequest {
  /** USD */
  readonly dailyCap: number;
  /** USD, estimated */
  readonly inputCost: number;
  readonly asker: Asker;
  /** Aborted when the request will not be sent. */
  readonly signal: AbortSignal;
}

export interface SpendingDeps {
  /** USD since midnight, of turns that are recorded. */
  spentToday(): number;
  /** Asks the user whether more may be spent today. */
  confirm(spending: Spending, asker: Asker): Promise<boolean>;
  /** Epoch milliseconds. */
  now(): number;
}

export interface SpendingPolicy {
  /**
   * Asks the user when a request would exceed today's limit. Rejects with the signal's reason when the signal aborts
   * before the user has answered; an answer after that allows nothing.
   *
   * @returns undefined when the request may be sent; otherwise the reason
   */
  check(request: PlannedRequest): Promise<Spending | undefined>;
  /** Records what a running turn has cost so far, in USD. */
  putRunning(turnId: string, cost: number): void;
  /** Removes a turn that has ended; from then on it is part of `spentToday`. */
  dropRunning(turnId: string): void;
}

interface Consent {
  readonly day: string;
  readonly dailyCap: number;
  readonly upTo: number;
}

export function createSpendingPolicy({ spentToday, confirm, now }: SpendingDeps): SpendingPolicy {
  const running = new Map<string, number>();
  let consent: Consent | undefined;
  let asking: Promise<unknown> = Promise.resolve();

  function findExcess({ dailyCap, inputCost }: PlannedRequest): Spending | undefined {
    const valid = consent?.day === dayOf(now()) && consent.dailyCap === dailyCap;
    const cap = valid && consent !== undefined ? consent.upTo : dailyCap;
    const spent = [...running.values()].reduce((sum, cost) => sum + cost, spentToday());
    return spent + inputCost > cap ? { cap, spent, inputCost } : undefined;
  }

  async function ask(request: PlannedRequest): Promise<Spending | undefined> {
    const { dailyCap, inputCost, asker, signal } = request;
    signal.throwIfAborted();
    const excess = findExcess(request);
    if (excess === undefined || !(await confirm(excess, asker))) return excess;
    signal.throwIfAborted();
    consent = { day: dayOf(now()), dailyCap, upTo: excess.spent + inputCost + dailyCap };
    return undefined;
  }

  return {
    async check(request) {
      if (findExcess(request) === undefined) return undefined;
      // One dialog at a time: the approval can be enough for the other requests too.
      const answer = asking.then(() => ask(request));
      asking = answer.catch(() => undefined);
      return untilAborted(answer, request.signal);
    },
    putRunning: (turnId, cost) => void running.set(turnId, cost),
    dropRunning: (turnId) => void running.delete(turnId),
  };
}

const dayOf = (time: number) => new Date(time).toDateString();
