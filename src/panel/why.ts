/**
 * Finds the steps of the reasoning that led to words of the answer, ranked by the terms that both have. If no step is good
 * enough, it finds none. The formula is in docs/why.md.
 */
import { type Term, termsOf } from './terms.ts';

export type Strength = 'strong' | 'weak';

/** A step that mentions words of an answer, or shares some of them. Steps are counted from 0. */
export interface CitedStep {
  readonly turnId: string;
  readonly step: number;
  readonly strength: Strength;
}

export interface Cited {
  /** The index of the step, or of the place. */
  readonly index: number;
  readonly strength: Strength;
  /** The keys of the shared terms. */
  readonly shared: ReadonlySet<string>;
}

export interface StepIndex {
  /** Returns the steps that share terms with the words, the best first. Empty if none is good enough. */
  rank(words: string): readonly Cited[];
  /**
   * Returns the places that a step led to, in order: those for which `rank` returns the step.
   *
   * @param places texts of the answer, such as its sentences
   */
  placesOf(step: number, places: readonly string[]): readonly Cited[];
}

/** The usual parameters of BM25: how much repetitions of a term in one step count, and how much less they count in a long step. */
const K1 = 1.2;
const B = 0.75;
/** The share of the selection's terms, by weight and rarity, that a step must have. */
const STRONG = 0.5;
const WEAK = 0.2;
/** The minimum weight of the shared terms of a weak match: a single word of many says nothing. */
const MORE_THAN_A_WORD = 1.5;
/** A step counts if it has at least this share of the best score. */
const BESIDE_BEST = 0.5;

/** The weight that two adjacent words add to the score. A single word has the weight 1. */
const PHRASE = 0.5;

interface Posting {
  readonly step: number;
  count: number;
}

interface Sum {
  score: number;
  /** The weight of the shared terms, without and with their rarity. */
  weight: number;
  found: number;
  readonly shared: Set<string>;
}

/** Takes time in proportion to the length of the steps. */
export function createStepIndex(steps: readonly string[]): StepIndex {
  const postings = new Map<string, Posting[]>();
  let hasUnspaced = false;
  const count = (key: string, step: number) => {
    const known = postings.get(key) ?? [];
    const last = known.at(-1);
    if (last?.step === step) last.count++;
    else known.push({ step, count: 1 });
    postings.set(key, known);
  };
  const lengths = steps.map((text, step) => {
    let length = 0;
    for (const { key, weight, isUnspaced = false, phrase } of withPhrases(text)) {
      length += weight;
      hasUnspaced ||= isUnspaced;
      count(key, step);
      if (phrase !== undefined) count(phrase, step);
    }
    return length;
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, steps.length) || 1;
  const rarityOf = (found: number) => Math.log(1 + steps.length / Math.max(1, found));

  /** Adds a term to the sums of the steps that have it. Returns its weight by rarity. */
  function addTo(sums: Map<number, Sum>, key: string, weight: number, isPhrase: boolean): number {
    const found = postings.get(key) ?? [];
    const worth = weight * rarityOf(found.length);
    for (const { step, count } of found) {
      const sum = sums.get(step) ?? { score: 0, weight: 0, found: 0, shared: new Set() };
      const long = 1 - B + (B * (lengths[step] ?? 0)) / average;
      sum.score += (worth * count * (K1 + 1)) / (count + K1 * long);
      sums.set(step, sum);
      if (isPhrase) continue;
      sum.weight += weight;
      sum.found += worth;
      sum.shared.add(key);
    }
    return worth;
  }

  function rank(words: string): readonly Cited[] {
    const weights = new Map<string, number>();
    const phrases = new Set<string>();
    let unknown = 0;
    let known = 0;
    for (const { key, weight, isUnspaced, phrase } of withPhrases(words)) {
      // Reasoning in another language can share only names with the answer.
      if (isUnspaced && !hasUnspaced) {
        unknown += weight;
        continue;
      }
      known += weight;
      if (!weights.has(key)) weights.set(key, weight);
      if (phrase !== undefined) phrases.add(phrase);
    }
    const sums = new Map<number, Sum>();
    let all = 0;
    for (const [key, weight] of weights) all += addTo(sums, key, weight, false);
    for (const phrase of phrases) addTo(sums, phrase, PHRASE, true);
    return choose(sums, all).map((one) => (unknown > known ? { ...one, strength: 'weak' } : one));
  }

  return {
    rank,
    placesOf: (step, places) =>
      places.flatMap((text, index) => {
        const cited = rank(text).find((one) => one.index === step);
        return cited === undefined ? [] : [{ ...cited, index }];
      }),
  };
}

/** The terms, each with the phrase that it forms with the previous term. */
function* withPhrases(text: string): Generator<Term & { readonly phrase: string | undefined }> {
  let before: string | undefined;
  for (const term of termsOf(text)) {
    const isForm = term.key.startsWith('~');
    yield { ...term, phrase: isForm || before === undefined ? undefined : `${before} ${term.key}` };
    if (!isForm) before = term.key;
  }
}

function choose(sums: ReadonlyMap<number, Sum>, all: number): readonly Cited[] {
  const good = [...sums].filter(([, sum]) => toStrength(sum, all) !== undefined);
  const best = good.reduce((most, [, { score }]) => Math.max(most, score), 0);
  return good
    .filter(([, { score }]) => score >= BESIDE_BEST * best)
    .sort(([step, one], [other, next]) => next.score - one.score || step - other)
    .flatMap(([index, sum]) => {
      const strength = toStrength(sum, all);
      return strength === undefined ? [] : [{ index, strength, shared: sum.shared }];
    });
}

function toStrength({ found, weight }: Sum, all: number): Strength | undefined {
  if (found >= STRONG * all) return 'strong';
  return found >= WEAK * all && weight >= MORE_THAN_A_WORD ? 'weak' : undefined;
}
