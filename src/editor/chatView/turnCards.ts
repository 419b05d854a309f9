/** The cards under an answer: outcomes and notices as text. Their buttons are those of `noticeActions.ts`. */
import * as vscode from 'vscode';
import {
  isAboutEnd,
  isExpected,
  type Notice,
  severityOf,
  toNotices,
} from '../../conversation/outcomes/notices.ts';
import { hasOwnResponse, totalUsageOf } from '../../conversation/rounds.ts';
import type { Turn } from '../../conversation/turn.ts';
import { isCostKnown, isUnbilled } from '../../conversation/usage/cost.ts';
import type { CardView } from '../../panel/cards.ts';
import type { WholeAnswer } from '../../requests/wholeAnswer.ts';
import type { Proposal } from '../../review/proposals/proposal.ts';
import type { Failure, ServiceErrorKind } from '../../service/errors.ts';
import type { Prices } from '../../service/prices.ts';
import { formatTokens } from '../base/formats.ts';
import { joinSentences, toSentence } from '../base/sentences.ts';
import {
  type Action,
  actionsFor,
  continueAction,
  hasAnyText,
  retryAction,
  type SentParts,
} from '../cards/noticeActions.ts';
import { noticeBody } from '../cards/noticeBodies.ts';
import { noticeTitle } from '../cards/noticeTitles.ts';
import { toTroubleCards } from '../proposals/proposalViews.ts';
import { describeFailure } from '../wording/failureWords.ts';
import { phaseLabel } from '../wording/turnLabels.ts';
import { type OmittedCardContext, toOmittedCard } from './omittedCard.ts';

const t = vscode.l10n.t;

/** The state on which cards depend, besides their turn. */
export interface CardContext extends SentParts, Omit<OmittedCardContext, 'titleOf'> {
  /** The answered turn before this one, for comparing cached tokens. */
  readonly earlier: Turn | undefined;
  /** Whether a notice about the cache would only repeat the one of the turn before. */
  readonly isLossSaid?: (notice: Notice) => boolean;
  readonly prices: Prices;
  /** Whether the exchange is the last one. Only then do cards have buttons. */
  readonly last: boolean;
  /** The answer of a turn in all its parts. `question` is missing if it no longer exists. */
  readonly whole: (turn: Turn) => Omit<WholeAnswer, 'question'> & Partial<Pick<WholeAnswer, 'question'>>;
  /** Whether a later exchange continues from the end of a turn. */
  readonly goesOn: (turn: Turn) => boolean;
  /** The proposals in an answer. */
  readonly proposals: (turnId: string) => readonly Proposal[];
}

/** The cards of a turn: its outcome and notices, with their actions. */
export function toCards(turn: Turn, context: CardContext & OmittedCardContext): readonly CardView[] {
  if (turn.waiting !== undefined) return [toWaitingCard(turn)];
  const omitted = (turn.request.omitted ?? []).map((one) => toOmittedCard(turn, one, context));
  // Errors in the format of a structured answer are shown at the answer itself.
  const notices = toNotices(turn, context.earlier).filter(
    (notice) => !isExpected(notice) && context.isLossSaid?.(notice) !== true,
  );
  const past = turn.outcome !== undefined && context.goesOn(turn);
  const cards = notices.map((notice) =>
    past && isAboutEnd(notice) ? toPastCard(noticeTitle(notice, turn)) : toCard(notice, turn, context),
  );
  if (turn.outcome === 'stopped')
    cards.unshift(past ? toPastCard(t('Stopped')) : toStoppedCard(turn, context));
  if (turn.outcome !== undefined && !context.whole(turn).fits) cards.unshift(toUnjoinedCard(context));
  return [...omitted, ...cards, ...toTroubleCards(context.proposals(turn.id))];
}

function toWaitingCard(turn: Turn): CardView {
  const failure = turn.waiting?.failure;
  const described = failure === undefined ? undefined : describeFailure(failure, turn.request);
  return {
    tone: 'note',
    title: described?.title ?? phaseLabel('waiting'),
    body: [
      t(
        'Retrying automatically (attempt {0} of {1}).',
        (turn.waiting?.tries ?? 0) + 1,
        turn.waiting?.maxTries ?? 0,
      ),
    ],
    facts: [],
    actions: [],
    serviceWords: failure?.details.serviceMessage,
  };
}

function toUnjoinedCard(context: CardContext): CardView {
  return {
    tone: 'problem',
    title: t('The parts of the answer couldn’t be joined'),
    body: [
      t(
        'This is not the rest of the answer that was cut off, so it can’t be used. It is shown unchanged. To ask for the rest again, select “Retry”.',
      ),
    ],
    facts: [],
    actions: offered(context, [retryAction()]),
    serviceWords: undefined,
  };
}

/** A card for a turn that a later exchange continues: how it ended, in one line. */
const toPastCard = (end: string): CardView => ({
  tone: 'note',
  title: joinSentences([toSentence(end), t('Continued below.')]),
  body: [],
  facts: [],
  actions: [],
  serviceWords: undefined,
});

/** Whether the turn has no text of an answer: it was stopped while a tool call waited or ran. */
const isBeforeText = (turn: Turn): boolean =>
  !hasOwnResponse(turn) && turn.rounds.every(({ answer }) => answer.trim() === '');

/** Whether tool calls have run, so that their results are worth continuing from. */
const hasRun = ({ rounds }: Turn): boolean =>
  rounds.some(({ toolCalls }) => toolCalls.some(({ state }) => state !== 'not-run'));

function toStoppedCard(turn: Turn, context: CardContext): CardView {
  const goesOn = hasAnyText(turn) && (hasRun(turn) || !isBeforeText(turn));
  return {
    tone: 'note',
    title: t('Stopped'),
    body: [stoppedBody(turn)],
    facts: [],
    actions: offered(context, [...(goesOn ? [continueAction(turn)] : []), retryAction()]),
    serviceWords: undefined,
  };
}

function stoppedBody(turn: Turn): string {
  if (isUnbilled(turn)) return t('This request was not billed.');
  if (!hasAnyText(turn))
    return t('No text was received. The service may bill the request without reporting usage.');
  if (isBeforeText(turn)) return t('No answer text was received.');
  return hasOwnResponse(turn)
    ? t('The text received so far is kept. The service may bill it without reporting usage.')
    : t('The text received so far is kept.');
}

function toCard(notice: Notice, turn: Turn, context: CardContext): CardView {
  const severity = severityOf(notice.code);
  const failed = notice.code === 'failed' || notice.code === 'stalled' || notice.code === 'filtered';
  return {
    tone: severity === 'information' ? 'note' : 'problem',
    title: noticeTitle(notice, turn),
    body: noticeBody(notice, turn, context.prices, context.images),
    facts: notice.code === 'spent-on-reasoning' ? toSpentFacts(turn) : [],
    actions: offered(context, actionsFor(notice, turn, context)),
    serviceWords: failed || notice.code === 'interrupted' ? wordsOf(turn) : undefined,
    wordsFirst: turn.failure !== undefined && isOnlyInWords(turn.failure),
  };
}

/** Whether only the words of the service can tell why the turn failed. */
const isOnlyInWords = ({ kind, details }: Failure) =>
  ONLY_IN_WORDS.has(kind) || (kind === 'server-failed' && details.status === 200);
const ONLY_IN_WORDS: ReadonlySet<ServiceErrorKind> = new Set(['invalid-request', 'stream-error', 'unknown']);

function wordsOf(turn: Turn): string | undefined {
  const details = turn.failure?.details;
  return details?.serviceMessage ?? details?.excerpt;
}

/** The figures of the request that was cut off, and what all requests of the turn are billed, as in the text. */
function toSpentFacts(turn: Turn): CardView['facts'] {
  const { reasoningTokens, completionTokens } = turn.usage ?? {};
  const facts: { label: string; value: string }[] = [];
  if (reasoningTokens) {
    const answered = Math.max(0, (completionTokens ?? 0) - reasoningTokens);
    facts.push({ label: t('Reasoning'), value: formatTokens(reasoningTokens) });
    if (completionTokens !== undefined) facts.push({ label: t('Answer'), value: formatTokens(answered) });
  }
  const total = totalUsageOf(turn)?.totalTokens;
  if (total && turn.request.demo !== true) {
    const least = isCostKnown(turn) ? '' : '≥ ';
    facts.push({ label: t('Total billed'), value: `${least}${formatTokens(total)}` });
  }
  return facts;
}

/** Only the last exchange can be continued, so cards of earlier exchanges have no buttons. */
const offered = (context: CardContext, actions: readonly Action[]) => (context.last ? actions : []);
