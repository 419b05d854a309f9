/** Errors for other chats. Their messages are complete on their own, because such a chat shows nothing else of K3. */
import * as vscode from 'vscode';
import type { ReplyProblem } from '../../conversation/otherChats/otherReply.ts';
import { type Notice, type NoticeCode, toNotices } from '../../conversation/outcomes/notices.ts';
import type { Turn } from '../../conversation/turn.ts';
import type { Refusal } from '../../requests/refusal.ts';
import type { ServiceErrorKind } from '../../service/errors.ts';
import { MAX_TOOLS } from '../../service/limits.ts';
import type { Prices } from '../../service/prices.ts';
import { withoutLinks } from '../base/notifications.ts';
import { joinSentences } from '../base/sentences.ts';
import { nextStep, noticeText, serviceLine, warningsOf } from '../cards/noticeText.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import { outcomeLabel } from '../wording/turnLabels.ts';

const t = vscode.l10n.t;

/** An error for a request that was refused before it was sent. */
export function toRefusalError(refusal: Refusal): Error {
  const message = withoutLinks(describeTools(refusal) ?? describeRefusal(refusal));
  return refusal.kind === 'no-key' ? vscode.LanguageModelError.NoPermissions(message) : new Error(message);
}

/** Says why the tools, which the other chat selects, can't be sent. Undefined for other refusals. */
function describeTools(refusal: Refusal): string | undefined {
  if (refusal.kind !== 'request' || refusal.problem.field !== 'tools') return undefined;
  const { problem } = refusal;
  return t(
    'The tools of this request can’t be sent ({0}): svc-k3 accepts at most {1}, each with a name of its own. Turn some off in this chat.',
    problem.reason === 'too-many' ? problem.count : problem.value,
    MAX_TOOLS,
  );
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

/**
 * The reason, and all other warnings of the turn, because such a chat shows nothing of it. A next step that several of them have is
 * said once.
 */
function describe(turn: Turn, problem: ReplyProblem, prices: Prices): string {
  const notices = toNotices(turn, undefined);
  const reason = notices.find(({ code }) => problem.why === 'outcome' || code === problem.why);
  const others = warningsOf(turn).filter(({ code }) => code !== reason?.code);
  const sentences = [
    ...describeReason(turn, problem, reason, prices),
    ...others.flatMap((notice) => [noticeText(notice, turn, prices), nextStep(notice, turn)]),
    ...(problem.why === 'outcome' ? [serviceLine(turn)] : []),
  ];
  return joinSentences([...new Set(sentences)]);
}

/** @param reason the notice of the problem, if it has one */
function describeReason(
  turn: Turn,
  problem: ReplyProblem,
  reason: Notice | undefined,
  prices: Prices,
): readonly string[] {
  if (problem.why === 'broken-call')
    return [
      t(
        'svc-k3 sent an invalid call to the tool “{0}” ({1}). No tool was run. Ask again.',
        problem.name,
        describeFault(problem.fault),
      ),
    ];
  if (reason === undefined) return problem.why === 'outcome' ? [outcomeLabel(problem.outcome)] : [];
  const isLeft = turn.toolCalls.length > 0 && !SAYS_CALLS.has(reason.code);
  return [
    noticeText(reason, turn, prices),
    isLeft ? t('The tool calls in it were not run.') : '',
    nextStep(reason, turn),
  ];
}

/** Notices whose texts say that no tool was run. */
const SAYS_CALLS: ReadonlySet<NoticeCode> = new Set(['calls-not-run', 'rounds-spent']);

function describeFault(fault: Extract<ReplyProblem, { why: 'broken-call' }>['fault']): string {
  switch (fault) {
    case 'damaged':
      return t('part of the stream couldn’t be read');
    case 'unknown-name':
      return t('the tool doesn’t exist');
    case 'no-object':
      return t('its arguments are not a JSON object');
  }
}
