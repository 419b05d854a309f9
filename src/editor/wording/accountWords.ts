/** The tokens, cost, and times of a turn: as rows of label and value, and in one line. */
import * as vscode from 'vscode';
import { toReasoningFacts } from '../../conversation/reasoning/steps.ts';
import {
  answeringModel,
  firstAnswerOf,
  latestResponse,
  totalTriesOf,
  totalUsageOf,
} from '../../conversation/rounds.ts';
import type { Turn } from '../../conversation/turn.ts';
import {
  costOf,
  hasUsage,
  isCostKnown,
  isUnbilled,
  turnAnswerTokens,
} from '../../conversation/usage/cost.ts';
import { toCostText } from '../../panel/usage.ts';
import type { Prices } from '../../service/prices.ts';
import { aboutTokensText, formatCost, formatSeconds, formatTokens, tokensText } from '../base/formats.ts';
import { routeText } from './routeWords.ts';

const t = vscode.l10n.t;

/**
 * The label and value of each figure of a turn. The value says so if the service did not report a figure, or has not
 * reported it yet.
 */
export function toAccountRows(turn: Turn, prices: Prices): readonly { label: string; value: string }[] {
  const missing = missingText(turn);
  const all = totalUsageOf(turn);
  const usage = hasUsage(all) ? all : undefined;
  const said = latestResponse(turn);
  const requests = totalTriesOf(turn);
  const tokens = (value: number | undefined) => (value === undefined ? missing : formatTokens(value));
  const { timings } = turn;
  const rows = [
    { label: t('Input tokens'), value: tokens(usage?.promptTokens) },
    { label: t('Cached input tokens'), value: tokens(usage?.cachedTokens) },
    { label: t('Reasoning tokens'), value: tokens(usage?.reasoningTokens) },
    { label: t('Answer tokens'), value: tokens(usage && turnAnswerTokens(usage, turn)) },
    { label: t('Total tokens'), value: tokens(usage?.totalTokens) },
    { label: t('Cost'), value: describeCost(turn, prices) ?? missing },
    ...duration(t('Time to first reasoning'), timings.firstReasoning),
    ...duration(t('Time to first answer'), firstAnswerOf(turn)),
    ...duration(t('Duration'), timings.ended),
    { label: t('Route'), value: routeText(turn.request.routeName, turn.request.routeKind) },
    ...text(t('Model'), answeringModel(turn)),
    ...text(t('Finish reason'), said.finishReason),
    ...text(t('Reasoning field'), said.reasoningName),
    ...text(t('Response ID'), said.responseId),
    ...text(t('Request ID'), said.requestId),
    ...(requests > 1 ? [{ label: t('Requests sent'), value: String(requests) }] : []),
  ];
  return rows;
}

/** The number of reasoning tokens of a turn; undefined if it has no reasoning. */
export function reasoningText(turn: Turn): string | undefined {
  const { tokens, estimated } = toReasoningFacts(turn);
  if (tokens === undefined) return undefined;
  return estimated ? aboutTokensText(tokens) : tokensText(tokens);
}

/** The text in place of a figure that the service has not reported. It is reported at the end of an answer. */
export const missingText = ({ outcome }: Turn): string => (outcome === undefined ? '…' : t('not reported'));

const duration = (label: string, ms: number | undefined) =>
  ms === undefined ? [] : [{ label, value: formatSeconds(ms) }];
const text = (label: string, value: string | undefined) => (value === undefined ? [] : [{ label, value }]);

/** The cost of a turn, or its lower bound; undefined if it was not reported. */
export function describeCost(turn: Turn, prices: Prices): string | undefined {
  if (turn.request.demo === true) return t('not billed (demo)');
  const cost = costOf(turn, prices) ?? (turn.outcome !== undefined && isUnbilled(turn) ? 0 : undefined);
  if (cost === undefined) return undefined;
  return toCostText({ cost, unreported: isCostKnown(turn) ? 0 : 1 }, formatCost, t('not reported'));
}

/** The cost of a turn as a short text, or that it is not known. Empty if nothing was billed. */
export function toCostLine(turn: Turn, prices: Prices): string {
  const cost = hasUsage(totalUsageOf(turn)) ? describeCost(turn, prices) : undefined;
  return cost ?? (isUnbilled(turn) ? '' : t('usage not reported'));
}

/** The usage in one line: `1,234 tokens · 512 cached · 800 reasoning · $0.0123 · 21 s`. */
export function toAccountLine(turn: Turn, prices: Prices): string {
  const parts: string[] = [];
  const usage = totalUsageOf(turn);
  if (hasUsage(usage)) {
    const { totalTokens, cachedTokens, reasoningTokens } = usage;
    const cost = describeCost(turn, prices);
    parts.push(`${isCostKnown(turn) ? '' : '≥ '}${tokensText(totalTokens ?? 0)}`);
    if (cachedTokens) parts.push(t('{0} cached', formatTokens(cachedTokens)));
    if (reasoningTokens) parts.push(t('{0} reasoning', formatTokens(reasoningTokens)));
    if (cost !== undefined) parts.push(cost);
  } else if (!isUnbilled(turn)) {
    parts.push(t('usage not reported'));
  }
  if (turn.timings.ended !== undefined) parts.push(formatSeconds(turn.timings.ended));
  return parts.join(' · ');
}
