/** Compares an answer with its reasoning, both with all their parts. */
import { type Cited, createStepIndex } from '../../panel/why.ts';
import { type AnswerPart, type PlacedStep, placedStepsOf } from './answerParts.ts';
import { type AnswerSegment, segmentsIn } from './answerSegments.ts';
import { answerArticleOf } from './marks.ts';

/** The steps that mention words, the best first. */
export function stepsFor(parts: readonly AnswerPart[], words: string): readonly (Cited & PlacedStep)[] {
  const steps = placedStepsOf(parts);
  return withItems(indexOf(steps).rank(words), steps);
}

/** The places of the answer that mention a step, in order. */
export function placesFor(
  parts: readonly AnswerPart[],
  { turnId, step }: Pick<PlacedStep, 'turnId' | 'step'>,
): readonly (Cited & AnswerSegment)[] {
  const steps = placedStepsOf(parts);
  const index = steps.findIndex((one) => one.turnId === turnId && one.step === step);
  const places = segmentsOfParts(parts);
  const texts = places.map(({ text }) => text);
  return withItems(indexOf(steps).placesOf(index, texts), places);
}

/** The segments of an answer that its messages show. Only the last message shows the answer's own text. */
export const segmentsOfParts = (parts: readonly AnswerPart[]): readonly AnswerSegment[] =>
  parts.flatMap(({ exchangeId }, index) => {
    const article = answerArticleOf(exchangeId);
    return article === null ? [] : segmentsIn(article, index < parts.length - 1);
  });

const indexOf = (steps: readonly PlacedStep[]) => createStepIndex(steps.map(({ text }) => text));

/** Joins each result with the item at its index. */
const withItems = <Item>(found: readonly Cited[], items: readonly Item[]): readonly (Cited & Item)[] =>
  found.flatMap((one) => {
    const item = items[one.index];
    return item === undefined ? [] : [{ ...one, ...item }];
  });
