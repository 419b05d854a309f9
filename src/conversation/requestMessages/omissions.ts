/** Tool results that the requests of a conversation leave out. These decisions are stored with its turns. */

import { type Exchange, shownTurn } from '../conversation.ts';
import type { EarlierResult, OmittedResults } from '../requestFacts.ts';
import { responsesOf } from '../rounds.ts';
import type { Turn } from '../turn.ts';
import { showsLength } from '../usage/cost.ts';

/** The results of a round, by the indexes of their calls. */
type ResultsIn = (turnId: string, round: number) => ReadonlySet<number>;

export interface Omissions {
  /** The results that aren't sent. */
  readonly omitted: ResultsIn;
  /** The results that were left out once, and that the user wants to be sent. */
  readonly kept: ResultsIn;
}

/**
 * The results that the shown turns of exchanges leave out, of themselves and of earlier turns. They count even if the question of
 * the turn isn't sent, because its card says that they are left out.
 *
 * @param more further results that the next request leaves out
 */
export function toOmissions(exchanges: readonly Exchange[], more: readonly EarlierResult[] = []): Omissions {
  const left = (keeps: boolean) =>
    exchanges
      .filter(({ question }) => (question.keepsResults === true) === keeps)
      .flatMap((exchange) => omittedBy(shownTurn(exchange)));
  return { omitted: toLookup([...left(false), ...more]), kept: toLookup(left(true)) };
}

/** All results that a turn leaves out, its own with its own id. */
const omittedBy = (turn: Turn | undefined): readonly EarlierResult[] =>
  turn?.request.omitted?.flatMap(({ results, earlier = [] }) => [
    ...earlier,
    ...results.map((result) => ({ ...result, turn: turn.id })),
  ]) ?? [];

function toLookup(results: readonly EarlierResult[]): ResultsIn {
  const found = new Map<string, Set<number>>();
  for (const { turn, round, index } of results) {
    const key = `${turn} ${round}`;
    const indexes = found.get(key) ?? new Set();
    found.set(key, indexes.add(index));
  }
  return (turnId, round) => found.get(`${turnId} ${round}`) ?? NONE;
}

const NONE: ReadonlySet<number> = new Set();

/** The results of earlier turns that a turn leaves out; by default, all of them. */
export const earlierOmitted = (
  turn: Pick<Turn, 'request'> | undefined,
  when: (part: OmittedResults) => boolean = () => true,
): readonly EarlierResult[] =>
  (turn?.request.omitted ?? []).filter(when).flatMap(({ earlier = [] }) => earlier);

/**
 * The results that another attempt at a question leaves out from its first request on. They are those that the last attempt left
 * out there, so that both begin with the same bytes.
 */
export function omittedAtFirst(attempts: readonly Turn[]): readonly EarlierResult[] {
  const atFirst = (turn: Turn) => earlierOmitted(turn, ({ fromRound }) => fromRound === 0);
  return attempts.map(atFirst).findLast((results) => results.length > 0) ?? [];
}

/** A turn for a copy of a conversation, in which the turns have other ids. */
export function withTurnIds(turn: Turn, idOf: (turnId: string) => string): Turn {
  if (earlierOmitted(turn).length === 0) return turn;
  const omitted = turn.request.omitted?.map(({ earlier, ...part }) => ({
    ...part,
    ...(earlier !== undefined && { earlier: earlier.map((one) => ({ ...one, turn: idOf(one.turn) })) }),
  }));
  return { ...turn, request: { ...turn.request, ...(omitted && { omitted }) } };
}

/**
 * The tokens of the results that a turn has left out, including those of earlier turns.
 *
 * @param from the first request of the turn that counts, counted from 0
 */
export const omittedTokens = ({ request: { omitted = [] } }: Pick<Turn, 'request'>, from = 0): number =>
  omitted
    .filter(({ fromRound }) => fromRound >= from)
    .flatMap(({ results, earlier = [] }) => [...results, ...earlier])
    .reduce((sum, { tokens }) => sum + tokens, 0);

/** Whether a turn has left out results since the last of its requests whose input is known. */
export const hasOmittedSinceReport = (turn: Turn): boolean =>
  omittedTokens(turn, responsesOf(turn).findLastIndex(({ usage }) => showsLength(usage)) + 1) > 0;
