/** The bodies of notices, which cards, Problems, and other chats show below the titles. */
import * as vscode from 'vscode';
import type { SentImages } from '../../conversation/images/sentImages.ts';
import type { Notice } from '../../conversation/outcomes/notices.ts';
import type { RefusedField } from '../../conversation/outcomes/refusedFields.ts';
import { toReasoningFacts } from '../../conversation/reasoning/steps.ts';
import { answeringModel, hasOwnResponse, isOutOfRounds, totalUsageOf } from '../../conversation/rounds.ts';
import type { Turn } from '../../conversation/turn.ts';
import { costOf, isCostKnown, isReported } from '../../conversation/usage/cost.ts';
import { toCostText } from '../../panel/usage.ts';
import { CONTEXT_WINDOW_TOKENS, DEFAULT_MAX_COMPLETION_TOKENS } from '../../service/limits.ts';
import type { Prices } from '../../service/prices.ts';
import { formatCost, formatTokens, tokensText } from '../base/formats.ts';
import { plural } from '../base/plural.ts';
import { joinSentences, toSentence } from '../base/sentences.ts';
import { budgetSetting } from '../wording/budgetWords.ts';
import { cacheLine, formCacheLines } from '../wording/cacheWords.ts';
import { describeFailure } from '../wording/failureWords.ts';
import { hasAnyText } from './noticeActions.ts';
import { emptyLine, spentLine, truncatedLine } from './truncatedBodies.ts';

const t = vscode.l10n.t;

/**
 * The paragraphs of a notice below its title.
 *
 * @param images the place of the images in the request, if it is known
 */
export function noticeBody(
  notice: Notice,
  turn: Turn,
  prices: Prices,
  images?: SentImages,
): readonly string[] {
  switch (notice.code) {
    case 'truncated':
      return [truncatedLine(turn)];
    case 'spent-on-reasoning':
      return [spentLine(turn), billedLine(turn, prices)];
    case 'empty-answer':
      return [emptyLine(turn), billedLine(turn, prices)];
    case 'filtered':
      return [t('The service’s content filter stopped this answer. Try rephrasing the question.')];
    case 'interrupted':
      return [interruptedLine(turn)];
    case 'stalled':
    case 'failed':
      return turn.failure === undefined
        ? []
        : describeFailure(turn.failure, { ...turn.request, ...(images && { images }) }).body;
    case 'model-substituted':
      return [
        t(
          'The request named {0}, but the response is from {1}. A gateway can switch models without notice.',
          turn.request.model,
          answeringModel(turn) ?? '?',
        ),
      ];
    case 'usage-missing':
      return [
        isReported(turn)
          ? t('The service reported no total of tokens. The sum of input and output is counted instead.')
          : t(
              'The response has no token counts, so the tokens and cost of this turn are unknown. They are not zero.',
            ),
      ];
    case 'rounds-spent':
      return [t('The model requested more tool calls, which were not run. Everything so far is kept.')];
    case 'calls-not-run':
      return [unrunCallsLine(turn)];
    case 'effort-ignored':
      return [effortLine(turn)];
    case 'budget-clamped':
      return [
        t(
          '{0} is {1} tokens, but the service allows at most {2}. The request was sent with the maximum.',
          budgetSetting(turn.request.budgetPreset),
          formatTokens(turn.request.clampedFrom ?? 0),
          formatTokens(CONTEXT_WINDOW_TOKENS),
        ),
      ];
    case 'damaged-events':
      return [
        plural(
          t(
            '{0, plural, one {# event was not valid JSON or had a number in place of text. Some text may be missing.} other {# events were not valid JSON or had a number in place of text. Some text may be missing.}}',
          ),
          turn.damagedEvents,
        ),
      ];
    case 'other-choices':
      return [
        t(
          'The request asked for one answer. The first one is shown. Text of the others is left out if it can be recognized, and may be billed.',
        ),
      ];
    case 'begun-again':
      return [t('The text of both responses is shown. The second one may repeat what the first one says.')];
    case 'unknown-finish':
      return [
        t('The finish reason “{0}” is not documented. The text is shown unchanged.', turn.finishReason ?? ''),
      ];
    case 'format-mismatch':
      return [
        t(
          'The service can ignore the answer format without notice. The errors are shown with the answer in the chat.',
        ),
      ];
    case 'cache-dropped':
      return [cacheLine(notice.drop)];
    case 'left-out':
      return notice.fields.map((field) => leftOutLine(field, turn));
    case 'content-parts':
      return [
        t(
          'The service rejected text messages next to an image. The request was sent again with each message as an array of objects. From now on, requests with images use this format on this route.',
        ),
        ...formCacheLines(notice.cache),
      ];
  }
}

function billedLine(turn: Turn, prices: Prices): string {
  if (turn.request.demo === true) return t('Nothing was billed, because this is the demo.');
  const usage = totalUsageOf(turn);
  const cost = costOf(turn, prices);
  if (cost === undefined) return t('The billed amount was not reported.');
  const least = isCostKnown(turn) ? '' : '≥ ';
  return t(
    'Billed: {0}, about {1}.',
    `${least}${tokensText(usage?.totalTokens ?? 0)}`,
    toCostText({ cost, unreported: least === '' ? 0 : 1 }, formatCost, `≥ ${formatCost(0)}`),
  );
}

function interruptedLine(turn: Turn): string {
  const { failure } = turn;
  const lost = failure?.kind === 'connection-lost';
  if (turn.windowClosed !== true && !hasAnyText(turn) && turn.toolCalls.length === 0)
    return joinSentences([
      lost ? toSentence(describeFailure(failure, turn.request).title) : '',
      t('No text was received. The service may bill the request without reporting usage.'),
    ]);
  if (lost)
    return t(
      'The connection was lost during the answer. The text received so far is kept and may have been billed.',
    );
  if (turn.windowClosed === true && !hasOwnResponse(turn))
    return t('The window was closed during a tool call. The text received so far is kept.');
  if (turn.windowClosed === true)
    return t(
      'The window was closed or reloaded before the answer was complete. The text received so far is kept and may have been billed.',
    );
  // For example, the conversation was exported at that moment, or was deleted and restored.
  if (!hasOwnResponse(turn))
    return t('The answer ended during a tool call. The text received so far is kept.');
  if (turn.finishReason !== undefined)
    return t(
      'The finish reason is “{0}”, so the answer is probably incomplete. The text received so far is kept.',
      turn.finishReason,
    );
  return t(
    'The stream ended without a finish reason, so the answer is probably incomplete. The text received so far is kept.',
  );
}

function unrunCallsLine(turn: Turn): string {
  const { toolCalls, finishReason = '' } = turn;
  if (isOutOfRounds(turn)) return t('They may be parts of different answers.');
  if (toolCalls.length === 0)
    return t('The finish reason is “tool_calls”, but the response has no tool call.');
  if (finishReason === 'tool_calls') return t('No tools were sent with this question.');
  return t(
    'The finish reason is “{0}” instead of “tool_calls”, so the calls may be incomplete.',
    finishReason,
  );
}

function effortLine(turn: Turn): string {
  const { tokens = 0, estimated } = toReasoningFacts(turn);
  const effort = turn.request.effort ?? '';
  return estimated
    ? t('The service accepts effort “{0}” but may ignore it.', effort)
    : t(
        'The service accepts effort “{0}” but may ignore it. This turn used {1} reasoning tokens.',
        effort,
        formatTokens(tokens),
      );
}

function leftOutLine(field: RefusedField, { request: { routeName, maxCompletionTokens } }: Turn): string {
  switch (field) {
    case 'schema':
    case 'json':
      return t(
        'Route “{0}” rejects {1}, so the request describes the answer format in words.',
        routeName,
        field === 'schema' ? 'json_schema' : 'json_object',
      );
    case 'effort':
      return t('Route “{0}” rejects {1}, so the effort was not sent.', routeName, 'reasoning_effort');
    case 'ceiling':
      return t(
        'Route “{0}” rejects an output budget of {1} tokens, so the request was sent with {2}.',
        routeName,
        formatTokens(CONTEXT_WINDOW_TOKENS),
        formatTokens(maxCompletionTokens ?? DEFAULT_MAX_COMPLETION_TOKENS),
      );
  }
}
