/**
 * The one policy for money. Before any request that would go past the daily cap the user is asked, whoever asks the
 * service: a conversation, a round of its tools, another chat, or Check Connection. Consent makes room for the cap once
 * more, for all of them and until midnight, in this window: a tool loop makes many requests, and a question for each
 * would be no question any more. Who changes the cap is asked afresh.
 */

/** Whose request it is. */
export type Asker = 'conversation' | 'other-chat' | 'connection-check';

/** Why a request needs consent. All in USD. */
export interface Spending {
  /** What may be spent today: the daily cap, and what was consented to. */
  readonly cap: number;
  /** Today so far, running turns included. */
  readonly spent: number;
  /** Of the input of the next request, estimated; what the answer costs is not known before. */
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
   * Asks the user when a request would go past the cap of today.
   *
   * @param dailyCap USD
   * @param inputCost USD, estimated
   * @returns undefined when the request may go out; otherwise why not
   */
  check(dailyCap: number, inputCost: number, asker: Asker): Promise<Spending | undefined>;
  /** Notes what a turn that runs has cost so far, in USD. */
  putRunning(turnId: string, cost: number): void;
  /** Forgets a turn that has ended: from then on it counts as recorded. */
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
      // One question at a time: the answer to the first may be enough for the others.
      const answer = asking.then(() => ask(dailyCap, inputCost, asker));
      asking = answer.catch(() => undefined);
      return answer;
    },
    putRunning: (turnId, cost) => void running.set(turnId, cost),
    dropRunning: (turnId) => void running.delete(turnId),
  };
}

const dayOf = (time: number) => new Date(time).toDateString();
