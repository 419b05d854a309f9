/**
 * How many tokens a route bills for each token of `estimateTokens`: a running average of what its usage has shown. A figure that
 * can't be true is ignored, and the extremes at both ends of the rest don't count, so that a few wrong figures change little.
 */
import type { Usage } from '../../service/types.ts';
import { REQUEST_OVERHEAD_TOKENS, type RequestSize } from '../requestMessages/requestParts.ts';
import { toFullUsage } from '../rounds.ts';
import { IMAGE_TOKENS } from './tokens.ts';

/** The figures of one response: the tokens billed for each estimated token, and the weight, more than 0 and at most 1. */
export type Measure = readonly [ratio: number, weight: number];

/** The range of plausible ratios. Russian is near the lower end, because each of its letters is estimated as a token. */
const LOWEST = 0.25;
const HIGHEST = 3;
/**
 * The size, in tokens, from which requests have the full weight. In smaller ones, the fixed part counts for more, and it is known
 * less exactly.
 */
const FULL_SIZE = 2000;
const MOST_MEASURES = 20;
/** The share of the weight that doesn't count at each end. */
const TRIMMED = 0.2;
/** An assumption that counts as one more measure. */
const ASSUMED: Measure = [1, 0.25];

/**
 * The measure that the usage of a request gives. Undefined if usage is missing or can't be true, or if the request consists
 * mostly of images.
 */
export function toMeasure({ text, images }: RequestSize, usage: Usage | undefined): Measure | undefined {
  const billed = usage && toFullUsage(usage).promptTokens;
  const ofImages = images * IMAGE_TOKENS;
  if (billed === undefined || text <= 0 || ofImages > text) return undefined;
  const ratio = (billed - REQUEST_OVERHEAD_TOKENS - ofImages) / text;
  return isPlausible(ratio) ? [rounded(ratio), rounded(Math.min(1, text / FULL_SIZE))] : undefined;
}

const isPlausible = (ratio: number) => ratio >= LOWEST && ratio <= HIGHEST;

const rounded = (value: number) => Math.max(0.001, Math.round(value * 1000) / 1000);

/** The last measures, the newest last. */
export const withMeasure = (known: readonly Measure[], measure: Measure): readonly Measure[] =>
  [...known, measure].slice(-MOST_MEASURES);

/** The average of the middle measures by their weight; 1 if there are none. */
export function toTokenRatio(known: readonly Measure[]): number {
  if (known.length === 0) return 1;
  const sorted = [ASSUMED, ...known].sort(([a], [b]) => a - b);
  const all = sorted.reduce((sum, [, weight]) => sum + weight, 0);
  let before = 0;
  let total = 0;
  for (const [ratio, weight] of sorted) {
    const from = Math.max(before, all * TRIMMED);
    before += weight;
    total += ratio * Math.max(0, Math.min(before, all * (1 - TRIMMED)) - from);
  }
  return total / (all * (1 - 2 * TRIMMED));
}

/** Parses stored measures of any version. Invalid ones are left out. */
export const parseMeasures = (stored: unknown): readonly Measure[] =>
  Array.isArray(stored) ? stored.filter(isMeasure).slice(-MOST_MEASURES) : [];

function isMeasure(value: unknown): value is Measure {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [ratio, weight]: readonly unknown[] = value;
  return (
    typeof ratio === 'number' && isPlausible(ratio) && typeof weight === 'number' && weight > 0 && weight <= 1
  );
}
