/** Finds when the lines of a question were read. Since then, files may have been renamed, and others may have got their names. */
import { isDeepStrictEqual } from 'node:util';
import { versionsOf } from './branches.ts';
import { type Conversation, type Exchange, shownTurn } from './conversation.ts';
import type { Turn } from './turn.ts';

/** A turn with its exchange and its conversation. */
export interface AskedTurn {
  readonly conversation: Conversation;
  readonly exchange: Exchange;
  readonly turn: Turn;
}

/**
 * The turn that was the first to ask with the same `origin` and `more`. A retry and an edited question have those of the first
 * attempt, unless their lines were read again; the rest of an answer has those of its first part.
 */
export function firstAsked({ conversation, exchange, turn }: AskedTurn): Omit<AskedTurn, 'conversation'> {
  const { question } = exchange;
  if (question.continues !== undefined) {
    const at = conversation.exchanges.findIndex(({ id }) => id === exchange.id);
    const before = conversation.exchanges[at - 1];
    const continued = before && shownTurn(before);
    if (before !== undefined && continued?.id === question.continues)
      return firstAsked({ conversation, exchange: before, turn: continued });
  }
  const { origin, more = question.more } = turn.request;
  if (origin !== undefined && !isDeepStrictEqual([origin, more], [question.origin, question.more]))
    return { exchange, turn };
  const same = [exchange, ...versionsOf(conversation, exchange.id)].filter((other) =>
    isDeepStrictEqual(linesOf(other), linesOf(exchange)),
  );
  const turns = same.flatMap((one) => one.attempts.map((attempt) => ({ exchange: one, turn: attempt })));
  return turns.reduce((first, one) => (one.turn.startedAt < first.turn.startedAt ? one : first), {
    exchange,
    turn,
  });
}

const linesOf = ({ question: { origin, more, repository } }: Exchange) => [origin, more, repository];
