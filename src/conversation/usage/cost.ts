import type { Prices } from '../../service/limits.ts';
import type { Usage } from '../../service/types.ts';
import { allTurns } from '../allExchanges.ts';
import type { Conversation } from '../conversation.ts';
import { responsesOf, toFullUsage, totalUsageOf } from '../rounds.ts';
import type { Turn } from '../turn.ts';

/** The cost of a request, in USD, or undefined if the service didn't report enough to calculate it (R10). */
export function toCost(usage: Usage | undefined, prices: Prices): number | undefined {
  if (usage?.promptTokens === undefined || usage.completionTokens === undefined) return undefined;
  const cached = Math.min(usage.cachedTokens ?? 0, usage.promptTokens);
  const fresh = usage.promptTokens - cached;
  return (
    (fresh * prices.input + cached * prices.cachedInput + usage.completionTokens * prices.output) / 1_000_000
  );
}

/**
 * The cost of all requests of a turn, in USD, or undefined if the service didn't report enough to calculate
 * it. The demo is part of the extension and free.
 */
export function costOf(turn: Turn, prices: Prices): number | undefined {
  if (turn.request.demo === true) return 0;
  const usage = totalUsageOf(turn);
  return hasUsage(usage) ? toCost(usage, prices) : undefined;
}

/** Totals over all attempts of a conversation. Attempts and branches that aren't shown were billed too. */
export interface UsageTotals {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  /** Output tokens without reasoning. */
  readonly answerTokens: number;
  readonly totalTokens: number;
  /** USD. */
  readonly cost: number;
  readonly turns: number;
  /** Turns in which a request ended without usage. The totals don't include that request. */
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
  for (const turn of allTurns(conversation)) {
    if (turn.outcome === undefined) continue;
    account = addTurn(account, turn, prices);
  }
  return account;
}

/** Whether the service refused a request before it started to answer. Then there is no usage to report. */
export function isRefused({ failure }: Pick<Turn, 'failure'>): boolean {
  return (failure?.details.status ?? 0) >= 400;
}

/** Whether a turn has nothing to bill: a request was refused, or its only one was stopped before the service had it. */
export function isUnbilled(turn: Turn): boolean {
  const { outcome, rounds, timings, responseId, reasoning, answer } = turn;
  const isUnsent = rounds.length === 0 && timings.connected === undefined;
  const hasNothing = responseId === undefined && reasoning === '' && answer === '';
  return isRefused(turn) || (outcome === 'stopped' && isUnsent && hasNothing);
}

/** Whether usage was reported: a total, or what the total is the sum of. Zero counts as not reported (F6). */
export function hasUsage(usage: Usage | undefined): usage is Usage {
  return usage !== undefined && (toFullUsage(usage).totalTokens ?? 0) > 0;
}

/**
 * Output tokens without reasoning. Never below zero, although some services report more reasoning tokens than
 * output tokens.
 */
export function answerTokensOf(usage: Usage): number | undefined {
  if (usage.completionTokens === undefined) return undefined;
  return Math.max(0, usage.completionTokens - (usage.reasoningTokens ?? 0));
}

function addTurn(account: UsageTotals, turn: Turn, prices: Prices): UsageTotals {
  const free = turn.outcome === 'failed' || isUnbilled(turn) || turn.request.demo === true;
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

/** Whether every request of a turn reported its usage. */
export function isReported(turn: Turn): boolean {
  return responsesOf(turn).every(({ usage }) => hasUsage(usage));
}

/**
 * The usage of the last request of a turn that reported it, which shows the length of the conversation at
 * that time.
 */
export function latestUsage(turn: Turn | undefined): Usage | undefined {
  return turn && responsesOf(turn).findLast(({ usage }) => hasUsage(usage))?.usage;
}
