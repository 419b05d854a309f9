import { DEFAULT_MAX_COMPLETION_TOKENS } from '../service/limits.ts';
import { type FormatCheck, isMismatch } from './answerFormat.ts';
import { isReported } from './cost.ts';
import { latestResponse, responsesOf, totalUsageOf } from './rounds.ts';
import type { Turn } from './turn.ts';

/** One of the response checks of docs/service.md, with the value that decided it. */
export interface Check {
  readonly name: 'model' | 'finish' | 'content' | 'usage' | 'parameters';
  readonly passed: boolean;
  /** What arrived: a model's name, a finish reason, a number of characters or tokens. Undefined: nothing did. */
  readonly value: string | undefined;
}

/**
 * The response checks of docs/service.md, over all requests of a turn. The fifth, on parameters, is there only when
 * one was set: a budget is observed in the tokens that were written, a form of the answer in what came; an effort
 * below the highest cannot be observed in a single answer.
 *
 * @param judged what became of an answer that was asked for in a form
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
      passed: isReported(turn),
      value: total === undefined ? undefined : String(total),
    },
  ];
  const parameters = worstOf(checkForm(judged), checkParameters(turn));
  return parameters === undefined ? checks : [...checks, parameters];
}

/** One line for all parameters: the one that failed, if one did. */
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
  const { effort, maxCompletionTokens } = turn.request;
  if (effort === 'low' || effort === 'high')
    return { name: 'parameters', passed: false, value: `reasoning_effort ${effort}` };
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
