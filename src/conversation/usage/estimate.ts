/**
 * Estimates tokens and cost before a request is sent, based on the usage that the service last reported
 * (docs/service.md).
 */
import { CACHE_BLOCK_TOKENS, CACHE_THRESHOLD_TOKENS, CONTEXT_WINDOW_TOKENS } from '../../service/limits.ts';
import type { Prices } from '../../service/prices.ts';
import type { ChatRequest, Message } from '../../service/types.ts';
import { allTurns } from '../allExchanges.ts';
import { toAskedText } from '../context/context.ts';
import { type Conversation, shownTurn } from '../conversation.ts';
import type { Question } from '../question.ts';
import { findRoom, type SentPart, toSentParts } from '../requestMessages/compaction.ts';
import { changedTokens } from '../requestMessages/keptResults.ts';
import { omittedTokens } from '../requestMessages/omissions.ts';
import { countParts, findChangedPart, toPrefix } from '../requestMessages/prefix.ts';
import { hasReasoning, hasReasoningField, toReplay, toSentReasoning } from '../requestMessages/replay.ts';
import { REQUEST_OVERHEAD_TOKENS, sizeOfMessage, toolTokens } from '../requestMessages/requestParts.ts';
import { isSent, toPieces } from '../requestMessages/transcript.ts';
import type { ModelResponse } from '../response.ts';
import { latestResponse } from '../rounds.ts';
import { type Destination, isFromRoute } from '../routePlace.ts';
import type { Turn } from '../turn.ts';
import { hasFinalUsage, latestUsage, showsLength } from './cost.ts';
import { estimateTokens, IMAGE_TOKENS } from './tokens.ts';
import { outputTokens, sinceReport, turnTokens } from './turnTokens.ts';

export interface Estimate {
  /** Prompt tokens of the next request. */
  readonly promptTokens: number;
  /** The prompt tokens that are probably cached. */
  readonly cachedTokens: number;
  readonly windowTokens: number;
  /** USD for the prompt. The cost of the answer isn't known in advance. */
  readonly inputCost: number;
  /** The tokens of tool results that will be left out, because the context window would nearly be full with them. */
  readonly leftOutTokens?: number;
}

/** The parts of a request's size that depend on its route. */
export interface RouteSize {
  readonly tools?: ChatRequest['tools'];
  /** Tokens for each estimated token of text; by default 1. */
  readonly ratio?: number;
  /** The route itself, which determines how earlier answers are sent back. */
  readonly route?: Destination | undefined;
}

/**
 * Estimates the next request of a conversation. For the last turn that reported usage, the tokens of its prompt and answer are
 * exact; only the messages after it are estimated. Tool results that will be left out to make room don't count.
 *
 * @param draft the text of the question's message, with its context
 */
export function estimateNext(
  conversation: Conversation,
  systemPrompt: string,
  draft: string,
  images: number,
  prices: Prices,
  { tools, ratio = 1, route }: RouteSize = {},
): Estimate {
  const known = conversation.exchanges.findLastIndex((exchange) => {
    const turn = shownTurn(exchange);
    return (
      latestUsage(turn) && isSent(exchange) && turn?.request.otherChat !== true && !isOtherDemo(turn, route)
    );
  });
  const last = conversation.exchanges[known] && shownTurn(conversation.exchanges[known]);
  const usage = latestUsage(last);
  const isBare = route !== undefined && toSentReasoning(allTurns(conversation), route) === 'none';
  const unsent = last !== undefined && usage === last.usage && !isSentBack(last);
  const reported =
    usage?.promptTokens === undefined
      ? usage?.totalTokens
      : usage.promptTokens + (unsent ? 0 : outputTokens(usage, last, ratio, isBare));
  const cached = isOtherRoute(last, route) ? 0 : (usage?.promptTokens ?? 0);
  const reportedExchanges = conversation.exchanges.slice(0, known + 1);
  const changed = reported === undefined ? 0 : changedTokens(reportedExchanges, last?.request.prefix);
  const base =
    reported ?? REQUEST_OVERHEAD_TOKENS + (estimateTokens(systemPrompt) + toolTokens(tools)) * ratio;
  const since = conversation.exchanges.slice(known + 1).reduce(
    (sum, exchange) => {
      const turn = shownTurn(exchange);
      if (turn === undefined || !isSent(exchange)) return sum;
      const left = exchange.question.keepsResults ? 0 : omittedTokens(turn);
      return sum + questionTokens(exchange.question, ratio) + turnTokens(turn, ratio, isBare) - left;
    },
    sinceReport(last, ratio, isBare),
  );
  const promptTokens = base + changed + since + estimateTokens(draft) * ratio + images * IMAGE_TOKENS;
  const room = findRoom(
    { earlier: () => partsOf(conversation.exchanges, ratio, route) },
    promptTokens,
    prices,
    ratio,
  );
  if (room === undefined) return toEstimate(promptTokens, cached, prices);
  const unchanged = Math.min(cached, room.unchanged);
  return { ...toEstimate(promptTokens - room.freed, unchanged, prices), leftOutTokens: room.freed };
}

/**
 * Whether a turn is from another route or model, so that nothing of it is cached. Two routes at the same address can have
 * different keys.
 */
function isOtherRoute(turn: Turn | undefined, route: Omit<Destination, 'kind'> | undefined): boolean {
  if (turn === undefined || route === undefined) return false;
  const { request } = turn;
  if (request.routeName !== route.name && route.hasRoute?.(request.routeName) === true) return true;
  return !isFromRoute(request, route) || (route.model !== undefined && route.model !== request.model);
}

/** The demo doesn't count tokens as a service does. */
const isOtherDemo = (turn: Turn | undefined, route: Omit<Destination, 'kind'> | undefined): boolean =>
  turn?.request.demo === true && isOtherRoute(turn, route);

/** Cached, because the estimate is made with every character that the user types. */
const measured = new WeakMap<
  Conversation['exchanges'],
  { readonly by: string; readonly parts: readonly SentPart[] }
>();

function partsOf(exchanges: Conversation['exchanges'], ratio: number, route: RouteSize['route']) {
  const by = `${ratio} ${route?.kind} ${route?.place} ${route?.name}`;
  const known = measured.get(exchanges);
  if (known?.by === by) return known.parts;
  const parts = toSentParts(toPieces(exchanges, route && toReplay(exchanges, route)), ratio);
  measured.set(exchanges, { by, parts });
  return parts;
}

/**
 * Estimates a complete request: all messages, images, and tool definitions. If it starts with the complete earlier request, the
 * reported tokens of that request are exact, and only what follows is estimated.
 *
 * @param earlier the turn whose latest request was sent before this one
 * @param ratio tokens of the route for each estimated token of text
 * @param route the route of the request; by default, that of the earlier one
 */
export function estimateRequest(
  request: ChatRequest,
  earlier: Turn | undefined,
  prices: Prices,
  ratio = 1,
  route?: Omit<Destination, 'kind'>,
): Estimate {
  const before = earlier?.request.prefix ?? '';
  const known = countParts(before);
  const changed = findChangedPart(before, toPrefix(request));
  const response = earlier && latestResponse(earlier);
  const isKnown = changed === -1 && known > 0 && !isOtherDemo(earlier, route);
  const usage = isKnown && showsLength(response?.usage) ? response.usage : undefined;
  const isOther = isOtherRoute(earlier, route);
  const sizes = request.messages.map((message) => sizeOfMessage(message, ratio).tokens);
  const parts = [0, toolTokens(request.tools) * ratio, ...sizes];
  const sum = (from: number, to?: number) => parts.slice(from, to).reduce((all, part) => all + part, 0);
  if (usage === undefined) {
    const unchanged = isOther ? 0 : sum(0, changed === -1 ? known : changed);
    return toEstimate(REQUEST_OVERHEAD_TOKENS + sum(0), unchanged, prices);
  }
  // The first message after the earlier request is its answer, whose tokens were reported.
  const answered = isSentBack(response) && isWholeAnswer(request.messages[known - FIRST_MESSAGE], response);
  const output = usage.promptTokens === undefined ? 0 : usage.completionTokens;
  const isWhole = earlier !== undefined && response !== undefined && hasFinalUsage(response, earlier);
  const exact = answered && output !== undefined && isWhole;
  const base = (usage.promptTokens ?? usage.totalTokens ?? 0) + (exact ? output : 0);
  const cached = isOther ? 0 : (usage.promptTokens ?? 0);
  return toEstimate(base + sum(known + (exact ? 1 : 0)), cached, prices);
}

/** The parts of a request before its messages: the model and the tools. */
const FIRST_MESSAGE = 2;

/** Reasoning without an answer is not sent back. */
const isSentBack = (response: ModelResponse | undefined) =>
  response !== undefined && (response.answer.trim() !== '' || response.toolCalls.length > 0);

/** Whether a message is the complete answer, including the reasoning if that has its own field. */
const isWholeAnswer = (message: Message | undefined, response: ModelResponse | undefined): boolean =>
  message?.role === 'assistant' &&
  (response === undefined ||
    (hasReasoning(response) ? !hasReasoningField(response) : !response.usage?.reasoningTokens) ||
    (message.reasoning_content ?? message.reasoning ?? message.reasoning_details) !== undefined);

/** @param unchanged the tokens at the start of the prompt that were sent before */
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
 * The input of questions that are asked one after the other in a conversation. Each request repeats the conversation and the
 * earlier questions, which are probably cached. The answers to the questions are not counted.
 *
 * @param drafts the text of each question's message, with its context
 * @returns the tokens of all requests, and the cost of their input in USD
 */
export function estimateSeries(
  conversation: Conversation,
  systemPrompt: string,
  [first, ...others]: readonly string[],
  prices: Prices,
  route: RouteSize = {},
): { readonly tokens: number; readonly cost: number } {
  if (first === undefined) return { tokens: 0, cost: 0 };
  let request = estimateNext(conversation, systemPrompt, first, 0, prices, route);
  let { promptTokens: tokens, inputCost: cost } = request;
  for (const draft of others) {
    const earlier = request.promptTokens;
    request = toEstimate(earlier + estimateTokens(draft) * (route.ratio ?? 1), earlier, prices);
    tokens += request.promptTokens;
    cost += request.inputCost;
  }
  return { tokens, cost };
}

/** The prompt tokens that the service can cache: complete blocks, and none of a short prompt (R11). */
function toCacheable(promptTokens: number): number {
  if (promptTokens <= CACHE_THRESHOLD_TOKENS) return 0;
  return Math.floor(promptTokens / CACHE_BLOCK_TOKENS) * CACHE_BLOCK_TOKENS;
}

function questionTokens(question: Question, ratio: number): number {
  const sent = question.images.filter(({ omitted }) => omitted !== true).length;
  return estimateTokens(toAskedText(question)) * ratio + sent * IMAGE_TOKENS;
}
