/**
 * Estimates tokens and cost before a request is sent, based on the usage that the service last reported
 * (docs/service.md).
 */
import {
  CACHE_BLOCK_TOKENS,
  CACHE_THRESHOLD_TOKENS,
  CONTEXT_WINDOW_TOKENS,
  DEFAULT_MAX_COMPLETION_TOKENS,
  type Prices,
} from '../service/limits.ts';
import type { ChatRequest, Message } from '../service/types.ts';
import { toAskedText } from './context.ts';
import { hasUsage, latestUsage } from './cost.ts';
import { toPrefix } from './prefix.ts';
import { sizeOf } from './requestParts.ts';
import type { ModelResponse } from './response.ts';
import { latestResponse } from './rounds.ts';
import { estimateTokens, IMAGE_TOKENS } from './tokens.ts';
import { type Call, type Conversation, type Question, shownTurn, type Turn } from './turn.ts';

const REQUEST_OVERHEAD_TOKENS = 90;

export interface Estimate {
  /** Prompt tokens of the next request. */
  readonly promptTokens: number;
  /** The prompt tokens that are probably cached. */
  readonly cachedTokens: number;
  readonly windowTokens: number;
  /** USD for the prompt. The cost of the answer isn't known in advance. */
  readonly inputCost: number;
}

/**
 * Estimates the next request of a conversation. For the last turn that reported usage, the tokens of its
 * prompt and answer are exact; only what follows it is estimated.
 *
 * @param draft the text of the question's message, with its context
 */
export function estimateNext(
  conversation: Conversation,
  systemPrompt: string,
  draft: string,
  images: number,
  prices: Prices,
): Estimate {
  const known = conversation.exchanges.findLastIndex((exchange) => latestUsage(shownTurn(exchange)));
  const last = conversation.exchanges[known] && shownTurn(conversation.exchanges[known]);
  const usage = latestUsage(last);
  const unsent = last !== undefined && usage === last.usage && !isSentBack(last);
  const reported =
    usage?.promptTokens === undefined
      ? usage?.totalTokens
      : usage.promptTokens + (unsent ? 0 : (usage.completionTokens ?? 0));
  const base = reported ?? REQUEST_OVERHEAD_TOKENS + estimateTokens(systemPrompt);
  const since = conversation.exchanges.slice(known + 1).reduce((sum, exchange) => {
    const turn = shownTurn(exchange);
    return sum + questionTokens(exchange.question) + (turn === undefined ? 0 : turnTokens(turn));
  }, sinceReport(last));
  const promptTokens = base + since + estimateTokens(draft) + images * IMAGE_TOKENS;
  return toEstimate(promptTokens, usage?.promptTokens ?? 0, prices);
}

/**
 * Estimates a complete request: all messages, images, and tool definitions. If it starts with the complete
 * earlier request, the reported tokens of that request are exact, and only what follows is estimated.
 *
 * @param earlier the turn whose latest request was sent before this one
 */
export function estimateRequest(request: ChatRequest, earlier: Turn | undefined, prices: Prices): Estimate {
  const prefix = toPrefix(request);
  const known = earlier?.request.prefix ?? [];
  const changed = known.findIndex(({ hash }, i) => hash !== prefix[i]?.hash);
  const response = earlier && latestResponse(earlier);
  const usage = changed === -1 && known.length > 0 && hasUsage(response?.usage) ? response.usage : undefined;
  const parts = [0, toolTokens(request), ...request.messages.map((message) => sizeOf(message).tokens)];
  const sum = (from: number, to?: number) => parts.slice(from, to).reduce((all, part) => all + part, 0);
  if (usage === undefined) {
    const unchanged = sum(0, changed === -1 ? known.length : changed);
    return toEstimate(REQUEST_OVERHEAD_TOKENS + sum(0), unchanged, prices);
  }
  // The first message after the earlier request is its answer, whose tokens were reported.
  const answered = isAnswer(request.messages[known.length - FIRST_MESSAGE]) && isSentBack(response);
  const output = usage.promptTokens === undefined ? 0 : usage.completionTokens;
  const exact = answered && output !== undefined;
  const base = (usage.promptTokens ?? usage.totalTokens ?? 0) + (exact ? output : 0);
  return toEstimate(base + sum(known.length + (exact ? 1 : 0)), usage.promptTokens ?? 0, prices);
}

/** The parts of a request before its messages: the model and the tools. */
const FIRST_MESSAGE = 2;

/** Reasoning without an answer is not sent back. */
const isSentBack = (response: ModelResponse | undefined) =>
  response !== undefined && (response.answer.trim() !== '' || response.toolCalls.length > 0);

const isAnswer = (message: Message | undefined) => message?.role === 'assistant';

function toolTokens({ tools = [] }: ChatRequest): number {
  return tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));
}

/** @param unchanged tokens at the start of the prompt that were sent before */
function toEstimate(prompt: number, unchanged: number, prices: Prices): Estimate {
  const promptTokens = Math.round(prompt);
  const cachedTokens = Math.min(promptTokens, toCacheable(unchanged));
  return {
    promptTokens,
    cachedTokens,
    windowTokens: CONTEXT_WINDOW_TOKENS,
    inputCost: ((promptTokens - cachedTokens) * prices.input + cachedTokens * prices.cachedInput) / 1_000_000,
  };
}

/**
 * The input of questions that are asked one after the other in a conversation: each request has the earlier questions
 * again, which are probably cached. Answers are not counted.
 *
 * @param sizes the tokens of each question
 * @returns tokens of all requests, and their cost in USD
 */
export function estimateSeries(
  sizes: readonly number[],
  prices: Prices,
): { readonly tokens: number; readonly cost: number } {
  let earlier = 0;
  let tokens = 0;
  let cost = 0;
  for (const size of sizes) {
    const { promptTokens, inputCost } = toEstimate(earlier + size, earlier, prices);
    tokens += promptTokens;
    cost += inputCost;
    earlier += size;
  }
  return { tokens, cost };
}

/** All responses of a turn, and the results of its tools. */
function turnTokens(turn: Turn): number {
  return turn.rounds.reduce(
    (sum, round) => sum + responseTokens(round) + resultTokens(round.toolCalls),
    responseTokens(turn),
  );
}

/** Everything in a turn after the last request that reported its usage. */
function sinceReport(turn: Turn | undefined): number {
  if (turn === undefined || hasUsage(turn.usage)) return 0;
  const at = turn.rounds.findLastIndex(({ usage }) => hasUsage(usage));
  const round = turn.rounds[at];
  if (round === undefined) return 0;
  return turnTokens({ ...turn, rounds: turn.rounds.slice(at + 1) }) + resultTokens(round.toolCalls);
}

function responseTokens({ answer, reasoning, toolCalls }: ModelResponse): number {
  const calls = toolCalls.reduce((sum, call) => sum + estimateTokens(call.arguments), 0);
  return estimateTokens(answer) + estimateTokens(reasoning) + calls;
}

function resultTokens(calls: readonly Call[]): number {
  return calls.reduce(
    (sum, { result }) =>
      sum + estimateTokens(result?.text ?? '') + (result?.images?.length ?? 0) * IMAGE_TOKENS,
    0,
  );
}

/** The prompt tokens that the service can cache: complete blocks, and none of a short prompt (R11). */
function toCacheable(promptTokens: number): number {
  if (promptTokens <= CACHE_THRESHOLD_TOKENS) return 0;
  return Math.floor(promptTokens / CACHE_BLOCK_TOKENS) * CACHE_BLOCK_TOKENS;
}

function questionTokens(question: Question): number {
  const sent = question.images.filter(({ omitted }) => omitted !== true).length;
  return estimateTokens(toAskedText(question)) + sent * IMAGE_TOKENS;
}

/**
 * The output budget for a retry after reasoning used up the last one (F1), in tokens. `default` uses the
 * service's default. Undefined if there is no larger budget.
 */
export function toLargerBudget(budget: number | undefined): number | 'default' | undefined {
  if (budget === undefined) return DEFAULT_MAX_COMPLETION_TOKENS * 2;
  if (budget < DEFAULT_MAX_COMPLETION_TOKENS) return 'default';
  return budget >= CONTEXT_WINDOW_TOKENS ? undefined : Math.min(budget * 2, CONTEXT_WINDOW_TOKENS);
}
