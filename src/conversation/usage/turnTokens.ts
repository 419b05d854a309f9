/** The tokens of turns that go back with the next request, estimated where the service didn't report them. */
import type { Usage } from '../../service/types.ts';
import { omittedTokens } from '../requestMessages/omissions.ts';
import type { ModelResponse } from '../response.ts';
import { responsesOf } from '../rounds.ts';
import { sentImagesIn } from '../toolCalls/tools.ts';
import type { Call, Turn } from '../turn.ts';
import { hasFinalUsage, hasUsage } from './cost.ts';
import { estimateTokens, IMAGE_TOKENS } from './tokens.ts';

/** All responses of a turn, and the results of its tools. */
export function turnTokens(turn: Turn, ratio: number): number {
  return turn.rounds.reduce(
    (sum, round) => sum + responseTokens(round) * ratio + resultTokens(round.toolCalls, ratio),
    responseTokens(turn) * ratio,
  );
}

/** What follows in a turn after the last request that reported its usage, without what is left out since. */
export function sinceReport(turn: Turn | undefined, ratio: number): number {
  if (turn === undefined || hasUsage(turn.usage)) return 0;
  const at = turn.rounds.findLastIndex(({ usage }) => hasUsage(usage));
  const round = turn.rounds[at];
  if (round === undefined) return 0;
  const after = { ...turn, rounds: turn.rounds.slice(at + 1) };
  return turnTokens(after, ratio) + resultTokens(round.toolCalls, ratio) - omittedTokens(turn, at + 1);
}

function responseTokens({ answer, reasoning, toolCalls }: ModelResponse): number {
  const calls = toolCalls.reduce((sum, call) => sum + estimateTokens(call.arguments), 0);
  return estimateTokens(answer) + estimateTokens(reasoning) + calls;
}

function resultTokens(calls: readonly Call[], ratio: number): number {
  return calls.reduce(
    (sum, { result }) =>
      sum + estimateTokens(result?.text ?? '') * ratio + sentImagesIn(result).length * IMAGE_TOKENS,
    0,
  );
}

/** The output of the response of a turn with that usage. What came after the usage is estimated. */
export function outputTokens(usage: Usage, turn: Turn | undefined, ratio: number): number {
  const { completionTokens = 0 } = usage;
  const response = turn && responsesOf(turn).findLast((one) => one.usage === usage);
  if (turn === undefined || response === undefined || hasFinalUsage(response, turn)) return completionTokens;
  return Math.max(completionTokens, responseTokens(response) * ratio);
}
