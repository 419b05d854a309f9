/** Results of tools that a turn has left out to make room (`compaction.ts`), and that the user wants to be sent again. */
import { toMessageParts } from './prefix.ts';
import { toRoundMessages } from './transcript.ts';
import { type Conversation, type Exchange, omittedIn, type Prefix, shownTurn, type Turn } from './turn.ts';

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
 * How many tokens the next request has more, or fewer, than one that was sent, because the user has chosen since then
 * which results are sent again.
 *
 * @param exchanges those up to that of the request
 * @param sent what the request had
 */
export function changedTokens(exchanges: readonly Exchange[], sent: Prefix | undefined): number {
  return exchanges.reduce((sum, exchange) => {
    const turn = shownTurn(exchange);
    const tokens = turn === undefined ? 0 : omittedTokens(turn);
    if (turn === undefined || tokens === 0) return sum;
    const keeps = exchange.question.keepsResults === true;
    // It had the results, or the notes in their place. Neither if the route gets no tool calls of others.
    const had = partOfFirst(turn, !keeps);
    return had === undefined || sent?.includes(had) !== true ? sum : sum + (keeps ? tokens : -tokens);
  }, 0);
}

/** The tokens of the results that a turn has left out. */
export const omittedTokens = ({ request: { omitted = [] } }: Pick<Turn, 'request'>): number =>
  omitted.flatMap(({ results }) => results).reduce((sum, { tokens }) => sum + tokens, 0);

/** The part of a request that has the first result that was left out, or else the note in its place. */
function partOfFirst(turn: Turn, isResult: boolean): Prefix | undefined {
  const first = turn.request.omitted?.[0]?.results[0];
  const round = first && turn.rounds[first.round];
  if (first === undefined || round === undefined) return undefined;
  const messages = toRoundMessages(round, isResult ? undefined : omittedIn(turn, first.round));
  // The first message has the calls.
  return toMessageParts(messages.slice(first.index + 1, first.index + 2));
}
