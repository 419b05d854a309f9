/** Tool results that were left out to make room (`compaction.ts`), and that the user wants to be sent again. */

import { groupBy } from '../../text/groupBy.ts';
import { type Conversation, type Exchange, shownTurn } from '../conversation.ts';
import type { OmittedResult } from '../requestFacts.ts';
import { hasPart, type Prefix } from '../requestPrefix.ts';
import type { Turn } from '../turn.ts';
import { earlierOmitted } from './omissions.ts';
import { toMessageParts } from './prefix.ts';
import { toRoundMessages } from './transcript.ts';

/** The exchanges whose results are sent again. */
export const keptExchanges = ({ exchanges }: Pick<Conversation, 'exchanges'>): readonly Exchange[] =>
  exchanges.filter(({ question }) => question.keepsResults === true);

/**
 * A conversation in which the results of some exchanges are sent again, or left out again. The order of the fields of a
 * question stays, so that it serializes to the same bytes.
 */
export function withKeptResults(
  conversation: Conversation,
  exchangeIds: readonly string[],
  keeps: boolean,
): Conversation {
  const exchanges = conversation.exchanges.map((exchange): Exchange => {
    if (!exchangeIds.includes(exchange.id)) return exchange;
    const { keepsResults, ...question } = exchange.question;
    return { ...exchange, question: keeps ? { ...question, keepsResults: true } : question };
  });
  return { ...conversation, exchanges };
}

/**
 * How many tokens the next request has more than one that was sent (negative if it has fewer), because the user has chosen since
 * then which results are sent again.
 *
 * @param exchanges the exchanges up to that of the request
 * @param sent the parts of the request that was sent
 */
export function changedTokens(exchanges: readonly Exchange[], sent: Prefix | undefined): number {
  const shown = exchanges.map(shownTurn);
  const changed = (exchange: Exchange, { turn, results }: LeftOut): number => {
    const tokens = sumOf(results);
    if (tokens === 0) return 0;
    const keeps = exchange.question.keepsResults === true;
    // The request had the results, or the notes in their place. It had neither if the route doesn't get tool calls of other
    // routes.
    const had = partOfFirst(turn, results[0], !keeps);
    return had === undefined || sent === undefined || !hasPart(sent, had) ? 0 : keeps ? tokens : -tokens;
  };
  return exchanges.reduce(
    (sum, exchange) =>
      leftOutBy(exchange, shown).reduce((all, leftOut) => all + changed(exchange, leftOut), sum),
    0,
  );
}

interface LeftOut {
  readonly turn: Turn | undefined;
  readonly results: readonly OmittedResult[];
}

/** The results that an exchange leaves out, by the turn that they are from. */
function leftOutBy(exchange: Exchange, shown: readonly (Turn | undefined)[]): readonly LeftOut[] {
  const turn = shownTurn(exchange);
  const own = (turn?.request.omitted ?? []).flatMap(({ results }) => results);
  const earlier = groupBy(earlierOmitted(turn), (result) => result.turn);
  return [
    { turn, results: own },
    ...[...earlier].map(([id, results]) => ({ turn: shown.find((one) => one?.id === id), results })),
  ];
}

const sumOf = (results: readonly OmittedResult[]) => results.reduce((sum, { tokens }) => sum + tokens, 0);

/** The part of a request with the first result that was left out, or with the note in its place. */
function partOfFirst(
  turn: Turn | undefined,
  first: OmittedResult | undefined,
  isResult: boolean,
): string | undefined {
  const round = first && turn?.rounds[first.round];
  if (first === undefined || round === undefined) return undefined;
  const messages = toRoundMessages(round, isResult ? undefined : new Set([first.index]));
  // The first message has the calls.
  return toMessageParts(messages.slice(first.index + 1, first.index + 2));
}
