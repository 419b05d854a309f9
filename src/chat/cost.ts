import type { Prices } from '../service/limits.ts';
import type { Usage } from '../service/types.ts';
import { responsesOf, totalUsageOf } from './rounds.ts';
import type { Conversation, Turn } from './turn.ts';

/** What a request cost, in USD, or undefined when the service did not report enough to know (R10). */
export function toCost(usage: Usage | undefined, prices: Prices): number | undefined {
  if (usage?.promptTokens === undefined || usage.completionTokens === undefined) return undefined;
  const cached = Math.min(usage.cachedTokens ?? 0, usage.promptTokens);
  const fresh = usage.promptTokens - cached;
  return (
    (fresh * prices.input + cached * prices.cachedInput + usage.completionTokens * prices.output) / 1_000_000
  );
}

/**
 * What all requests of a turn cost, in USD; undefined when the service did not report enough to know. The demo is part
 * of the extension and costs nothing.
 */
export function costOf(turn: Turn, prices: Prices): number | undefined {
  if (turn.request.demo === true) return 0;
  const usage = totalUsageOf(turn);
  return hasUsage(usage) ? toCost(usage, prices) : undefined;
}

/** Sums over all attempts of a conversation: what is not shown was paid all the same. */
export interface UsageTotals {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  /** Output that is no reasoning. */
  readonly answerTokens: number;
  readonly totalTokens: number;
  /** USD. */
  readonly cost: number;
  readonly turns: number;
  /** Turns of which a request ended without usage; the sums do not contain it. */
  readonly unreported: number;
}

export function toUsageTotals(conversation: Conversation, prices: Prices): UsageTotals {
  let account: UsageTotals = {
    promptTokens: 0,
    cachedTokens: 0,
    reasoningTokens: 0,
    answerTokens: 0,
    totalTokens: 0,
    cost: 0,
    turns: 0,
    unreported: 0,
  };
  for (const exchange of conversation.exchanges) {
    for (const turn of exchange.attempts) {
      if (turn.outcome === undefined) continue;
      account = addTurn(account, turn, prices);
    }
  }
  return account;
}

/** Whether the service refused a request before it began to answer: then there is nothing to report. */
export function isRefused({ failure }: Pick<Turn, 'failure'>): boolean {
  return (failure?.details.status ?? 0) >= 400;
}

/** A usage block that says something: a total of zero is as good as none (F6). */
export function hasUsage(usage: Usage | undefined): usage is Usage {
  return usage !== undefined && (usage.totalTokens ?? 0) > 0;
}

/** Output tokens that are no reasoning; reasoning has been seen above the whole, so never below zero. */
export function answerTokensOf(usage: Usage): number | undefined {
  if (usage.completionTokens === undefined) return undefined;
  return Math.max(0, usage.completionTokens - (usage.reasoningTokens ?? 0));
}

function addTurn(account: UsageTotals, turn: Turn, prices: Prices): UsageTotals {
  const free = turn.outcome === 'failed' || isRefused(turn) || turn.request.demo === true;
  const unreported = account.unreported + (free || isReported(turn) ? 0 : 1);
  const usage = totalUsageOf(turn);
  if (!hasUsage(usage)) return { ...account, turns: account.turns + 1, unreported };
  return {
    promptTokens: account.promptTokens + (usage.promptTokens ?? 0),
    cachedTokens: account.cachedTokens + (usage.cachedTokens ?? 0),
    reasoningTokens: account.reasoningTokens + (usage.reasoningTokens ?? 0),
    answerTokens: account.answerTokens + (answerTokensOf(usage) ?? 0),
    totalTokens: account.totalTokens + (usage.totalTokens ?? 0),
    cost: account.cost + (costOf(turn, prices) ?? 0),
    turns: account.turns + 1,
    unreported,
  };
}

/** Whether every request of a turn told its usage. */
export function isReported(turn: Turn): boolean {
  return responsesOf(turn).every(({ usage }) => hasUsage(usage));
}

/** The usage of the last request of a turn that reported it: how long the conversation was then. */
export function latestUsage(turn: Turn | undefined): Usage | undefined {
  return turn && responsesOf(turn).findLast(({ usage }) => hasUsage(usage))?.usage;
}
