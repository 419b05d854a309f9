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
  /** The estimated part of `spent`, for which the service didn't report usage. Not set if there is none. */
  readonly estimated?: number;
  /** The estimated cost of the input of the request. The cost of the answer isn't known in advance. */
  readonly inputCost: number;
}

/** The next request to be sent. */
export interface PlannedRequest {
  readonly turnId: string;
  /** USD */
  readonly dailyCap: number;
  /** USD, estimated */
  readonly inputCost: number;
  readonly asker: Asker;
  /** Aborts if the request won't be sent. */
  readonly signal: AbortSignal;
}

export interface SpendingDeps {
  /** USD since midnight, of turns that are recorded; estimated where the service didn't report usage. */
  spentToday(): number;
  /** The estimated part of `spentToday()`. If missing, there is none. */
  estimatedToday?(): number;
  /** Asks the user whether more may be spent today. */
  confirm(spending: Spending, asker: Asker): Promise<boolean>;
  /** Epoch milliseconds. */
  now(): number;
}

export interface DailyCapPolicy {
  /**
   * Asks the user if a request would exceed today's limit. Rejects with the signal's reason if the signal aborts before the user
   * has answered; a later answer allows nothing. The estimate of a request that may be sent counts as spent until `putRunning` or
   * `dropRunning`. If another request of the turn follows before `putRunning`, the estimate counts until `dropRunning`.
   *
   * @returns undefined if the request may be sent; otherwise the reason
   */
  check(request: PlannedRequest): Promise<Spending | undefined>;
  /**
   * Records the cost of a running turn so far, in USD, including its last request. Undefined if the service hasn't reported the
   * usage of that request.
   */
  putRunning(turnId: string, cost: number | undefined): void;
  /** Removes the estimate of the last request of a turn, because the service refused the request and doesn't bill it. */
  dropRefused(turnId: string): void;
  /** Removes a turn that has ended or will not run; from then on its cost is part of `spentToday`. */
  dropRunning(turnId: string): void;
}

interface Consent {
  readonly day: string;
  readonly dailyCap: number;
  readonly upTo: number;
}

export function createDailyCapPolicy({
  spentToday,
  estimatedToday,
  confirm,
  now,
}: SpendingDeps): DailyCapPolicy {
  const running = new Map<string, number>();
  /** The estimates of requests whose usage isn't reported yet, by the id of their turn. The estimate of the last request is last. */
  const reserved = new Map<string, readonly number[]>();
  let consent: Consent | undefined;
  let asking: Promise<unknown> = Promise.resolve();

  function findExcess({ dailyCap, inputCost }: PlannedRequest): Spending | undefined {
    const valid = consent?.day === dayOf(now()) && consent.dailyCap === dailyCap;
    const cap = valid && consent !== undefined ? consent.upTo : dailyCap;
    // There is no cap. Adding up would read the turns of other windows.
    if (cap === Number.POSITIVE_INFINITY) return undefined;
    const spent = [...running.values(), ...[...reserved.values()].flat()].reduce(
      (sum, cost) => sum + cost,
      spentToday(),
    );
    if (spent + inputCost <= cap) return undefined;
    const estimated = estimatedToday?.() ?? 0;
    return { cap, spent, inputCost, ...(estimated > 0 && { estimated }) };
  }

  function reserve({ turnId, inputCost }: PlannedRequest): void {
    reserved.set(turnId, [...(reserved.get(turnId) ?? []), inputCost]);
  }

  async function ask(request: PlannedRequest): Promise<Spending | undefined> {
    const { dailyCap, inputCost, asker, signal } = request;
    signal.throwIfAborted();
    const excess = findExcess(request);
    if (excess !== undefined) {
      const day = dayOf(now());
      if (!(await confirm(excess, asker))) return excess;
      signal.throwIfAborted();
      // The dialog was open at midnight, so its figures and the approval are those of the previous day.
      if (dayOf(now()) !== day) return ask(request);
      consent = { day, dailyCap, upTo: excess.spent + inputCost + dailyCap };
    }
    reserve(request);
    return undefined;
  }

  return {
    async check(request) {
      if (findExcess(request) === undefined) {
        reserve(request);
        return undefined;
      }
      const before = reserved.get(request.turnId);
      // One dialog at a time: the approval can be enough for the other requests too.
      const answer = asking.then(() => ask(request));
      // The caller gets the error. Later requests still ask.
      asking = answer.catch(() => undefined);
      try {
        return await untilAborted(answer, request.signal);
      } catch (error) {
        // The approval and the abort can come together. Earlier requests count until their turn is recorded.
        if (before === undefined) reserved.delete(request.turnId);
        else if (reserved.has(request.turnId)) reserved.set(request.turnId, before);
        throw error;
      }
    },
    putRunning(turnId, cost) {
      if (cost === undefined) return;
      running.set(turnId, cost);
      // Replaces only the last estimate: an earlier request without usage is never reported. Usage can come twice, so a 0 stays
      // in its place.
      reserved.set(turnId, [...(reserved.get(turnId)?.slice(0, -1) ?? []), 0]);
    },
    dropRefused(turnId) {
      reserved.set(turnId, reserved.get(turnId)?.slice(0, -1) ?? []);
    },
    dropRunning(turnId) {
      running.delete(turnId);
      reserved.delete(turnId);
    },
  };
}

const dayOf = (time: number) => new Date(time).toDateString();
