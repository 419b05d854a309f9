import type { ReasoningEffort } from '../../service/types.ts';
import { type FormatCheck, isMismatch } from '../answerFormats/answerFormat.ts';
import { type CacheDrop, findCacheDrop, hadNoTools } from '../requestMessages/prefix.ts';
import { callsTools } from '../response.ts';
import { isOutOfRounds, latestResponse, responsesOf } from '../rounds.ts';
import { MAX_ROUNDS } from '../toolCalls/planCalls.ts';
import type { Outcome, Turn } from '../turn.ts';
import { hasTotals } from '../usage/cost.ts';
import type { RefusedField } from './refusedFields.ts';

/** What the user must know about a turn (F1–F7). The codes are those of the Problems view. */
export type Notice =
  | {
      readonly code:
        | 'truncated'
        | 'spent-on-reasoning'
        | 'empty-answer'
        | 'filtered'
        | 'interrupted'
        | 'stalled'
        | 'failed'
        | 'model-substituted'
        | 'usage-missing'
        | 'effort-ignored'
        | 'budget-clamped'
        | 'damaged-events'
        | 'other-choices'
        | 'begun-again'
        | 'unknown-finish'
        | 'rounds-spent'
        | 'calls-not-run'
        | 'format-mismatch';
    }
  | { readonly code: 'cache-dropped'; readonly drop: CacheDrop }
  /** The route refuses these fields, so the request was sent without them. */
  | { readonly code: 'left-out'; readonly fields: readonly RefusedField[] }
  /** The service accepted the request only after every content was sent as an array (Q5). */
  | { readonly code: 'content-parts'; readonly cache: FormCache };

/**
 * The effect of another form of all messages on the cache: less of it was used, it was used anyway, its use isn't reported, or it
 * was empty.
 */
export type FormCache = CacheDrop | 'used' | 'not-reported' | 'empty';

export type NoticeCode = Notice['code'];

/**
 * `error`: there is no usable answer. `warning`: something isn't as requested. `information`: everything
 * else.
 */
export type Severity = 'error' | 'warning' | 'information';

const SEVERITY: Readonly<Record<NoticeCode, Severity>> = {
  'spent-on-reasoning': 'error',
  failed: 'error',
  filtered: 'error',
  stalled: 'warning',
  truncated: 'warning',
  'empty-answer': 'warning',
  interrupted: 'warning',
  'model-substituted': 'warning',
  'damaged-events': 'warning',
  'other-choices': 'warning',
  'begun-again': 'warning',
  'unknown-finish': 'warning',
  'rounds-spent': 'warning',
  'calls-not-run': 'warning',
  'format-mismatch': 'warning',
  'usage-missing': 'warning',
  'budget-clamped': 'information',
  'effort-ignored': 'information',
  'cache-dropped': 'information',
  'left-out': 'information',
  'content-parts': 'information',
};

export function severityOf(code: NoticeCode): Severity {
  return SEVERITY[code];
}

/**
 * The notices of a turn that has ended, its outcome first. A running turn has none.
 *
 * @param earlier the previous answered turn in the conversation, for the cache
 * @param judged the result of checking the answer's format
 */
export function toNotices(turn: Turn, earlier: Turn | undefined, judged?: FormatCheck): readonly Notice[] {
  if (turn.outcome === undefined) return [];
  const notices: Notice[] = outcomeNotice(turn);
  const all = responsesOf(turn);
  const { model } = turn.request;
  const answered = all.some(
    (one) => one.responseId !== undefined || one.answer !== '' || one.reasoning !== '',
  );
  if (all.some(({ responseModel }) => responseModel !== undefined && responseModel !== model)) {
    notices.push({ code: 'model-substituted' });
  }
  const { finishReason, sawDone } = latestResponse(turn);
  if (hasUnrunCalls(turn)) notices.push({ code: 'calls-not-run' });
  else if (isOutOfRounds(turn)) notices.push({ code: 'rounds-spent' });
  // Otherwise, another notice names the finish reason, or it came before the end, as from services that send one with each chunk.
  else if (turn.outcome === 'complete' && finishReason !== undefined && !KNOWN_FINISH.has(finishReason))
    notices.push({ code: 'unknown-finish' });
  if (isMismatch(judged)) notices.push({ code: 'format-mismatch' });
  // An interrupted turn can't report usage, and already has its own notice.
  const ended = (finishReason !== undefined && !BROKEN.has(turn.outcome)) || sawDone;
  if (ended && turn.outcome !== 'stopped' && !hasTotals(turn)) notices.push({ code: 'usage-missing' });
  if (turn.damagedEvents > 0) notices.push({ code: 'damaged-events' });
  if (turn.otherChoices === true) notices.push({ code: 'other-choices' });
  if (turn.begunAgain === true) notices.push({ code: 'begun-again' });
  if (turn.request.clampedFrom !== undefined) notices.push({ code: 'budget-clamped' });
  if (answered && mayBeIgnored(turn) && !isSaid(turn, earlier)) notices.push({ code: 'effort-ignored' });
  const { leftOut } = turn.request;
  if (answered && leftOut !== undefined) notices.push({ code: 'left-out', fields: leftOut });
  const drop = findCacheDrop(earlier, turn);
  if (turn.request.contentParts?.refused === true)
    notices.push({ code: 'content-parts', cache: drop ?? toFormCache(turn, earlier) });
  else if (drop !== undefined) notices.push({ code: 'cache-dropped', drop });
  return notices;
}

/**
 * Whether a command of the extension caused a notice on behalf of the user: other tools were selected, or a command asks for its own
 * answer format. Problems lists the notice, but it isn't worth a card.
 */
export function isExpected(notice: Notice): boolean {
  if (notice.code !== 'cache-dropped') return false;
  return notice.drop.changed === 'tools' || notice.drop.changed === 'answer-format';
}

const ABOUT_THE_END: ReadonlySet<string> = new Set([
  'truncated',
  'spent-on-reasoning',
  'interrupted',
  'stalled',
  'failed',
  'rounds-spent',
]);

/** Whether a notice says only that the answer ended early. The notice is out of date when a later exchange continues from there. */
export const isAboutEnd = ({ code }: Pick<Notice, 'code'>): boolean => ABOUT_THE_END.has(code);

/** Whether a turn with this outcome ended early, so that a later exchange can continue from there. */
export const isEarlyEnd = (outcome: Outcome): boolean => outcome === 'stopped' || ABOUT_THE_END.has(outcome);

function toFormCache(turn: Turn, earlier: Turn | undefined): FormCache {
  const from = turn.request.contentParts?.fromRound ?? 0;
  if (from === 0 && earlier?.request.routeName !== turn.request.routeName) return 'empty';
  const cached = responsesOf(turn)[from]?.usage?.cachedTokens;
  if (cached === undefined) return 'not-reported';
  return cached > 0 ? 'used' : 'empty';
}

/**
 * Whether the turn ended with tool calls that can't be run: they came without the finish reason `tool_calls`, so they may be
 * incomplete; that finish reason came without a call; no tools were sent; or the calls may be those of several choices. Calls in
 * a turn of another chat are run by that chat.
 */
export function hasUnrunCalls(
  turn: Pick<
    Turn,
    | 'outcome'
    | 'finishReason'
    | 'wentOn'
    | 'sawDone'
    | 'toolCalls'
    | 'request'
    | 'rounds'
    | 'tries'
    | 'otherChoices'
  >,
): boolean {
  if (turn.outcome !== 'complete') return false;
  if (isOutOfRounds(turn)) return turn.otherChoices === true && turn.rounds.length <= MAX_ROUNDS;
  if (callsTools(turn)) return hadNoTools(turn.request.prefix);
  return turn.toolCalls.length > 0 || turn.finishReason === 'tool_calls';
}

const BROKEN: ReadonlySet<Outcome> = new Set(['interrupted', 'stalled', 'failed']);

const KNOWN_FINISH: ReadonlySet<string> = new Set(['stop', 'tool_calls']);

function outcomeNotice(turn: Turn): Notice[] {
  switch (turn.outcome) {
    case undefined:
    case 'complete':
    case 'stopped':
      return [];
    case 'empty':
      return [{ code: 'empty-answer' }];
    default:
      return [{ code: turn.outcome }];
  }
}

/**
 * Efforts below the highest are accepted, but may be ignored. For a gateway, only the highest is documented
 * (Q15).
 */
export const canBeIgnored = (effort: ReasoningEffort | undefined): boolean =>
  effort === 'low' || effort === 'high';

/** Whether the effort of a turn may have been ignored. No single answer shows it. */
export const mayBeIgnored = ({ request }: Pick<Turn, 'request'>): boolean =>
  canBeIgnored(request.effort) && request.effortWorks !== true;

/** Whether the previous turn already had this notice. Repeating it under every answer tells the user nothing new. */
const isSaid = ({ request }: Turn, earlier: Turn | undefined): boolean =>
  earlier !== undefined &&
  mayBeIgnored(earlier) &&
  earlier.request.effort === request.effort &&
  earlier.request.routeName === request.routeName;
