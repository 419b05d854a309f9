/** The actions that the user can take about a notice: the buttons of its card, and its quick fixes. */
import * as vscode from 'vscode';
import type { SentImages } from '../../conversation/images/sentImages.ts';
import type { Notice } from '../../conversation/outcomes/notices.ts';
import { toHelpfulBudget } from '../../conversation/outcomes/outputBudget.ts';
import { isOutOfRounds } from '../../conversation/rounds.ts';
import type { Turn } from '../../conversation/turn.ts';
import type { CardAction, CardView } from '../../panel/cards.ts';
import { type ServiceErrorKind, suggestedModel } from '../../service/errors.ts';

const t = vscode.l10n.t;

export type Action = CardView['actions'][number];
const action = (name: CardAction, label: string): Action => ({ action: name, label });
export const retryAction = () => action('retry', t('Retry'));
const checkAction = () => action('check-connection', t('Check Connection'));
const newConversationAction = () => action('new-conversation', t('New Conversation'));
const switchRouteAction = () => action('switch-route', t('Switch Route…'));

/** The actions for a notice, the most likely one first. */
export function actionsFor(notice: Notice, turn: Turn, sent: SentParts): readonly Action[] {
  switch (notice.code) {
    case 'spent-on-reasoning': {
      const larger = largerActions(turn);
      return [...larger, continueAction(turn), ...(larger.length === 0 ? [retryAction()] : [])];
    }
    case 'truncated':
      // A call that was cut off can't be continued.
      return hasAnyText(turn)
        ? [continueAction(turn), ...largerActions(turn)]
        : [...largerActions(turn), retryAction()];
    case 'rounds-spent':
      return [action('continue', t('Continue'))];
    case 'empty-answer':
      return [...(turn.finishReason === 'length' ? largerActions(turn) : []), retryAction()];
    case 'calls-not-run':
      return [...(isOutOfRounds(turn) ? [action('continue', t('Continue'))] : []), retryAction()];
    case 'unknown-finish':
    case 'begun-again':
    case 'damaged-events':
      return [retryAction()];
    case 'filtered':
      return rephraseActions();
    case 'interrupted':
    case 'stalled':
      return [...(hasAnyText(turn) ? [continueAction(turn)] : []), retryAction()];
    case 'failed':
      return withContinue(actionsForFailure(turn), turn).filter((one) => isApplicable(one, sent));
    case 'model-substituted':
      return [checkAction(), switchRouteAction()];
    case 'format-mismatch':
      return [action('repair', t('Ask for correction'))];
    case 'effort-ignored':
      return [action('probe-route', t('Probe Route')), action('edit-settings', t('Open Settings'))];
    case 'budget-clamped':
      return [action('edit-settings', t('Open Settings'))];
    case 'left-out':
      return [action('probe-route', t('Probe Route'))];
    case 'usage-missing':
      return [checkAction()];
    case 'other-choices':
      return [retryAction(), checkAction()];
    case 'cache-dropped':
    case 'content-parts':
      return [];
  }
}

/** The actions for a question that the content filter stopped. It may stop the same question again. */
const rephraseActions = () => [action('edit-question', t('Edit Question')), retryAction()];

/** The action to retry with a larger budget; empty if that changes nothing. */
const largerActions = (turn: Turn): readonly Action[] =>
  toHelpfulBudget(turn) === undefined ? [] : [action('retry-larger', t('Retry with a larger budget'))];

/** The parts of the conversation's requests that can be left out. */
export interface SentParts {
  /** The place of the images that the request of this turn contains. */
  readonly images: SentImages;
  /** Whether the user has chosen to send tool results again that were left out, for any turn of the conversation. */
  readonly anyKept?: boolean | undefined;
}

/**
 * Whether an action applies: actions about images only if there are images, and actions about tool results only if they are
 * sent again.
 */
function isApplicable({ action: name }: Action, { images, anyKept }: SentParts): boolean {
  if (name === 'omit-all-results') return anyKept === true;
  if (name === 'smaller-images') return images === 'here';
  return name !== 'omit-oldest-images' || images !== 'none';
}

export function continueAction(turn: Turn): Action {
  return turn.answer.trim() === '' && turn.rounds.length === 0
    ? action('continue', t('Continue from the reasoning'))
    : action('continue', t('Continue'));
}

/** Adds Continue before Retry for a turn with text or results of tools, unless the continuation would be refused as well. */
function withContinue(actions: readonly Action[], turn: Turn): readonly Action[] {
  const at = actions.findIndex((one) => one.action === 'retry');
  const isChanged = turn.request.withoutImages === true;
  const isRefused = !isChanged && turn.failure !== undefined && REFUSED_AGAIN.has(turn.failure.kind);
  return at === -1 || isRefused || !hasAnyText(turn)
    ? actions
    : actions.toSpliced(at, 0, continueAction(turn));
}

const REFUSED_AGAIN: ReadonlySet<ServiceErrorKind> = new Set([
  'invalid-request',
  'context-overflow',
  'too-large',
  'filtered',
]);

function actionsForFailure(turn: Turn): readonly Action[] {
  const failure = turn.failure;
  switch (failure?.kind) {
    case 'bad-key':
    case 'key-removed':
      return [action('set-key', t('Set API Key…')), retryAction()];
    case 'model-unknown': {
      const suggested = suggestedModel(failure, turn.request.model);
      const use =
        suggested === undefined ? checkAction() : action('use-suggested-model', t('Use {0}', suggested));
      return [use, action('edit-routes', t('Edit Routes'))];
    }
    case 'model-unavailable':
    case 'access-denied':
      return [checkAction(), action('edit-routes', t('Edit Routes')), retryAction()];
    case 'redirected':
    case 'not-found':
      return [action('edit-routes', t('Edit Routes')), checkAction(), retryAction()];
    case 'not-a-completion':
    case 'unreachable':
    case 'untrusted-certificate':
    case 'proxy-refused':
      return [retryAction(), action('edit-routes', t('Edit Routes')), checkAction()];
    case 'no-balance':
      return [switchRouteAction(), retryAction()];
    case 'too-large':
      return [
        action('smaller-images', t('Send smaller images')),
        omitImagesAction(),
        newConversationAction(),
        retryAction(),
      ];
    case 'context-overflow':
      return [
        omitAllResultsAction(),
        newConversationAction(),
        retryAction(),
        action('show-log', t('Show Log')),
      ];
    case 'invalid-request':
      return [
        omitAllResultsAction(),
        ...actionsForRefusedFields(turn),
        // Some services don't accept images.
        omitImagesAction(),
        action('show-log', t('Show Log')),
      ];
    case 'filtered':
      return rephraseActions();
    default:
      return [retryAction()];
  }
}

export const omitImagesAction = () => action('omit-oldest-images', t('Stop sending the oldest images'));

export const omitAllResultsAction = () => action('omit-all-results', t('Leave out tool results again'));

/** The actions to retry without fields that only some routes accept. A probe finds out whether such a field was the reason. */
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

export function hasAnyText(turn: Turn): boolean {
  return turn.answer.trim() !== '' || turn.reasoning !== '' || turn.rounds.length > 0;
}
