/** Reads the results that any turn of a probe can show. */
import { responsesOf } from '../conversation/rounds.ts';
import { hasUsage } from '../conversation/usage/cost.ts';
import type { Usage } from '../service/types.ts';
import { type ProbeTurn, type Reading, toReading } from './reading.ts';

/** The results that any of the turns can show: the model, the reasoning, the usage, and keep-alives. */
export function readTurns(turns: readonly ProbeTurn[], model: string): readonly Reading[] {
  const responses = answered(turns);
  if (responses.length === 0) return [];
  const names = new Set(responses.flatMap(({ responseModel }) => responseModel ?? []));
  const fields = new Set(responses.flatMap(({ reasoningName }) => reasoningName ?? []));
  const used = answered(turns.filter(({ cut }) => !cut));
  const reported = used.filter(({ usage }) => hasUsage(usage));
  const alive = turns.filter(({ keepAlives }) => keepAlives > 0).length;
  return [
    names.size === 0
      ? toReading('model', 'unclear', 'not-reported')
      : toReading('model', names.size === 1 && names.has(model) ? 'yes' : 'no', 'as-is', ...names),
    fields.size === 0
      ? toReading('reasoning', 'no', 'nothing')
      : toReading('reasoning', 'yes', 'as-is', ...fields),
    readUsage(
      reported.flatMap(({ usage }) => usage ?? []),
      used.length,
    ),
    alive > 0
      ? toReading('keep-alives', 'yes', 'in-some', alive, turns.length)
      : toReading('keep-alives', 'unclear', 'in-some', 0, turns.length),
  ];
}

/** The responses that exist. A request that was refused has none. */
const answered = (turns: readonly ProbeTurn[]) =>
  turns
    .flatMap(({ turn }) => responsesOf(turn))
    .filter(({ finishReason, answer, reasoning }) => finishReason !== undefined || answer + reasoning !== '');

const USAGE_FIELDS: Readonly<Record<keyof Usage, string>> = {
  promptTokens: 'prompt_tokens',
  completionTokens: 'completion_tokens',
  totalTokens: 'total_tokens',
  reasoningTokens: 'reasoning_tokens',
  cachedTokens: 'cached_tokens',
};

function readUsage(usages: readonly Usage[], requests: number): Reading {
  if (usages.length === 0) return toReading('usage', 'no', 'not-reported');
  if (usages.length < requests) return toReading('usage', 'unclear', 'in-some', usages.length, requests);
  const fields = Object.entries(USAGE_FIELDS).filter(([key]) =>
    usages.some((usage) => usage[key as keyof Usage] !== undefined),
  );
  return toReading('usage', 'yes', 'as-is', ...fields.map(([, name]) => name));
}
