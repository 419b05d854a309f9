/**
 * A notice as one text, with the next step, for places that show nothing else of K3: other chats, the Problems view, and
 * notifications.
 */
import * as vscode from 'vscode';
import { cutText } from '../../conversation/cutText.ts';
import type { SentImages } from '../../conversation/images/sentImages.ts';
import { type Notice, severityOf, toNotices } from '../../conversation/outcomes/notices.ts';
import { toHelpfulBudget } from '../../conversation/outcomes/outputBudget.ts';
import type { Turn } from '../../conversation/turn.ts';
import type { ServiceErrorKind } from '../../service/errors.ts';
import type { Prices } from '../../service/prices.ts';
import { joinSentences, toSentence } from '../base/sentences.ts';
import { budgetSetting } from '../wording/budgetWords.ts';
import { noticeBody } from './noticeBodies.ts';
import { noticeTitle } from './noticeTitles.ts';

const t = vscode.l10n.t;

/** The title and the paragraphs of a notice. */
export function noticeText(notice: Notice, turn: Turn, prices: Prices, images?: SentImages): string {
  return joinSentences([toSentence(noticeTitle(notice, turn)), ...noticeBody(notice, turn, prices, images)]);
}

/** The text of the service about a failure, with a label; empty if there is none. It doesn't end in a period. */
export function serviceLine({ failure }: Pick<Turn, 'failure'>): string {
  const words = failure?.details.serviceMessage;
  if (failure === undefined || words === undefined || NOT_OF_SERVICE.has(failure.kind)) return '';
  return t('Service response: {0}', words.length > LONGEST ? `${cutText(words, LONGEST)}…` : words);
}

/** The maximum length of the text, in characters. The card shows more of it. */
const LONGEST = 1000;

/** Failures whose message is from the network functions of this machine, not from the service. */
const NOT_OF_SERVICE: ReadonlySet<ServiceErrorKind> = new Set([
  'connection-lost',
  'unreachable',
  'untrusted-certificate',
  'proxy-refused',
]);

/** The notices of a turn that has ended, except those that are only information. */
export const warningsOf = (turn: Turn): readonly Notice[] =>
  toNotices(turn, undefined).filter(({ code }) => severityOf(code) !== 'information');

/**
 * Whether an answer has a problem that its conversation shows. An unknown cost alone doesn't count, because on a route that
 * reports no usage, this would be every answer. The usage page shows it.
 */
export const isDoubtful = (turn: Turn) => warningsOf(turn).some(({ code }) => code !== 'usage-missing');

/** The next step for a notice; empty if its text already contains it, or if nothing can be done. */
export function nextStep({ code }: Notice, turn: Turn): string {
  switch (code) {
    case 'truncated':
    case 'spent-on-reasoning':
      return budgetStep(turn);
    case 'empty-answer':
    case 'interrupted':
    case 'stalled':
    case 'calls-not-run':
    case 'damaged-events':
      return t('Ask again.');
    case 'rounds-spent':
      return t('Ask again to continue.');
    case 'model-substituted':
      return modelStep(turn);
    case 'failed':
      return failureStep(turn);
    default:
      return '';
  }
}

function budgetStep(turn: Turn): string {
  if (toHelpfulBudget(turn) === undefined) return t('Ask a smaller question.');
  return t('Increase {0} or ask a smaller question.', budgetSetting(turn.request.budgetPreset));
}

const modelStep = ({ request }: Turn) => t('Check the model name in k3.routes.{0}.', request.routeName);

function failureStep(turn: Turn): string {
  switch (turn.failure?.kind) {
    case 'bad-key':
    case 'key-removed':
      return t('Run “K3: Set API Key…”.');
    case 'model-unknown':
    case 'model-unavailable':
      return modelStep(turn);
    default:
      return '';
  }
}
