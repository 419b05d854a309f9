/** A notice as one text, with the next step, for places that show nothing else of K3: other chats, Problems, notifications. */
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

/** Title and paragraphs of a notice. */
export function noticeText(notice: Notice, turn: Turn, prices: Prices, images?: SentImages): string {
  return joinSentences([toSentence(noticeTitle(notice, turn)), ...noticeBody(notice, turn, prices, images)]);
}

/** What the service wrote about a failure, with a label; empty if it wrote nothing. Not complete with a period. */
export function serviceLine({ failure }: Pick<Turn, 'failure'>): string {
  const words = failure?.details.serviceMessage;
  if (failure === undefined || words === undefined || NOT_OF_SERVICE.has(failure.kind)) return '';
  return t('Service response: {0}', words.length > LONGEST ? `${cutText(words, LONGEST)}…` : words);
}

/** In characters. The card has more of it. */
const LONGEST = 1000;

/** Their message is that of the network on this machine. */
const NOT_OF_SERVICE: ReadonlySet<ServiceErrorKind> = new Set([
  'connection-lost',
  'unreachable',
  'untrusted-certificate',
  'proxy-refused',
]);

/** Notices of a turn that has ended, without those that are only information. */
export const warningsOf = (turn: Turn): readonly Notice[] =>
  toNotices(turn, undefined).filter(({ code }) => severityOf(code) !== 'information');

/**
 * Whether an answer has a problem that its conversation shows. Unknown cost alone is none: on a route that reports no usage, each
 * answer would say so, and the usage page does.
 */
export const isDoubtful = (turn: Turn) => warningsOf(turn).some(({ code }) => code !== 'usage-missing');

/** What to do about a notice; empty where its text says it, or nothing can be done. */
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
