/** Converts turns to what the panel shows: figures as text, outcomes as cards with buttons. */
import * as vscode from 'vscode';
import type { FormatCheck } from '../../conversation/answerFormats/answerFormat.ts';
import { isContinuing } from '../../conversation/continuingQuestion.ts';
import type { Exchange } from '../../conversation/conversation.ts';
import { askedQuestion, sentText, shownTurn } from '../../conversation/conversation.ts';
import { cutStart } from '../../conversation/cutText.ts';
import { toChecks } from '../../conversation/outcomes/checks.ts';
import type { Question } from '../../conversation/question.ts';
import { toReasoningFacts } from '../../conversation/reasoning/steps.ts';
import { isContinuation } from '../../conversation/requestMessages/continuation.ts';
import { allReasoning } from '../../conversation/rounds.ts';
import { typedWords } from '../../conversation/shownQuestion.ts';
import type { Turn } from '../../conversation/turn.ts';
import { isRefused } from '../../conversation/usage/cost.ts';
import type { ExchangeView, TurnView, TypedView } from '../../panel/views.ts';
import type { Placement } from '../../review/findings/findingPlacement.ts';
import { toSentContextViews } from '../context/contextWords.ts';
import { toProposalViews } from '../proposals/proposalViews.ts';
import { toStructuredView } from '../structured/structuredWords.ts';
import { toAccountRows, toCostLine } from '../wording/accountWords.ts';
import { toCheckView } from '../wording/checkWords.ts';
import { toPresetView } from '../wording/presetWords.ts';
import { toTurnState } from '../wording/turnState.ts';
import { toOriginLabel } from '../workspace/originLabel.ts';
import { toReceived, toShownWhole } from './shownAnswer.ts';
import { type CallContext, toCutCallViews, toRoundViews } from './toolCallViews.ts';
import { type CardContext, toCards } from './turnCards.ts';

const t = vscode.l10n.t;

export interface ViewContext extends CardContext, CallContext {
  /** All versions of this question; empty when there is only one. */
  readonly versions: readonly Exchange[];
  /** The result of checking the answer against its format; undefined when the format is text. */
  readonly judged: (turn: Turn) => FormatCheck | undefined;
  /** Whether a later exchange shows the answer of a turn, joined with its continuation. */
  readonly isContinued: (turn: Turn) => boolean;
  /** The lines of the findings in an answer. */
  readonly placements: (turnId: string) => readonly Placement[] | undefined;
}

function toTypedView(question: Question): TypedView | undefined {
  const words = typedWords(question);
  return words && { title: words.title, text: words.typed, mayBeEmpty: words.mayBeEmpty };
}

/** An exchange with its text, for snapshots and when another attempt is shown. */
export function toExchangeView(exchange: Exchange, context: ViewContext): ExchangeView {
  const turn = shownTurn(exchange);
  const asked = turn === undefined ? exchange.question : askedQuestion(exchange, turn);
  const sent = sentText(exchange, turn);
  return {
    id: exchange.id,
    question: {
      text: exchange.question.text,
      asked: exchange.question.asked ?? (asked.continues === undefined ? undefined : t('Continue')),
      ...(sent !== exchange.question.text && { sent }),
      typed: toTypedView(exchange.question),
      ...(isContinuing(exchange.question) && { continues: true as const }),
      images: exchange.question.images.map(({ name, url, omitted }) => ({
        omitted: omitted === true,
        name,
        url: url.startsWith('data:') ? url : undefined,
      })),
      context: toSentContextViews(exchange.question.context ?? []),
      origin: asked.origin && toOriginLabel(asked.origin),
      preset: toPresetView(asked.preset),
    },
    turn:
      turn === undefined
        ? undefined
        : {
            ...toTurnView(turn, context),
            reasoning: allReasoning(turn),
            answer: toShownWhole(exchange.question, turn, context.whole(turn), context.placements(turn.id)),
          },
    attempt: exchange.shown,
    attempts: exchange.attempts.length,
    version: Math.max(
      0,
      context.versions.findIndex(({ id }) => id === exchange.id),
    ),
    versions: Math.max(1, context.versions.length),
  };
}

/** A turn without its text, which is sent as deltas. */
export function toTurnView(turn: Turn, context: ViewContext): TurnView {
  const ended = turn.outcome !== undefined;
  const reasoned = allReasoning(turn) !== '';
  const { tokens, estimated, ms } = toReasoningFacts(turn);
  const { firstAnswer, lastProgress } = turn.timings;
  const reasoningOver = firstAnswer !== undefined || ended;
  const judged = context.judged(turn);
  const state = toTurnState(turn, !ended && context.runsElsewhere());
  const whole = context.whole(turn);
  const { text, parts, earlier, fits } = whole;
  const received = whole.question && toReceived(whole.question, turn, whole);
  return {
    id: turn.id,
    outcome: turn.outcome ?? 'running',
    phase: state.phase,
    startedAt: turn.startedAt,
    phaseLabel: state.label,
    waitUntil: state.waitUntil,
    reasoningTokens: tokens,
    reasoningTokensEstimated: estimated,
    reasoningSeconds: ms === undefined || !reasoningOver ? undefined : ms / 1000,
    liveLine: ended ? '' : toLiveLine(turn),
    hasReasoning: reasoned,
    ...(isContinuation(turn.request.prompt ?? '') && { fromReasoning: true as const }),
    cards: toCards(turn, context),
    checks:
      ended && turn.outcome !== 'failed' && turn.outcome !== 'stopped' && !isRefused(turn)
        ? toChecks(turn, judged).map(toCheckView)
        : [],
    account: ended ? toAccountRows(turn, context.prices) : [],
    accountLine: ended ? toCostLine(turn, context.prices) : '',
    proposals: ended ? toProposalViews(context.proposals(turn.id)) : [],
    parts: fits ? parts : 1,
    earlierParts: earlier.map(({ id }) => id),
    continued: context.isContinued(turn),
    ...(received !== undefined && { received }),
    structured: judged && toStructuredView({ ...turn, answer: text }, judged, context.last),
    rounds: toRoundViews(turn, context),
    toolCalls: toCutCallViews(turn, context),
    lastProgressAt: Math.round(turn.startedAt + lastProgress),
  };
}

const LONGEST_LIVE_LINE = 200;

/** The end of the reasoning so far, on one line of at most `LONGEST_LIVE_LINE` characters. */
function toLiveLine(turn: Turn): string {
  const line = turn.outline.partial.trim() || (turn.outline.current?.title ?? '');
  // The line is plain text, so Markdown marks are removed.
  return cutStart(line.replace(/\*\*|__|`/g, ''), LONGEST_LIVE_LINE);
}
