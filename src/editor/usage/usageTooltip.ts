/** The usage of a conversation as a table for the tooltip of the status bar item. */
import * as vscode from 'vscode';
import { allTurns } from '../../conversation/allExchanges.ts';
import { type Conversation, shownTurn } from '../../conversation/conversation.ts';
import { escapeMarkdown } from '../../conversation/conversationMarkdown.ts';
import { answeringModel, firstAnswerOf, totalUsageOf } from '../../conversation/rounds.ts';
import type { Turn } from '../../conversation/turn.ts';
import {
  hasUsage,
  toUsageTotals,
  turnAnswerTokens,
  type UsageTotals,
} from '../../conversation/usage/cost.ts';
import { toCostText } from '../../panel/usage.ts';
import type { Prices } from '../../service/prices.ts';
import type { Usage } from '../../service/types.ts';
import { formatCost, formatSeconds, formatTokens } from '../base/formats.ts';
import { describeCost, missingText } from '../wording/accountWords.ts';
import { routeText } from '../wording/routeWords.ts';

const t = vscode.l10n.t;

type Row = readonly [label: string, turn: string, conversation: string];

/**
 * The last turn and the complete conversation side by side. Unreported values are shown as “not reported”.
 *
 * @param copies the IDs of copied turns, which are not part of the usage
 */
export function toUsageTooltip(
  conversation: Conversation,
  prices: Prices,
  copies?: ReadonlySet<string>,
): vscode.MarkdownString {
  const turns = allTurns(conversation).filter(({ id }) => !copies?.has(id));
  const turn = lastTurn(conversation);
  const account = toUsageTotals(conversation, prices, copies);
  const markdown = new vscode.MarkdownString();
  if (turn === undefined) return markdown.appendText(t('No usage yet.'));
  const head: Row = ['', t('This turn'), t('Conversation')];
  const rows = [...toTokenRows(turn, turns, account, prices), ...toTurnRows(turn)];
  const lines = [toLine(head), '|:--|--:|--:|', ...rows.map(toLine)];
  markdown.appendMarkdown(lines.join('\n'));
  if (account.unreported > 0) {
    markdown.appendMarkdown('\n\n');
    markdown.appendText(
      t('Turns whose usage was not fully reported: {0}. The totals are lower bounds.', account.unreported),
    );
  }
  return markdown;
}

/** The running turn, in whichever exchange it is; otherwise the shown attempt of the last exchange. */
export function lastTurn({ exchanges }: Conversation): Turn | undefined {
  for (const { attempts } of exchanges) {
    const running = attempts.at(-1);
    if (running !== undefined && running.outcome === undefined) return running;
  }
  const exchange = exchanges.at(-1);
  return exchange && shownTurn(exchange);
}

const toLine = (row: Row) => `| ${row.map(escapeMarkdown).join(' | ')} |`;

function toTokenRows(
  turn: Turn,
  turns: readonly Turn[],
  account: UsageTotals,
  prices: Prices,
): readonly Row[] {
  const all = totalUsageOf(turn);
  const usage = hasUsage(all) ? all : undefined;
  const missing = missingText(turn);
  // Called each second while a turn runs, so each search stops at the first turn that has the figure.
  const first = turns.findIndex((one) => hasUsage(totalUsageOf(one)));
  const withUsage = first === -1 ? [] : turns.slice(first);
  const isKnown = (of: (usage: Usage, turn: Turn) => number | undefined) =>
    withUsage.some((one) => {
      const total = totalUsageOf(one);
      return hasUsage(total) && of(total, one) !== undefined;
    });
  const none =
    turns.length === 0 ? '–' : missingText(turns.find(({ outcome }) => outcome !== undefined) ?? turn);
  const row = (label: string, of: (usage: Usage, turn: Turn) => number | undefined, sum: number): Row => {
    const mine = usage && of(usage, turn);
    return [label, mine === undefined ? missing : formatTokens(mine), isKnown(of) ? formatTokens(sum) : none];
  };
  return [
    row(t('Input tokens'), (one) => one.promptTokens, account.promptTokens),
    row(t('Cached input tokens'), (one) => one.cachedTokens, account.cachedTokens),
    row(t('Reasoning tokens'), (one) => one.reasoningTokens, account.reasoningTokens),
    row(t('Answer tokens'), turnAnswerTokens, account.answerTokens),
    row(t('Total tokens'), (one) => one.totalTokens, account.totalTokens),
    [t('Cost'), describeCost(turn, prices) ?? missing, describeCosts(turns, account, prices) ?? none],
  ];
}

/** The cost of all turns; undefined if none is known. The demo is not billed, and adds no amount. */
function describeCosts(turns: readonly Turn[], account: UsageTotals, prices: Prices): string | undefined {
  const billed = turns.filter(({ request }) => request.demo !== true);
  if (turns.length > 0 && billed.length === 0) return t('not billed (demo)');
  const isKnown = billed.some((one) => describeCost(one, prices) !== undefined);
  return isKnown ? toCostText(account, formatCost, t('not reported')) : undefined;
}

function toTurnRows(turn: Turn): readonly Row[] {
  const { timings, request } = turn;
  const time = (ms: number | undefined) => (ms === undefined ? '–' : formatSeconds(ms));
  return [
    [t('Time to first reasoning'), time(timings.firstReasoning), ''],
    [t('Time to first answer'), time(firstAnswerOf(turn)), ''],
    [t('Duration'), time(timings.ended), ''],
    [t('Route'), routeText(request.routeName, request.routeKind), ''],
    [t('Model'), answeringModel(turn) ?? request.model, ''],
  ];
}
