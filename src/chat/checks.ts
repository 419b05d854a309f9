import { DEFAULT_MAX_COMPLETION_TOKENS } from '../service/limits.ts';
import { hasUsage } from './cost.ts';
import type { Turn } from './turn.ts';

/** One of the checks that the specification asks of a client, with the value that decided it. */
export interface Check {
  readonly name: 'model' | 'finish' | 'content' | 'usage' | 'parameters';
  readonly passed: boolean;
  /** What arrived: a model's name, a finish reason, a number of characters or tokens. Undefined: nothing did. */
  readonly value: string | undefined;
}

/**
 * The response checks of `svc-k3.md`. The fifth, on parameters, is there only when one was set: a budget is observed
 * in the tokens that were written; an effort below the highest cannot be observed in a single answer.
 */
export function toChecks(turn: Turn): readonly Check[] {
  const { usage } = turn;
  const checks: Check[] = [
    { name: 'model', passed: turn.responseModel === turn.request.model, value: turn.responseModel },
    {
      name: 'finish',
      passed: turn.finishReason === 'stop' || turn.finishReason === 'tool_calls',
      value: turn.finishReason,
    },
    {
      name: 'content',
      passed: turn.answer.trim() !== '' || turn.toolCalls.length > 0,
      value: turn.answer === '' ? undefined : String(turn.answer.length),
    },
    {
      name: 'usage',
      passed: hasUsage(usage),
      value: usage?.totalTokens === undefined ? undefined : String(usage.totalTokens),
    },
  ];
  const parameters = checkParameters(turn);
  return parameters === undefined ? checks : [...checks, parameters];
}

function checkParameters(turn: Turn): Check | undefined {
  const { effort, maxCompletionTokens } = turn.request;
  if (effort === 'low' || effort === 'high')
    return { name: 'parameters', passed: false, value: `reasoning_effort ${effort}` };
  if (maxCompletionTokens === undefined || maxCompletionTokens === DEFAULT_MAX_COMPLETION_TOKENS)
    return undefined;
  const written = turn.usage?.completionTokens;
  if (written === undefined) return undefined;
  return {
    name: 'parameters',
    passed: written <= maxCompletionTokens && turn.request.clampedFrom === undefined,
    value: `max_completion_tokens ${maxCompletionTokens}`,
  };
}
