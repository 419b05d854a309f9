/** Finds edits that conflict with each other, and counts equal edits. */
import { groupBy } from '../../text/groupBy.ts';
import { toLines } from '../hunks/hunks.ts';
import { meet, type Span } from './linePlaces.ts';
import type { ProposedEdit } from './proposalAnswer.ts';

export interface Replacement extends Span {
  readonly replace: string;
}

/** The index of an edit among equal edits, from 0, and the number of equal edits. */
export interface Repetition {
  readonly index: number;
  readonly count: number;
}

export function repetitionsOf(edits: readonly ProposedEdit[]): readonly Repetition[] {
  const keyOf = ({ find, replace }: ProposedEdit) => JSON.stringify([find, replace]);
  const equal = groupBy([...edits.keys()], (at) => keyOf(edits[at] ?? { find: '', replace: '' }));
  const found: Repetition[] = [];
  for (const places of equal.values())
    for (const [index, at] of places.entries()) found[at] = { index, count: places.length };
  return found;
}

export const isSameReplacement = (a: Replacement, b: Replacement): boolean =>
  a.from === b.from && a.to === b.to && a.replace === b.replace;

/** Whether two edits change the same text, or may do so. Two edits that only include the same unchanged lines don't conflict. */
export function isEditConflict(text: string, a: Replacement, b: Replacement): boolean {
  if (!meet(a, b)) return false;
  const [one, other] = [reachOf(text, a), reachOf(text, b)];
  const touches = one.from <= other.to && other.from <= one.to;
  return (
    (touches && (one.isMovable || other.isMovable)) ||
    meet(withoutUnchangedLines(text, a), withoutUnchangedLines(text, b))
  );
}

/**
 * The range in which the change of an edit can be. A line that is inserted beside an equal line can be above or below it. With
 * another edit in between, the order would be a guess.
 */
function reachOf(text: string, place: Replacement): Span & { readonly isMovable: boolean } {
  const [first, last] = [withoutUnchangedLines(text, place, 'end'), withoutUnchangedLines(text, place)];
  return { from: first.from, to: last.to, isMovable: first.from !== last.from };
}

/** An edit without the unchanged lines at its start and end. `first` is the side at which they are looked for first. */
export function withoutUnchangedLines(
  text: string,
  { from, to, replace }: Replacement,
  first: 'start' | 'end' = 'start',
): Replacement {
  const old = toLines(text.slice(from, to));
  const fresh = toLines(replace);
  const most = Math.min(old.length, fresh.length);
  const atStart = (limit: number) => countWhile(limit, (index) => old[index] === fresh[index]);
  const atEnd = (limit: number) => countWhile(limit, (index) => old.at(-1 - index) === fresh.at(-1 - index));
  const head = first === 'start' ? atStart(most) : atStart(most - atEnd(most));
  const tail = atEnd(most - head);
  return {
    from: from + old.slice(0, head).join('').length,
    to: to - old.slice(old.length - tail).join('').length,
    replace: fresh.slice(head, fresh.length - tail).join(''),
  };
}

function countWhile(limit: number, isSo: (index: number) => boolean): number {
  let count = 0;
  while (count < limit && isSo(count)) count++;
  return count;
}
