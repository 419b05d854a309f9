/** The tokens of turns in the next request, estimated if the service didn't report them. */
import type { Usage } from '../../service/types.ts';
import { omittedTokens } from '../requestMessages/omissions.ts';
import { hasReasoning, hasReasoningField } from '../requestMessages/replay.ts';
import type { ModelResponse } from '../response.ts';
import { responsesOf } from '../rounds.ts';
import { sentImagesIn } from '../toolCalls/tools.ts';
import type { Call, Turn } from '../turn.ts';
import { hasFinalUsage, showsLength } from './cost.ts';
import { estimateTokens, IMAGE_TOKENS } from './tokens.ts';

/** The tokens of a turn's responses and tool results that are sent back. `isBare`: reasoning in fields of its own isn't sent. */
export function turnTokens(turn: Turn, ratio: number, isBare = false): number {
  // Without an answer, nothing of the last response is sent back, and calls that were cut off never are.
  const last = turn.answer.trim() === '' ? 0 : responseTokens({ ...turn, toolCalls: [] }, isBare);
  return turn.rounds.reduce(
    (sum, round) => sum + responseTokens(round, isBare) * ratio + resultTokens(round.toolCalls, ratio),
    last * ratio,
  );
}

/** The tokens in a turn after its last request that reported its input, minus the results that have been left out since. */
export function sinceReport(turn: Turn | undefined, ratio: number, isBare: boolean): number {
  if (turn === undefined || showsLength(turn.usage)) return 0;
  const at = turn.rounds.findLastIndex(({ usage }) => showsLength(usage));
  const round = turn.rounds[at];
  if (round === undefined) return 0;
  const after = { ...turn, rounds: turn.rounds.slice(at + 1) };
  return (
    turnTokens(after, ratio, isBare) + resultTokens(round.toolCalls, ratio) - omittedTokens(turn, at + 1)
  );
}

function responseTokens(response: ModelResponse, isBare: boolean): number {
  const { answer, reasoning, toolCalls } = response;
  const calls = toolCalls.reduce((sum, call) => sum + estimateTokens(call.arguments), 0);
  return estimateTokens(answer) + (isReasoningSent(response, isBare) ? estimateTokens(reasoning) : 0) + calls;
}

const isReasoningSent = (response: ModelResponse, isBare: boolean): boolean =>
  hasReasoning(response) && !(isBare && hasReasoningField(response));

function resultTokens(calls: readonly Call[], ratio: number): number {
  return calls.reduce(
    (sum, { result }) =>
      sum + estimateTokens(result?.text ?? '') * ratio + sentImagesIn(result).length * IMAGE_TOKENS,
    0,
  );
}

/** The tokens that are sent back of the response with this usage. If text came after the usage, they are estimated. */
export function outputTokens(usage: Usage, turn: Turn | undefined, ratio: number, isBare: boolean): number {
  const { completionTokens = 0, reasoningTokens } = usage;
  const response = turn && responsesOf(turn).findLast((one) => one.usage === usage);
  if (turn === undefined || response === undefined) return completionTokens;
  const estimated = responseTokens(response, isBare) * ratio;
  if (!hasFinalUsage(response, turn)) return Math.max(isBare ? 0 : completionTokens, estimated);
  if (isReasoningSent(response, isBare)) return completionTokens;
  return reasoningTokens === undefined
    ? Math.min(completionTokens, estimated)
    : Math.max(0, completionTokens - reasoningTokens);
}
