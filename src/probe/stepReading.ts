/** Reads what a route does from the turns of one step of a probe. */
import {
  type AnswerFormat,
  checkAnswerFormat,
  type SchemaCheck,
} from '../conversation/answerFormats/answerFormat.ts';
import { responsesOf } from '../conversation/rounds.ts';
import type { Turn } from '../conversation/turn.ts';
import { hasUsage } from '../conversation/usage/cost.ts';
import { estimateTokens } from '../conversation/usage/tokens.ts';
import { CONTEXT_WINDOW_TOKENS } from '../service/limits.ts';
import type { Usage } from '../service/types.ts';
import type { CheckId, Verdict } from './probe.ts';
import {
  COLORS,
  IMAGE_QUESTION,
  NO_IMAGE,
  NO_TOOL,
  PLAIN_QUESTION,
  SCHEMA,
  SMALL_BUDGET,
  TOOL_NAME,
  TOOL_QUESTION,
  TOOL_TOKENS,
} from './probePlan.ts';
import { type ProbeTurn, type Reading, toReading } from './reading.ts';

/**
 * The results of one step.
 *
 * @param plain the turn of the plain question, to compare its input tokens
 */
export function readStep(
  about: CheckId,
  turns: readonly ProbeTurn[],
  plain: Turn | undefined,
  check: SchemaCheck,
): readonly Reading[] {
  const [first] = turns;
  if (first === undefined) return [];
  switch (about) {
    case 'caching':
      return [readCaching(turns)];
    case 'tools':
      return readTools(first, plain);
    case 'images':
      return [readImages(first, plain)];
    case 'json':
      return [readFormat('json', first, { kind: 'json' }, check)];
    case 'schema':
      return [readFormat('schema', first, SCHEMA, check)];
    case 'effort':
      return [readEffort(turns)];
    case 'budget':
      return [readBudget(first)];
    case 'ceiling':
      return [readCeiling(first)];
    default:
      return [];
  }
}

/** Why a turn says nothing about its check: it was refused because of the field that is checked, or it isn't complete. */
function findFailure(check: CheckId, { turn, cut }: ProbeTurn): Reading | undefined {
  const { failure, outcome } = turn;
  const message = failure?.details.serviceMessage ?? String(failure?.details.status ?? '');
  if (failure?.kind === 'invalid-request') return toReading(check, 'no', 'refused', message);
  if (outcome === 'complete' && !cut) return undefined;
  return toReading(check, 'unclear', 'failed', failure?.kind ?? outcome ?? '');
}

function readCaching(turns: readonly ProbeTurn[]): Reading {
  const failed = turns.map((one) => findFailure('caching', one)).find((one) => one !== undefined);
  if (failed !== undefined) return { ...failed, verdict: 'unclear' };
  const { usage } = turns.at(-1)?.turn ?? {};
  const { cachedTokens, promptTokens } = usage ?? {};
  if (cachedTokens === undefined || !hasUsage(usage)) return toReading('caching', 'unclear', 'not-reported');
  return toReading('caching', cachedTokens > 0 ? 'yes' : 'no', 'cached', cachedTokens, promptTokens ?? '?');
}

/** The number of input tokens of a request beyond those of its text; undefined if usage isn't reported. */
function growthOf(usage: Usage | undefined, text: string, plain: Turn | undefined): number | undefined {
  const [now, then] = [usage?.promptTokens, plain?.usage?.promptTokens];
  if (!now || !then) return undefined;
  return Math.round(now - then - (estimateTokens(text) - estimateTokens(PLAIN_QUESTION)));
}

/** Whether an answer consists of these words only. An answer can also quote them. */
const says = (answer: string, words: string) =>
  answer
    .toLowerCase()
    .replace(/[^a-z ]+/g, '')
    .trim() === words;

function readTools(probeTurn: ProbeTurn, plain: Turn | undefined): readonly Reading[] {
  const { turn } = probeTurn;
  const [first] = responsesOf(turn);
  const calls = first.toolCalls.filter(({ name }) => name === TOOL_NAME).length;
  // A second round shows that the results of the first one were accepted, whatever happened after that.
  const failed = turn.rounds.length > 1 ? undefined : findFailure('tools', probeTurn);
  const parallel = (verdict: Verdict) => toReading('parallel-tools', verdict, 'called', calls);
  if (calls === 0 || failed !== undefined) {
    const tools = failed ?? readUncalled(turn, plain);
    return [tools, calls > 1 ? parallel('yes') : { ...tools, check: 'parallel-tools' }];
  }
  const both = parallel(calls > 1 ? 'yes' : 'unclear');
  // Calls are run only with their own finish reason.
  if (turn.rounds.length === 0)
    return [toReading('tools', 'unclear', 'as-is', `finish_reason: ${turn.finishReason}`), both];
  return [toReading('tools', 'yes', 'called', calls), both];
}

function readUncalled({ answer, usage }: Turn, plain: Turn | undefined): Reading {
  const growth = growthOf(usage, TOOL_QUESTION, plain) ?? 0;
  return says(answer, NO_TOOL) && growth < TOOL_TOKENS * COUNTED_SHARE
    ? toReading('tools', 'no', 'dropped')
    : toReading('tools', 'unclear', 'answered', answer);
}

/**
 * The share of its tokens from which something has certainly reached the model, whatever the model says. Fewer tokens prove
 * nothing, because some services don't count tools or images.
 */
const COUNTED_SHARE = 0.5;

/** A number of input tokens that every image of this size reaches, and that the text of the question doesn't. */
const LEAST_IMAGE_TOKENS = 40;

function readImages(probeTurn: ProbeTurn, plain: Turn | undefined): Reading {
  const failed = findFailure('images', probeTurn);
  if (failed !== undefined) return failed;
  const { answer, usage } = probeTurn.turn;
  const words = answer.toLowerCase().match(/[a-z]+/g) ?? [];
  const seen = words.filter((word) => COLORS.some((color) => color === word));
  const growth = growthOf(usage, IMAGE_QUESTION, plain) ?? 0;
  const isCounted = growth >= LEAST_IMAGE_TOKENS;
  if (words.length < 12 && seen.join() === COLORS.join())
    return toReading('images', 'yes', 'answered', answer);
  if (says(answer, NO_IMAGE))
    return isCounted
      ? toReading('images', 'unclear', 'answered', answer)
      : toReading('images', 'no', 'dropped');
  return isCounted
    ? toReading('images', 'yes', 'counted', growth)
    : toReading('images', 'unclear', 'answered', answer);
}

function readFormat(
  id: 'json' | 'schema',
  probeTurn: ProbeTurn,
  format: AnswerFormat,
  check: SchemaCheck,
): Reading {
  const failed = findFailure(id, probeTurn);
  if (failed !== undefined) return failed;
  const { answer, toolCalls } = probeTurn.turn;
  if (toolCalls.length > 0) return toReading(id, 'unclear', 'answered', answer);
  const { kind } = checkAnswerFormat(answer, format, check);
  if (kind === 'fits') return toReading(id, 'yes', 'answered', answer);
  // The damaged part may be what is missing.
  const isDamaged = probeTurn.turn.damagedEvents > 0;
  return isDamaged ? toReading(id, 'unclear', 'answered', answer) : toReading(id, 'no', 'other-form', answer);
}

/** Up to this ratio of tokens, the effort clearly works. Smaller differences also occur between two answers with the same effort. */
const CLEAR_DIFFERENCE = 0.8;

/** The turns have the lowest and the highest effort alternately. */
function readEffort(turns: readonly ProbeTurn[]): Reading {
  const failures = turns.map((one) => findFailure('effort', one));
  const at = failures.findIndex((one) => one !== undefined);
  const failed = failures[at];
  // An effort that the route accepts, or may accept, must still be sent.
  if (failed?.verdict === 'no' && failures.some((one) => one?.verdict !== 'no')) {
    const [message = ''] = failed.seen.values;
    return at % 2 === 0
      ? toReading('effort', 'no', 'refused', message, 'max')
      : toReading('effort', 'unclear', 'refused', message);
  }
  if (failed !== undefined) return failed;
  const tokens = turns.map(({ turn: { usage, reasoning } }) =>
    Math.round(usage?.reasoningTokens || estimateTokens(reasoning)),
  );
  const lows = tokens.filter((_, index) => index % 2 === 0);
  const highs = tokens.filter((_, index) => index % 2 === 1);
  const [most, least] = [Math.max(...lows), Math.min(...highs)];
  const verdict =
    least === 0 ? 'unclear' : most >= least ? 'no' : most <= least * CLEAR_DIFFERENCE ? 'yes' : 'unclear';
  return toReading('effort', verdict, 'efforts', `low: ${lows.join(', ')}`, `max: ${highs.join(', ')}`);
}

function readBudget(probeTurn: ProbeTurn): Reading {
  const { failure, usage, finishReason, outcome } = probeTurn.turn;
  if (failure !== undefined)
    return findFailure('budget', probeTurn) ?? toReading('budget', 'unclear', 'failed');
  const used = usage?.completionTokens;
  // A few more tokens can be due to a different way of counting.
  if (probeTurn.cut || (used !== undefined && used > 2 * SMALL_BUDGET))
    return toReading('budget', 'no', 'spent', used ?? '?', SMALL_BUDGET);
  if (used !== undefined && used > 0) return toReading('budget', 'yes', 'spent', used, SMALL_BUDGET);
  if (finishReason === 'length') return toReading('budget', 'yes', 'as-is', 'finish_reason: length');
  return toReading('budget', 'unclear', 'failed', outcome ?? '');
}

function readCeiling(probeTurn: ProbeTurn): Reading {
  const { failure, finishReason, outcome } = probeTurn.turn;
  if (failure === undefined && (finishReason !== undefined || probeTurn.cut))
    return toReading('ceiling', 'yes', 'as-is', CONTEXT_WINDOW_TOKENS);
  const isRefused = failure?.kind === 'context-overflow' || failure?.kind === 'too-large';
  if (isRefused) return toReading('ceiling', 'no', 'refused', failure.details.serviceMessage ?? '');
  const why = failure?.kind ?? outcome ?? '';
  return findFailure('ceiling', probeTurn) ?? toReading('ceiling', 'unclear', 'failed', why);
}
