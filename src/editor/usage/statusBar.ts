/** The status bar item `k3.usage`: what a turn is doing while it runs, then the usage of the conversation. */
import * as vscode from 'vscode';
import { allTurns } from '../../conversation/allExchanges.ts';
import { type Conversation, shownTurn } from '../../conversation/conversation.ts';
import { shorten } from '../../conversation/cutText.ts';
import { type NoticeCode, severityOf, toNotices } from '../../conversation/outcomes/notices.ts';
import { isFailurePast, type Now } from '../../conversation/outcomes/pastFailure.ts';
import { totalUsageOf } from '../../conversation/rounds.ts';
import type { Turn } from '../../conversation/turn.ts';
import { turnBefore } from '../../conversation/turnBefore.ts';
import { hasUsage, toUsageTotals } from '../../conversation/usage/cost.ts';
import { toCostText } from '../../panel/usage.ts';
import type { Prices } from '../../service/prices.ts';
import { compactTokens, formatCost, formatSeconds, formatShare, tokensText } from '../base/formats.ts';
import { withoutIcons } from '../base/quickPicks.ts';
import { joinList } from '../base/sentences.ts';
import { createThrottle } from '../base/throttle.ts';
import { noticeTitle } from '../cards/noticeTitles.ts';
import { type Routes, toNow } from '../connection/routes.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { runsElsewhere } from '../conversations/freeConversation.ts';
import { readSettings } from '../settings/settings.ts';
import type { StructuredAnswers } from '../structured/structuredAnswers.ts';
import { describeFailure } from '../wording/failureWords.ts';
import { planStatus } from '../wording/planWords.ts';
import { outcomeLabel, turnPhaseLabel } from '../wording/turnLabels.ts';
import { type TurnState, toTurnState } from '../wording/turnState.ts';
import { lastTurn, toUsageTooltip } from './usageTooltip.ts';

const t = vscode.l10n.t;

/** Elapsed time and countdown are shown in whole seconds. */
const TICK_MS = 1000;
/** The maximum length of a route name, in UTF-16 code units. The editor gives a long text all the room, and hides other items. */
const LONGEST_NAME = 30;

export interface StatusBarDeps {
  readonly conversations: Pick<
    Conversations,
    'front' | 'copies' | 'loaded' | 'isSeen' | 'isRunning' | 'holder' | 'onDidChange'
  >;
  readonly routes: Pick<Routes, 'active' | 'named' | 'onDidChange'>;
  readonly structured: Pick<StructuredAnswers, 'judged' | 'onDidJudge'>;
}

/** Registers the item. It updates every second only while a turn runs, and is hidden when there is nothing to show. */
export function registerStatusBar({ conversations, routes, structured }: StatusBarDeps): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('k3.usage', vscode.StatusBarAlignment.Right, 100);
  item.name = t('K3 usage');
  item.command = 'k3.showUsage';
  let ticking: NodeJS.Timeout | undefined;
  const elsewhere = (conversationId: string) => runsElsewhere(conversations, conversationId);

  function update(): void {
    const conversation = conversations.front();
    const { prices } = readSettings();
    const copies = conversations.copies(conversation.id);
    const status = toStatus(conversation, {
      prices,
      copies,
      ...toNow(routes, conversations.loaded()),
      isSeen: conversations.isSeen,
      runsElsewhere: elsewhere,
      judged: structured.judged,
      now: Date.now(),
    });
    const running = lastTurn(conversation)?.phase !== 'ended' && lastTurn(conversation) !== undefined;
    if (running) ticking ??= setInterval(update, TICK_MS);
    else stopTicking();
    if (status === undefined) {
      item.hide();
      return;
    }
    item.text = status.text;
    const last = lastTurn(conversation);
    const waits = last !== undefined && toTurnState(last, elsewhere(conversation.id)).waitingCalls > 0;
    // While an approval waits, a click opens the approval instead of the usage page.
    item.command = waits ? 'k3.decideToolCall' : 'k3.showUsage';
    item.accessibilityInformation = { label: status.spoken, role: 'button' };
    item.backgroundColor = status.warns
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    // Setting a tooltip closes it under the pointer, so it is only set when its text changes.
    const tooltip = toUsageTooltip(conversation, prices, copies);
    const plan = planStatus(last);
    if (plan !== undefined) tooltip.appendMarkdown('\n\n').appendText(plan.line);
    if (!(item.tooltip instanceof vscode.MarkdownString) || item.tooltip.value !== tooltip.value) {
      item.tooltip = tooltip;
    }
    item.show();
  }

  function stopTicking(): void {
    clearInterval(ticking);
    ticking = undefined;
  }

  const throttle = createThrottle(100, update);
  const listeners = [
    conversations.onDidChange((change) => {
      // Deltas don't change the item; only the clock and the phase do.
      if (change.type === 'turn' && turnPhaseLabel(change.turn) === turnPhaseLabel(change.before)) return;
      throttle.call();
    }),
    routes.onDidChange(() => throttle.call()),
    structured.onDidJudge(() => throttle.call()),
  ];
  update();
  return vscode.Disposable.from(item, throttle, ...listeners, new vscode.Disposable(stopTicking));
}

export interface Status {
  readonly text: string;
  /** The text for screen readers, with exact figures, and without elapsed seconds. */
  readonly spoken: string;
  readonly warns: boolean;
}

export interface StatusContext extends Now {
  readonly prices: Prices;
  /** The IDs of copied turns, which are not part of its usage. */
  readonly copies?: ReadonlySet<string>;
  isSeen(turnId: string, code?: NoticeCode): boolean;
  /** Whether another window runs the running turn of a conversation. */
  runsElsewhere(conversationId: string): boolean;
  readonly judged: StructuredAnswers['judged'];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The content of the item for a conversation; undefined when there is nothing to show. */
export function toStatus(conversation: Conversation, context: StatusContext): Status | undefined {
  const turn = lastTurn(conversation);
  if (turn === undefined) {
    if (context.routeName === undefined) return undefined;
    return toIdleStatus(context.routeName);
  }
  if (turn.outcome === undefined) {
    const state = toTurnState(turn, context.runsElsewhere(conversation.id));
    return toRunningStatus(turn, state, context.now);
  }
  const usage = toUsageLine(conversation, context);
  const isPast = isFailurePast(turn, conversation.id, context);
  if (isPast && usage === undefined && context.routeName !== undefined)
    return toIdleStatus(context.routeName);
  const text = usage?.exact ?? outcomeLabel(turn.outcome);
  // The name of a model must not be able to add an icon.
  const label =
    usage === undefined && turn.outcome === 'failed' && turn.failure
      ? withoutIcons(describeFailure(turn.failure, turn.request).title)
      : text;
  // A new attempt for an earlier question can be newer than the last answer.
  const shown = conversation.exchanges.flatMap((one) => shownTurn(one) ?? []);
  const newest = shown.reduce((one, other) => (other.startedAt > one.startedAt ? other : one), turn);
  const problem =
    findUnreadProblem(conversation, newest, context) ?? findUnreadProblem(conversation, turn, context);
  return {
    text: `${problem ? '$(warning)' : '$(comment-discussion)'} ${usage?.short ?? label}`,
    spoken: problem
      ? t('K3 usage: {0}. The last turn has a problem: {1}', text, problem)
      : t('K3 usage: {0}', label),
    warns: problem !== undefined,
  };
}

function toIdleStatus(routeName: string): Status {
  return {
    // A route name must not be able to add an icon.
    text: `$(comment-discussion) ${withoutIcons(t('K3: {0}', shorten(routeName, LONGEST_NAME)))}`,
    spoken: t('K3 usage: {0}', routeName),
    warns: false,
  };
}

function toRunningStatus(turn: Turn, { label, waitUntil, waitingCalls }: TurnState, now: number): Status {
  const ms = waitUntil === undefined ? now - turn.startedAt : waitUntil - now;
  const time = formatSeconds(Math.max(0, Math.round(ms / TICK_MS) * TICK_MS));
  const text = waitUntil === undefined ? `${label} ${time}` : t('Retrying in {0}', time);
  const plan = planStatus(turn);
  const rest = plan === undefined ? '' : ` · ${plan.count}`;
  const icon = waitingCalls > 0 ? '$(question)' : '$(loading~spin)';
  return { text: `${icon} ${text}${rest}`, spoken: t('K3 usage: {0}', `${label}${rest}`), warns: false };
}

/** Tokens, cached share, and cost, as far as they were reported. Unreported is not zero. */
function toUsageLine(
  conversation: Conversation,
  { prices, copies }: StatusContext,
): { readonly short: string; readonly exact: string } | undefined {
  const totals = toUsageTotals(conversation, prices, copies);
  const { totalTokens, promptTokens, cachedTokens, cost, unreported } = totals;
  if (totalTokens === 0) {
    const missing = t('usage not reported');
    return unreported === 0 ? undefined : { short: missing, exact: missing };
  }
  const own = allTurns(conversation).filter(({ id }) => !copies?.has(id));
  const usages = own.map(totalUsageOf).filter(hasUsage);
  const knowsCache = usages.some((usage) => usage.cachedTokens !== undefined && promptTokens > 0);
  // The totals are a lower bound if some turns didn't report usage.
  const least = unreported > 0 ? '≥ ' : '';
  const toLine = (tokens: string) =>
    [
      `${least}${tokens}`,
      ...(knowsCache ? [t('{0} cached', formatShare(cachedTokens, promptTokens))] : []),
      ...(cost > 0 ? [toCostText({ cost, unreported }, formatCost, '')] : []),
    ].join(' · ');
  return {
    short: toLine(compactTokens(totalTokens)),
    exact: toLine(tokensText(totalTokens)),
  };
}

/** The titles of the problems of a turn that the user has not seen. */
function findUnreadProblem(
  conversation: Conversation,
  turn: Turn,
  context: StatusContext,
): string | undefined {
  if (context.isSeen(turn.id) || isFailurePast(turn, conversation.id, context)) return undefined;
  const exchange = conversation.exchanges.find(({ attempts }) => attempts.includes(turn));
  const before = exchange && turnBefore(conversation, exchange.id);
  const problems = toNotices(turn, before, context.judged(turn, exchange?.question)).filter(
    ({ code }) => severityOf(code) !== 'information' && !context.isSeen(turn.id, code),
  );
  return joinList(problems.map((notice) => noticeTitle(notice, turn))) || undefined;
}
