/** The titles of notices, which cards, the Problems view, and other chats show. */
import * as vscode from 'vscode';
import type { Notice } from '../../conversation/outcomes/notices.ts';
import type { Turn } from '../../conversation/turn.ts';
import { isReported } from '../../conversation/usage/cost.ts';
import { plural } from '../base/plural.ts';
import { describeFailure } from '../wording/failureWords.ts';
import { spentTitle } from './truncatedBodies.ts';

const t = vscode.l10n.t;

/** The title of a notice, in one line. */
export function noticeTitle(notice: Notice, turn: Turn): string {
  switch (notice.code) {
    case 'truncated':
      return t('The answer was cut off');
    case 'spent-on-reasoning':
      return spentTitle(turn);
    case 'empty-answer':
      return t('The answer is empty');
    case 'filtered':
      return t('Blocked by the content filter');
    case 'interrupted':
      return t('The answer was interrupted');
    case 'stalled':
      return turn.failure === undefined
        ? t('The service stopped responding')
        : describeFailure(turn.failure, turn.request).title;
    case 'failed':
      return turn.failure === undefined
        ? t('The request failed')
        : describeFailure(turn.failure, turn.request).title;
    case 'model-substituted':
      return t('Another model answered');
    case 'usage-missing':
      return isReported(turn) ? t('Total usage not reported') : t('Usage not reported');
    case 'effort-ignored':
      return t('The effort may have been ignored');
    case 'budget-clamped':
      return t('The output budget was reduced to the maximum');
    case 'damaged-events':
      return t('Part of the stream couldn’t be read');
    case 'other-choices':
      return t('The service sent more than one answer');
    case 'begun-again':
      return t('The service began its response again');
    case 'unknown-finish':
      return t('Unknown finish reason');
    case 'rounds-spent':
      return plural(
        t(
          '{0, plural, one {Stopped after # round of tool calls} other {Stopped after # rounds of tool calls}}',
        ),
        turn.rounds.length - 1,
      );
    case 'calls-not-run':
      return t('Tool calls were not run');
    case 'format-mismatch':
      return t('The answer doesn’t match the requested format');
    case 'cache-dropped':
      return t('Less of the prompt was cached than before');
    case 'content-parts':
      return t('The messages were sent in a different format');
    case 'left-out':
      return t('Sent without what the route rejects');
  }
}
