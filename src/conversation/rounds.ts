/**
 * The rounds of a turn (requests that ended in tool calls, with the results of the tools), and totals of all
 * rounds.
 */
import type { Usage } from '../service/types.ts';
import { type ModelResponse, toResponse } from './response.ts';
import type { ToolResult } from './toolCalls/tools.ts';
import type { Call, Round, Turn } from './turn.ts';

/**
 * The current response of a turn as a finished round. `endedAt` is in milliseconds after the turn started.
 */
export function toRound(turn: Turn, calls: readonly Call[], endedAt: number): Round {
  return { ...toResponse(turn), toolCalls: calls, tries: turn.tries, times: { ...turn.roundTimes, endedAt } };
}

/** Replaces one call of the latest round. */
export function foldCall(rounds: readonly Round[], index: number, call: Call): readonly Round[] {
  const last = rounds.at(-1);
  if (last?.toolCalls[index] === undefined) return rounds;
  return rounds.with(-1, { ...last, toolCalls: last.toolCalls.with(index, call) });
}

/**
 * Gives every call a result when a turn ends, so that none remains running.
 *
 * @param at milliseconds after the turn started
 * @param byUser whether the user stopped the turn; otherwise it was cut short, for example because the
 * window was closed
 */
export function settleCalls(rounds: readonly Round[], at: number, byUser: boolean): readonly Round[] {
  const last = rounds.at(-1);
  if (last === undefined || last.toolCalls.every(isSettled)) return rounds;
  const settle = (call: Call): Call => {
    // The user stopped the turn before the call began. If the window closed instead, the start may not have been recorded yet.
    const isUnrun = call.state !== 'running' || (byUser && call.startedAt === undefined);
    if (isUnrun) return { ...call, state: 'not-run', result: NOT_RUN };
    const ended = byUser ? STOPPED_CALL : CUT_SHORT;
    return { ...call, state: byUser ? 'stopped' : 'failed', result: ended, endedAt: at };
  };
  return rounds.with(-1, {
    ...last,
    toolCalls: last.toolCalls.map((call) => (isSettled(call) ? call : settle(call))),
  });
}

const isSettled = ({ result }: Call) => result !== undefined;

/** The result, for the model, of a call that the user stopped. */
export const STOPPED_CALL: ToolResult = {
  text: 'The user stopped this call before it ended.',
  failed: true,
  stopped: true,
};

const CUT_SHORT: ToolResult = { text: 'The call was cut short.', failed: true };
const NOT_RUN: ToolResult = { text: 'The call was not run: the turn was stopped first.', failed: true };

/**
 * Whether the turn itself has a response, complete or still running. Otherwise its last response is a round.
 */
export function hasOwnResponse(turn: Pick<Turn, 'rounds' | 'tries'>): boolean {
  return turn.rounds.length === 0 || turn.tries > 0;
}

/** The response to each request of a turn, in order. */
export function responsesOf(turn: Turn): readonly [ModelResponse, ...ModelResponse[]] {
  const [first, ...more] = turn.rounds;
  if (first === undefined) return [turn];
  return hasOwnResponse(turn) ? [first, ...more, turn] : [first, ...more];
}

/** The response to the latest request of a turn. */
export function latestResponse(turn: Turn): ModelResponse {
  return responsesOf(turn).at(-1) ?? turn;
}

/** The model that answered: one that wasn't asked for, if any response names one (R2), otherwise that of the latest response. */
export const answeringModel = (turn: Turn): string | undefined =>
  responsesOf(turn)
    .map(({ responseModel }) => responseModel)
    .find((model) => model !== undefined && model !== turn.request.model) ??
  latestResponse(turn).responseModel;

/** The reasoning of all rounds as one text, with the same lines as the turn's outline. */
export function allReasoning(turn: Turn): string {
  if (turn.rounds.length === 0) return turn.reasoning;
  const texts = [...turn.rounds, turn].map(({ reasoning }) => reasoning);
  return texts.filter((text) => text !== '').join(ROUND_SEPARATOR);
}

/** Separates the reasoning of two rounds in one text. */
export const ROUND_SEPARATOR = '\n\n';

/** The total usage of all requests of a turn that reported it. Undefined if none did. */
export function totalUsageOf(turn: Turn): Usage | undefined {
  const [first, ...more] = responsesOf(turn).flatMap(({ usage, reasoning }) =>
    usage === undefined ? [] : [toReportedUsage(toFullUsage(usage), reasoning)],
  );
  return first && more.reduce(addUsage, first);
}

/** If there is reasoning, zero reasoning tokens count as not reported, as in the estimate. */
const toReportedUsage = (usage: Usage, reasoning: string): Usage =>
  usage.reasoningTokens === 0 && reasoning !== '' ? { ...usage, reasoningTokens: undefined } : usage;

/**
 * Usage with the one figure that follows from the others, if the service left it out: the total, the input, or the output. A
 * total of zero counts as missing (F6), and a total below the known figure is ignored. The input is never 0 (Q10).
 */
export function toFullUsage(usage: Usage): Usage {
  const { promptTokens: input, completionTokens: output } = usage;
  const total = usage.totalTokens || undefined;
  if (input !== undefined && output !== undefined) return { ...usage, totalTokens: total ?? input + output };
  const known = input ?? output;
  if (total === undefined || known === undefined || total < known) return usage;
  const rest = total - known;
  return { ...usage, promptTokens: input ?? (rest || undefined), completionTokens: output ?? rest };
}

function addUsage(a: Usage, b: Usage): Usage {
  const add = (one: number | undefined, other: number | undefined) =>
    one === undefined ? other : one + (other ?? 0);
  return {
    promptTokens: add(a.promptTokens, b.promptTokens),
    completionTokens: add(a.completionTokens, b.completionTokens),
    totalTokens: add(a.totalTokens, b.totalTokens),
    reasoningTokens: add(a.reasoningTokens, b.reasoningTokens),
    cachedTokens: add(a.cachedTokens, b.cachedTokens),
  };
}

/** When the first text of the answer arrived, in milliseconds since the question was sent. Tool calls don't count. */
export function firstAnswerOf({ rounds, answer, roundTimes, timings }: Turn): number | undefined {
  const round = rounds.find((one) => one.answer.trim() !== '');
  if (round !== undefined) return round.times.firstAnswer;
  if (answer.trim() === '') return undefined;
  return rounds.length === 0 ? timings.firstAnswer : roundTimes.firstAnswer;
}

/** The number of requests that a turn sent, including refused tries. */
export function totalTriesOf(turn: Turn): number {
  return turn.rounds.reduce((sum, { tries }) => sum + tries, turn.tries);
}

/**
 * Whether the turn ended with calls that weren't run, because it had the maximum number of rounds, or its calls may be those of
 * another choice.
 */
export function isOutOfRounds(turn: Pick<Turn, 'outcome' | 'rounds' | 'tries'>): boolean {
  return turn.outcome === 'complete' && !hasOwnResponse(turn);
}

/**
 * Whether there is an answer: the turn isn't out of rounds, and has no calls that weren't run. For those, its card offers the
 * next step.
 */
export const isAnswered = (turn: Pick<Turn, 'outcome' | 'rounds' | 'tries' | 'toolCalls'>): boolean =>
  turn.outcome === 'complete' && !isOutOfRounds(turn) && turn.toolCalls.length === 0;
