/** Chooses the place of an edit whose text occurs several times. No place is guessed. */
import type { Repetition } from './editConflicts.ts';
import { findInsideLines, findWords, type Span } from './linePlaces.ts';

/** Whether a range is in one of the ranges that the question was about. */
export const isInside = ({ from, to }: Span, asked: readonly Span[]): boolean =>
  asked.some((lines) => from >= lines.from && to <= lines.to);

/**
 * The only range, the one of an equal edit if there are as many, or the only one in the lines in question; undefined if there is
 * none.
 */
export function chooseOne(
  found: readonly Span[],
  asked: readonly Span[],
  among: Repetition | undefined,
): Span | 'several' | undefined {
  const inside = found.filter((one) => isInside(one, asked));
  const areMeant = (places: readonly Span[]) =>
    places.length === among?.count && places.every(({ from }, at) => (places[at - 1]?.to ?? from) <= from);
  const each = [found, inside].find(areMeant);
  if (among !== undefined && each !== undefined) return each[among.index];
  const [one, ...more] = found.length > 1 && inside.length === 1 ? inside : found;
  return more.length > 0 ? 'several' : one;
}

/** Like `chooseOne` for words inside a line. If the same words are at the start or the end of a line as well, these can be meant. */
export function chooseWords(
  text: string,
  find: string,
  asked: readonly Span[],
  among: Repetition | undefined,
): Span | 'several' | undefined {
  const inside = findInsideLines(text, find);
  const chosen = chooseOne(inside, asked, among);
  if (chosen === undefined || chosen === 'several') return chosen;
  const all = findWords(text, find);
  const isOnlyAsked = isInside(chosen, asked) && all.filter((one) => isInside(one, asked)).length === 1;
  return all.length === inside.length || isOnlyAsked ? chosen : 'several';
}
