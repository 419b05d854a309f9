/** Tokens and cost before sending: an estimate, calibrated by what the service last reported (docs/service.md). */
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
  /** Those of them that the cache probably has. */
  readonly cachedTokens: number;
  readonly windowTokens: number;
  /** USD for the prompt; what the answer costs is not known before. */
  readonly inputCost: number;
}

/**
 * Estimates the next request of a conversation. From the last turn that reported usage its prompt and its answer are
 * exact, only what came since is estimated.
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
  const reported =
    usage?.promptTokens === undefined
      ? usage?.totalTokens
      : usage.promptTokens + (usage.completionTokens ?? 0);
  const base = reported ?? REQUEST_OVERHEAD_TOKENS + estimateTokens(systemPrompt);
  const since = conversation.exchanges.slice(known + 1).reduce((sum, exchange) => {
    const turn = shownTurn(exchange);
    return sum + questionTokens(exchange.question) + (turn === undefined ? 0 : turnTokens(turn));
  }, sinceReport(last));
  const promptTokens = base + since + estimateTokens(draft) + images * IMAGE_TOKENS;
  return toEstimate(promptTokens, usage?.promptTokens ?? 0, prices);
}

/**
 * Estimates a request that is built: all of its messages, images and tool definitions. When it begins with all of the
 * request before it, what that one reported is exact, and only what came since is estimated.
 *
 * @param earlier the turn whose latest request went out before this one
 */
export function estimateRequest(request: ChatRequest, earlier: Turn | undefined, prices: Prices): Estimate {
  const prefix = toPrefix(request);
  const known = earlier?.request.prefix ?? [];
  const changed = known.findIndex(({ hash }, i) => hash !== prefix[i]?.hash);
  const said = earlier && latestResponse(earlier);
  const usage = changed === -1 && known.length > 0 && hasUsage(said?.usage) ? said.usage : undefined;
  const parts = [0, toolTokens(request), ...request.messages.map((message) => sizeOf(message).tokens)];
  const sum = (from: number, to?: number) => parts.slice(from, to).reduce((all, part) => all + part, 0);
  if (usage === undefined) {
    const unchanged = sum(0, changed === -1 ? known.length : changed);
    return toEstimate(REQUEST_OVERHEAD_TOKENS + sum(0), unchanged, prices);
  }
  // What was answered is the first message after the earlier request, with the tokens that were reported for it.
  const answered = isAnswer(request.messages[known.length - FIRST_MESSAGE]);
  const output = usage.promptTokens === undefined ? 0 : usage.completionTokens;
  const exact = answered && output !== undefined;
  const base = (usage.promptTokens ?? usage.totalTokens ?? 0) + (exact ? output : 0);
  return toEstimate(base + sum(known.length + (exact ? 1 : 0)), usage.promptTokens ?? 0, prices);
}

/** Parts of a request before its messages: the model and the tools. */
const FIRST_MESSAGE = 2;

const isAnswer = (message: Message | undefined) => message?.role === 'assistant';

function toolTokens({ tools = [] }: ChatRequest): number {
  return tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));
}

/** @param unchanged tokens at the beginning of the prompt that were sent before */
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

/** Everything that was said in a turn, and what its tools gave. */
function turnTokens(turn: Turn): number {
  return turn.rounds.reduce(
    (sum, round) => sum + saidTokens(round) + resultTokens(round.toolCalls),
    saidTokens(turn),
  );
}

/** What came in a turn after the request that told its usage last. */
function sinceReport(turn: Turn | undefined): number {
  if (turn === undefined || hasUsage(turn.usage)) return 0;
  const at = turn.rounds.findLastIndex(({ usage }) => hasUsage(usage));
  const round = turn.rounds[at];
  if (round === undefined) return 0;
  return turnTokens({ ...turn, rounds: turn.rounds.slice(at + 1) }) + resultTokens(round.toolCalls);
}

function saidTokens({ answer, reasoning, toolCalls }: ModelResponse): number {
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

/** What of a prompt the service keeps: whole blocks, and nothing of a short one (R11). */
function toCacheable(promptTokens: number): number {
  if (promptTokens <= CACHE_THRESHOLD_TOKENS) return 0;
  return Math.floor(promptTokens / CACHE_BLOCK_TOKENS) * CACHE_BLOCK_TOKENS;
}

function questionTokens(question: Question): number {
  const sent = question.images.filter(({ omitted }) => omitted !== true).length;
  return estimateTokens(toAskedText(question)) + sent * IMAGE_TOKENS;
}

/**
 * The output budget for another try after reasoning ate the last one (F1), in tokens; `default` leaves it to the
 * service. Undefined when there is no larger one.
 */
export function toLargerBudget(budget: number | undefined): number | 'default' | undefined {
  if (budget === undefined) return DEFAULT_MAX_COMPLETION_TOKENS * 2;
  if (budget < DEFAULT_MAX_COMPLETION_TOKENS) return 'default';
  return budget >= CONTEXT_WINDOW_TOKENS ? undefined : Math.min(budget * 2, CONTEXT_WINDOW_TOKENS);
}
