/** Errors for other chats. Their messages are complete on their own, because such a chat shows nothing else of K3. */
import * as vscode from 'vscode';
import type { ReplyProblem } from '../../conversation/otherChats/otherReply.ts';
import { toNotices } from '../../conversation/outcomes/notices.ts';
import type { Turn } from '../../conversation/turn.ts';
import type { Refusal } from '../../requests/refusal.ts';
import type { ServiceErrorKind } from '../../service/errors.ts';
import type { Prices } from '../../service/limits.ts';
import { withoutLinks } from '../base/notifications.ts';
import { joinSentences, toSentence } from '../base/sentences.ts';
import { noticeBody, noticeTitle } from '../outcomes/noticeWords.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import { outcomeLabel } from '../wording/turnLabels.ts';

const t = vscode.l10n.t;

/** An error for a request that was refused before it was sent. */
export function toRefusalError(refusal: Refusal): Error {
  const message = withoutLinks(describeRefusal(refusal));
  return refusal.kind === 'no-key' ? vscode.LanguageModelError.NoPermissions(message) : new Error(message);
}

/** An error for a turn without a usable answer. A LanguageModelError where one of its kinds fits. */
export function toReplyError(turn: Turn, problem: ReplyProblem, prices: Prices): Error {
  const message = withoutLinks(describe(turn, problem, prices));
  if (problem.why !== 'outcome') return new Error(message);
  if (problem.outcome === 'filtered') return vscode.LanguageModelError.Blocked(message);
  const kind = turn.failure?.kind;
  if (problem.outcome !== 'failed' || kind === undefined) return new Error(message);
  if (NO_PERMISSION.has(kind)) return vscode.LanguageModelError.NoPermissions(message);
  return NOT_FOUND.has(kind) ? vscode.LanguageModelError.NotFound(message) : new Error(message);
}

const NO_PERMISSION: ReadonlySet<ServiceErrorKind> = new Set([
  'bad-key',
  'key-removed',
  'access-denied',
  'no-balance',
]);
const NOT_FOUND: ReadonlySet<ServiceErrorKind> = new Set(['model-unavailable', 'model-unknown', 'not-found']);

function describe(turn: Turn, problem: ReplyProblem, prices: Prices): string {
  switch (problem.why) {
    case 'outcome':
      return describeOutcome(turn, prices) ?? outcomeLabel(problem.outcome);
    case 'model-substituted':
      return joinSentences([
        noticeOf(turn, prices, problem.why),
        t('Check the model name in k3.routes.{0}.', turn.request.routeName),
      ]);
    case 'rounds-spent':
      return joinSentences([noticeOf(turn, prices, problem.why), t('Ask again to continue.')]);
    case 'calls-not-run':
      return joinSentences([noticeOf(turn, prices, problem.why), t('Ask again.')]);
    case 'broken-call':
      return t(
        'svc-k3 sent an invalid call to the tool “{0}” ({1}). No tool was run. Ask again.',
        problem.name,
        describeFault(problem.fault),
      );
  }
}

function describeOutcome(turn: Turn, prices: Prices): string | undefined {
  const [notice] = toNotices(turn, undefined);
  if (notice === undefined) return undefined;
  const serviceMessage = turn.failure?.details.serviceMessage;
  return joinSentences([
    toSentence(noticeTitle(notice, turn)),
    ...noticeBody(notice, turn, prices),
    ...(serviceMessage === undefined ? [] : [t('Service response: {0}', serviceMessage)]),
    ...nextStep(turn),
  ]);
}

function nextStep({ outcome, failure, toolCalls }: Turn): readonly string[] {
  const uncalled = toolCalls.length === 0 ? [] : [t('The tool calls in it were not run.')];
  switch (outcome) {
    case 'truncated':
    case 'spent-on-reasoning':
      return [...uncalled, t('Increase k3.maxCompletionTokens or ask a smaller question.')];
    case 'empty':
    case 'interrupted':
    case 'stalled':
      return [...uncalled, t('Ask again.')];
    case 'failed':
      return failure?.kind === 'bad-key' || failure?.kind === 'key-removed'
        ? [t('Run “K3: Set API Key…”.')]
        : [];
    default:
      return uncalled;
  }
}

/** Problems with the same text in other chats as in K3. */
type RepliedNotice = Exclude<ReplyProblem['why'], 'outcome' | 'broken-call'>;

function noticeOf(turn: Turn, prices: Prices, code: RepliedNotice): string {
  const notice = { code };
  return joinSentences([toSentence(noticeTitle(notice, turn)), ...noticeBody(notice, turn, prices)]);
}

function describeFault(fault: Extract<ReplyProblem, { why: 'broken-call' }>['fault']): string {
  switch (fault) {
    case 'damaged':
      return t('part of the stream couldn’t be read');
    case 'no-id':
      return t('the call has no ID');
    case 'same-id':
      return t('two calls have the same ID');
    case 'unknown-name':
      return t('the tool doesn’t exist');
    case 'no-object':
      return t('its arguments are not a JSON object');
  }
}
