import type { Prices } from '../../service/prices.ts';
import type { Usage } from '../../service/types.ts';
import { allTurns } from '../allExchanges.ts';
import type { Conversation } from '../conversation.ts';
import type { ModelResponse } from '../response.ts';
import { responsesOf, toFullUsage, totalUsageOf } from '../rounds.ts';
import type { Outcome, Turn } from '../turn.ts';
import { isFreeFailure } from './freeFailure.ts';

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
 * How a response is billed. `free`: nothing is billed. `reported`: its usage says what is billed. `at-least`: its usage is that
 * of its beginning, and more was billed. `unreported`: the service didn't report enough to calculate it (Q10).
 */
export type Billing = 'free' | 'reported' | 'at-least' | 'unreported';

/** The billing of each response of a turn, in order. Everything that is shown about the cost of a turn follows from it. */
export const billsOf = (
  turn: Turn,
): readonly { readonly response: ModelResponse; readonly billing: Billing }[] =>
  responsesOf(turn).map((response) => ({ response, billing: toBilling(response, turn) }));

function toBilling(response: ModelResponse, turn: Turn): Billing {
  if (turn.request.demo === true || isFreeOfCharge(response, turn)) return 'free';
  const { promptTokens, completionTokens } = response.usage ? toFullUsage(response.usage) : {};
  const isKnown = !!promptTokens && completionTokens !== undefined && hasUsage(response.usage);
  if (!isKnown) return 'unreported';
  return hasFinalUsage(response, turn) ? 'reported' : 'at-least';
}

/**
 * Whether nothing of a response arrived, and the request was refused, failed without being billed, or never reached the service.
 * Calls of a round have arrived.
 */
function isFreeOfCharge(response: ModelResponse, turn: Turn): boolean {
  if (response !== turn || hasUsage(response.usage) || writtenText(response) !== '') return false;
  const { failure, timings, outcome, responseId, responseModel, finishReason } = turn;
  if (timings.connected === undefined && responseId === undefined) return true;
  if (failure === undefined || !(outcome === 'failed' || isRefused(turn))) return false;
  const hasBegun = !isRefused(turn) && (responseId ?? responseModel ?? finishReason) !== undefined;
  return isFreeFailure(failure, hasBegun);
}

/**
 * Whether the usage of a response covers all of it. Some services report usage with the first chunk, or with each one. So no text
 * may have come after it, and a finish reason must show that nothing followed. If text came after a finish reason, `[DONE]` or
 * the end of the body must show it.
 */
export function hasFinalUsage(response: ModelResponse, turn: Turn): boolean {
  const { finishReason, wentOn, sawDone, usage, usageIsPart } = response;
  if (usageIsPart || (usage?.completionTokens === 0 && writtenText(response) !== '')) return false;
  if (response !== turn) return true;
  const isOver = !wentOn || sawDone || (turn.outcome !== undefined && READ_TO_END.has(turn.outcome));
  return finishReason !== undefined && finishReason !== 'error' && isOver;
}

const READ_TO_END: ReadonlySet<Outcome> = new Set(['complete', 'truncated', 'spent-on-reasoning', 'empty']);

/** All that the model wrote in a response. */
export const writtenText = ({ reasoning, answer, toolCalls }: ModelResponse): string =>
  reasoning + answer + toolCalls.map((call) => call.name + call.arguments).join('');

/**
 * The cost of the requests of a turn that reported it, in USD, or undefined if none did. The demo is part of the extension and
 * free.
 */
export function costOf(turn: Turn, prices: Prices): number | undefined {
  if (turn.request.demo === true) return 0;
  const costs = billsOf(turn).flatMap(({ response: { usage }, billing }) => {
    const isKnown = billing === 'reported' || billing === 'at-least';
    return isKnown && usage ? (toCost(toFullUsage(usage), prices) ?? []) : [];
  });
  return costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0);
}

/** Whether everything that a turn is billed is known. Otherwise, the cost that was reported is a lower bound. */
export const isCostKnown = (turn: Turn): boolean =>
  billsOf(turn).every(({ billing }) => billing === 'free' || billing === 'reported');

/** Whether nothing of a turn is billed. */
export const isUnbilled = (turn: Turn): boolean => billsOf(turn).every(({ billing }) => billing === 'free');

/** Totals over the attempts of a conversation. Attempts and branches that aren't shown were billed too. */
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
  /** The turns whose cost wasn't reported completely. The totals include what was reported. */
  readonly unreported: number;
}

/** @param copies the ids of the turns that a fork or an import has copied: they were billed in the original */
export function toUsageTotals(
  conversation: Conversation,
  prices: Prices,
  copies?: ReadonlySet<string>,
): UsageTotals {
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
    if (turn.outcome === undefined || copies?.has(turn.id)) continue;
    account = addTurn(account, turn, prices);
  }
  return account;
}

/** Whether the service refused a request before it started to answer. Then there is no usage to report. */
export function isRefused({ failure }: Pick<Turn, 'failure'>): boolean {
  return (failure?.details.status ?? 0) >= 400;
}

/** Whether there are figures to count: a total, or figures that it follows from. Zero counts as not reported (F6). */
export function hasUsage(usage: Usage | undefined): usage is Usage {
  return usage !== undefined && (toFullUsage(usage).totalTokens ?? 0) > 0;
}

/**
 * Whether usage shows the length of its request: the input, or a total that is more than the output. No request has 0 tokens, so
 * an input of 0 is none (Q10).
 */
export function showsLength(usage: Usage | undefined): usage is Usage {
  if (!hasUsage(usage)) return false;
  const { promptTokens, completionTokens = 0, totalTokens = 0 } = toFullUsage(usage);
  return promptTokens === undefined ? totalTokens > completionTokens : promptTokens > 0;
}

/**
 * Output tokens without reasoning. Never below zero, although some services report more reasoning tokens than
 * output tokens.
 */
export function answerTokensOf(usage: Usage): number | undefined {
  if (usage.completionTokens === undefined) return undefined;
  return Math.max(0, usage.completionTokens - (usage.reasoningTokens ?? 0));
}

/** The same for a turn. Undefined if the turn has reasoning, but no reasoning tokens were reported. */
export const turnAnswerTokens = (usage: Usage, turn: Turn): number | undefined =>
  usage.reasoningTokens === undefined && responsesOf(turn).some(({ reasoning }) => reasoning !== '')
    ? undefined
    : answerTokensOf(usage);

function addTurn(account: UsageTotals, turn: Turn, prices: Prices): UsageTotals {
  const unreported = account.unreported + (isCostKnown(turn) ? 0 : 1);
  const usage = totalUsageOf(turn);
  if (!hasUsage(usage)) return { ...account, turns: account.turns + 1, unreported };
  return {
    promptTokens: account.promptTokens + (usage.promptTokens ?? 0),
    cachedTokens: account.cachedTokens + (usage.cachedTokens ?? 0),
    reasoningTokens: account.reasoningTokens + (usage.reasoningTokens ?? 0),
    answerTokens: account.answerTokens + (turnAnswerTokens(usage, turn) ?? 0),
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

/** Whether every request of a turn reported a total, which is what was spent (F6). */
export function hasTotals(turn: Turn): boolean {
  return responsesOf(turn).every(({ usage }) => (usage?.totalTokens ?? 0) > 0);
}

/** The usage of the last request of a turn that reported its input, which shows the length of the conversation at that time. */
export function latestUsage(turn: Turn | undefined): Usage | undefined {
  return turn && responsesOf(turn).findLast(({ usage }) => showsLength(usage))?.usage;
}
