/** The cards under an answer: outcomes and notices as text, with buttons for what to do next. */
import * as vscode from 'vscode';
import { toLargerBudget } from '../../chat/budget.ts';
import type { SentImages } from '../../chat/edits.ts';
import { isExpected, type Notice, severityOf, toNotices } from '../../chat/notices.ts';
import { hasOwnResponse } from '../../chat/rounds.ts';
import type { Turn } from '../../chat/turn.ts';
import type { CardAction, CardView } from '../../panel/views.ts';
import type { Proposal } from '../../review/proposal.ts';
import type { Prices } from '../../service/limits.ts';
import type { WholeAnswer } from '../../turns/wholeAnswer.ts';
import { formatTokens } from '../base/formats.ts';
import { toTroubleCards } from '../proposals/proposalViews.ts';
import { describeFailure } from '../wording/failureWords.ts';
import { noticeBody, noticeTitle } from '../wording/noticeWords.ts';
import { phaseLabel } from '../wording/turnLabels.ts';
import { type OmittedCardContext, toOmittedCard } from './omittedCard.ts';

const t = vscode.l10n.t;

/** What cards depend on besides their turn. */
export interface CardContext extends Omit<OmittedCardContext, 'titleOf'> {
  /** The answered turn before this one, for comparing cached tokens. */
  readonly earlier: Turn | undefined;
  readonly prices: Prices;
  /** Whether the exchange is the last one. Only then do cards have buttons. */
  readonly last: boolean;
  /** The user has taken back that results of tools were left out, in any turn of the conversation. */
  readonly anyKept?: boolean | undefined;
  /** The answer of a turn in all its parts. */
  readonly whole: (turn: Turn) => Omit<WholeAnswer, 'question'>;
  /** The proposals in an answer. */
  readonly proposals: (turnId: string) => readonly Proposal[];
  /** Where the images are that the request of this turn contains. */
  readonly images: SentImages;
}

/** The cards of a turn: its outcome and notices, with their actions. */
export function toCards(turn: Turn, context: CardContext & OmittedCardContext): readonly CardView[] {
  if (turn.waiting !== undefined) return [toWaitingCard(turn)];
  const omitted = (turn.request.omitted ?? []).map((one) => toOmittedCard(turn, one, context));
  // Errors in the format of a structured answer are shown at the answer itself.
  const notices = toNotices(turn, context.earlier).filter((notice) => !isExpected(notice));
  const cards = notices.map((notice) => toCard(notice, turn, context));
  if (turn.outcome === 'stopped') cards.unshift(toStoppedCard(turn, context));
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

function toStoppedCard(turn: Turn, context: CardContext): CardView {
  return {
    tone: 'note',
    title: t('Stopped'),
    body: [stoppedBody(turn)],
    facts: [],
    actions: offered(context, [...(hasText(turn) ? [continueAction(turn)] : []), retryAction()]),
    serviceWords: undefined,
  };
}

function stoppedBody(turn: Turn): string {
  if (!hasText(turn))
    return t('No text was received. The service may bill the request without reporting usage.');
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
    body: noticeBody(notice, turn, context.prices),
    facts: notice.code === 'spent-on-reasoning' ? toSpentFacts(turn) : [],
    actions: offered(context, actionsFor(notice, turn, context)),
    serviceWords: failed || notice.code === 'interrupted' ? wordsOf(turn) : undefined,
  };
}

function wordsOf(turn: Turn): string | undefined {
  const details = turn.failure?.details;
  return details?.serviceMessage ?? details?.excerpt;
}

function toSpentFacts(turn: Turn): CardView['facts'] {
  const { usage } = turn;
  const facts: { label: string; value: string }[] = [];
  if (usage?.reasoningTokens !== undefined)
    facts.push({ label: t('Reasoning'), value: formatTokens(usage.reasoningTokens) });
  if (usage?.completionTokens !== undefined) {
    facts.push({
      label: t('Answer'),
      value: formatTokens(Math.max(0, usage.completionTokens - (usage.reasoningTokens ?? 0))),
    });
  }
  if (usage?.totalTokens !== undefined)
    facts.push({ label: t('Total billed'), value: formatTokens(usage.totalTokens) });
  return facts;
}

type Action = CardView['actions'][number];
const action = (name: CardAction, label: string): Action => ({ action: name, label });
const retryAction = () => action('retry', t('Retry'));

/** Only the last exchange can be continued. Cards of earlier ones have no buttons. */
const offered = (context: CardContext, actions: readonly Action[]) => (context.last ? actions : []);

/** The actions for a notice, the most likely one first. */
export function actionsFor(notice: Notice, turn: Turn, sent: SentParts): readonly Action[] {
  switch (notice.code) {
    case 'spent-on-reasoning': {
      const larger =
        toLargerBudget(turn.request.maxCompletionTokens) === undefined
          ? []
          : [action('retry-larger', t('Retry with a larger budget'))];
      return [...larger, continueAction(turn)];
    }
    case 'truncated':
      return [continueAction(turn), action('retry-larger', t('Retry with a larger budget'))];
    case 'rounds-spent':
      return [action('continue', t('Continue'))];
    case 'empty-answer':
    case 'filtered':
    case 'unknown-finish':
    case 'calls-not-run':
      return [retryAction()];
    case 'interrupted':
    case 'stalled':
      return [...(hasText(turn) ? [continueAction(turn)] : []), retryAction()];
    case 'failed':
      return actionsForFailure(turn).filter((one) => isApplicable(one, sent));
    case 'model-substituted':
      return [action('check-connection', t('Check Connection'))];
    case 'format-mismatch':
      return [action('repair', t('Ask for correction'))];
    case 'effort-ignored':
    case 'budget-clamped':
      return [action('edit-settings', t('Open Settings'))];
    case 'left-out':
      return [action('probe-route', t('Probe Route'))];
    case 'usage-missing':
    case 'damaged-events':
    case 'cache-dropped':
    case 'content-parts':
      return [];
  }
}

/** What the conversation sends that can be left out. */
type SentParts = Pick<CardContext, 'images' | 'anyKept'>;

/** Actions about images are offered only where there are images, and those about results where they are sent again. */
function isApplicable({ action: name }: Action, { images, anyKept }: SentParts): boolean {
  if (name === 'omit-all-results') return anyKept === true;
  if (name === 'smaller-images') return images === 'here';
  return name !== 'omit-oldest-images' || images !== 'none';
}

function continueAction(turn: Turn): Action {
  return turn.answer.trim() === '' && turn.rounds.length === 0
    ? action('continue', t('Continue from the reasoning'))
    : action('continue', t('Continue'));
}

function actionsForFailure(turn: Turn): readonly Action[] {
  const failure = turn.failure;
  switch (failure?.kind) {
    case 'bad-key':
    case 'key-removed':
      return [action('set-key', t('Set API Key…')), retryAction()];
    case 'model-unknown': {
      const suggested = failure.details.didYouMean;
      const use = suggested === undefined ? [] : [action('use-suggested-model', t('Use {0}', suggested))];
      return [...use, action('edit-settings', t('Edit Routes'))];
    }
    case 'model-unavailable':
    case 'access-denied':
      return [
        action('check-connection', t('Check Connection')),
        action('edit-settings', t('Edit Routes')),
        retryAction(),
      ];
    case 'redirected':
    case 'not-found':
    case 'not-a-completion':
    case 'unreachable':
    case 'untrusted-certificate':
    case 'proxy-refused':
      return [
        retryAction(),
        action('edit-settings', t('Edit Routes')),
        action('check-connection', t('Check Connection')),
      ];
    case 'no-balance':
      return [action('switch-route', t('Switch Route…')), retryAction()];
    case 'too-large':
      return [
        action('smaller-images', t('Send smaller images')),
        action('omit-oldest-images', t('Stop sending the oldest images')),
        retryAction(),
      ];
    case 'context-overflow':
      return [omitAllResultsAction(), retryAction(), action('show-log', t('Show Log'))];
    case 'invalid-request':
      return [omitAllResultsAction(), ...actionsForRefusedFields(turn), action('show-log', t('Show Log'))];
    default:
      return [retryAction()];
  }
}

export const omitAllResultsAction = () => action('omit-all-results', t('Leave out results of tools again'));

/** To send the request without what only some routes take. A probe finds out whether that was the reason. */
function actionsForRefusedFields({ request: { answerFormat, effort } }: Turn): readonly Action[] {
  const others = [
    ...(answerFormat === undefined ? [] : [action('retry-without-format', t('Retry without answer format'))]),
    ...(effort === 'low' || effort === 'high'
      ? [action('retry-without-effort', t('Retry with default effort'))]
      : []),
  ];
  return [
    ...others,
    retryAction(),
    ...(others.length === 0 ? [] : [action('probe-route', t('Probe Route'))]),
  ];
}

function hasText(turn: Turn): boolean {
  return turn.answer.trim() !== '' || turn.reasoning !== '' || turn.rounds.length > 0;
}
