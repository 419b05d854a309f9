import { DEFAULT_MAX_COMPLETION_TOKENS } from '../../service/limits.ts';
import { type FormatCheck, isMismatch } from '../answerFormats/answerFormat.ts';
import { latestResponse, responsesOf, totalUsageOf } from '../rounds.ts';
import type { Turn } from '../turn.ts';
import { hasTotals, isReported } from '../usage/cost.ts';
import { mayBeIgnored } from './notices.ts';

/** One of the response checks of docs/service.md, with the value that decided it. */
export interface Check {
  readonly name: 'model' | 'finish' | 'content' | 'usage' | 'parameters';
  /** Undefined if the answer doesn't show whether the check passes. */
  readonly passed: boolean | undefined;
  /**
   * What the service returned: a model's name, a finish reason, a number of characters or tokens. Undefined
   * if it returned nothing.
   */
  readonly value: string | undefined;
}

/**
 * The response checks of docs/service.md, for all requests of a turn. The fifth check, of parameters, is included only if a
 * parameter was set: a budget is checked against the output tokens, an answer format against the answer. An effort below the
 * highest can't be checked in a single answer: its check neither passes nor fails until a probe has shown that the effort works.
 *
 * @param judged the result of checking the answer's format
 */
export function toChecks(turn: Turn, judged?: FormatCheck): readonly Check[] {
  const all = responsesOf(turn);
  const last = latestResponse(turn);
  const other = all.find(({ responseModel }) => responseModel !== turn.request.model);
  const total = totalUsageOf(turn)?.totalTokens;
  const checks: Check[] = [
    { name: 'model', passed: other === undefined, value: (other ?? last).responseModel },
    {
      name: 'finish',
      passed: last.finishReason === 'stop' || last.finishReason === 'tool_calls',
      value: last.finishReason,
    },
    {
      name: 'content',
      passed: last.answer.trim() !== '' || last.toolCalls.length > 0,
      value: last.answer === '' ? undefined : String(last.answer.length),
    },
    {
      name: 'usage',
      passed: hasTotals(turn),
      // Not a sum that was calculated here.
      value: total === undefined || (isReported(turn) && !hasTotals(turn)) ? undefined : String(total),
    },
  ];
  const parameters = worstOf(checkForm(judged), checkParameters(turn));
  return parameters === undefined ? checks : [...checks, parameters];
}

/** One check for all parameters: the check that failed, if any. */
function worstOf(form: Check | undefined, other: Check | undefined): Check | undefined {
  return form?.passed === false ? form : (other ?? form);
}

function checkForm(judged: FormatCheck | undefined): Check | undefined {
  if (judged?.verdict === undefined || judged.verdict.kind === 'unchecked') return undefined;
  const { format } = judged;
  const value = format.kind === 'json' ? 'json_object' : `json_schema ${format.name}`;
  return { name: 'parameters', passed: !isMismatch(judged), value };
}

function checkParameters(turn: Turn): Check | undefined {
  const budget = checkBudget(turn);
  if (budget?.passed === false || !mayBeIgnored(turn)) return budget;
  return { name: 'parameters', passed: undefined, value: `reasoning_effort ${turn.request.effort}` };
}

function checkBudget(turn: Turn): Check | undefined {
  const { maxCompletionTokens } = turn.request;
  if (maxCompletionTokens === undefined || maxCompletionTokens === DEFAULT_MAX_COMPLETION_TOKENS)
    return undefined;
  const written = responsesOf(turn)
    .map(({ usage }) => usage?.completionTokens)
    .filter((tokens) => tokens !== undefined);
  if (written.length === 0) return undefined;
  return {
    name: 'parameters',
    passed: Math.max(...written) <= maxCompletionTokens && turn.request.clampedFrom === undefined,
    value: `max_completion_tokens ${maxCompletionTokens}`,
  };
}
