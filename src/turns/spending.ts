/**
 * The daily cap. The user is asked before any request that would exceed it, whatever sends the request: a conversation,
 * a round of its tools, another chat, or Check Connection. An approval raises the limit by one more daily cap, for all
 * of them, until midnight, in this window: a tool loop makes many requests, and a dialog for each would be dismissed
 * without being read. After a change of the cap the user is asked again.
 */

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
   * Asks the user when a request would exceed today's limit.
   *
   * @param dailyCap USD
   * @param inputCost USD, estimated
   * @returns undefined when the request may be sent; otherwise the reason
   */
  check(dailyCap: number, inputCost: number, asker: Asker): Promise<Spending | undefined>;
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

  function findExcess(dailyCap: number, inputCost: number): Spending | undefined {
    const valid = consent?.day === dayOf(now()) && consent.dailyCap === dailyCap;
    const cap = valid && consent !== undefined ? consent.upTo : dailyCap;
    const spent = [...running.values()].reduce((sum, cost) => sum + cost, spentToday());
    return spent + inputCost > cap ? { cap, spent, inputCost } : undefined;
  }

  async function ask(dailyCap: number, inputCost: number, asker: Asker): Promise<Spending | undefined> {
    const excess = findExcess(dailyCap, inputCost);
    if (excess === undefined || !(await confirm(excess, asker))) return excess;
    consent = { day: dayOf(now()), dailyCap, upTo: excess.spent + inputCost + dailyCap };
    return undefined;
  }

  return {
    async check(dailyCap, inputCost, asker) {
      if (findExcess(dailyCap, inputCost) === undefined) return undefined;
      // One dialog at a time: the approval can be enough for the other requests too.
      const answer = asking.then(() => ask(dailyCap, inputCost, asker));
      asking = answer.catch(() => undefined);
      return answer;
    },
    putRunning: (turnId, cost) => void running.set(turnId, cost),
    dropRunning: (turnId) => void running.delete(turnId),
  };
}

const dayOf = (time: number) => new Date(time).toDateString();
