import { DEFAULT_MAX_COMPLETION_TOKENS } from '../service/limits.ts';
import { isReported } from './cost.ts';
import { latestSaid, saidInAll, usageInAll } from './rounds.ts';
import type { Turn } from './turn.ts';

/** One of the checks that the specification asks of a client, with the value that decided it. */
export interface Check {
  readonly name: 'model' | 'finish' | 'content' | 'usage' | 'parameters';
  readonly passed: boolean;
  /** What arrived: a model's name, a finish reason, a number of characters or tokens. Undefined: nothing did. */
  readonly value: string | undefined;
}

/**
 * The response checks of `svc-k3.md`, over all requests of a turn. The fifth, on parameters, is there only when one was
 * set: a budget is observed in the tokens that were written; an effort below the highest cannot be observed in a single
 * answer.
 */
export function toChecks(turn: Turn): readonly Check[] {
  const all = saidInAll(turn);
  const last = latestSaid(turn);
  const other = all.find(({ responseModel }) => responseModel !== turn.request.model);
  const total = usageInAll(turn)?.totalTokens;
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
  const parameters = checkParameters(turn);
  return parameters === undefined ? checks : [...checks, parameters];
}

function checkParameters(turn: Turn): Check | undefined {
  const { effort, maxCompletionTokens } = turn.request;
  if (effort === 'low' || effort === 'high')
    return { name: 'parameters', passed: false, value: `reasoning_effort ${effort}` };
  if (maxCompletionTokens === undefined || maxCompletionTokens === DEFAULT_MAX_COMPLETION_TOKENS)
    return undefined;
  const written = saidInAll(turn)
    .map(({ usage }) => usage?.completionTokens)
    .filter((tokens) => tokens !== undefined);
  if (written.length === 0) return undefined;
  return {
    name: 'parameters',
    passed: Math.max(...written) <= maxCompletionTokens && turn.request.clampedFrom === undefined,
    value: `max_completion_tokens ${maxCompletionTokens}`,
  };
}
