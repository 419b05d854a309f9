/** Finds where a question goes in a conversation. Another window may have changed the conversation since the user saw it. */

import { withEnd, withoutTail } from './branches.ts';
import { type Conversation, type Exchange, shownTurn } from './conversation.ts';
import type { Question } from './question.ts';

/** The place of a question, by the ids of exchanges. */
export type InsertionPoint =
  | { readonly kind: 'end' }
  /** As another attempt of an exchange. */
  | { readonly kind: 'again'; readonly exchangeId: string }
  /** In place of an exchange, which is kept with everything after it as a branch. */
  | { readonly kind: 'instead'; readonly exchangeId: string }
  /** After an exchange, on whatever branch that is. */
  | { readonly kind: 'after'; readonly exchangeId: string };

export interface Placed {
  /** The conversation that the question follows. Everything else of it is kept as branches. */
  readonly base: Conversation;
  /** The exchange that gets another attempt. */
  readonly exchange: Exchange | undefined;
}

/**
 * Finds the place of a question. Undefined if the conversation has no such place now: the exchange isn't shown anymore,
 * or the answer that the question continues isn't the last one.
 */
export function findPlace(
  conversation: Conversation,
  place: InsertionPoint,
  { continues }: Pick<Question, 'continues'>,
): Placed | undefined {
  const { exchanges } = conversation;
  switch (place.kind) {
    case 'end': {
      const last = exchanges.at(-1);
      const fits = continues === undefined || (last && shownTurn(last)?.id) === continues;
      return fits ? { base: conversation, exchange: undefined } : undefined;
    }
    case 'again': {
      const exchange = exchanges.find(({ id }) => id === place.exchangeId);
      return exchange && { base: conversation, exchange };
    }
    case 'instead':
      return exchanges.some(({ id }) => id === place.exchangeId)
        ? { base: withoutTail(conversation, place.exchangeId), exchange: undefined }
        : undefined;
    case 'after':
      return { base: withEnd(conversation, place.exchangeId), exchange: undefined };
  }
}

/**
 * Whether a request that was made for a question at one place also fits another place: the same answers are shown before it, and
 * the same images and tool results are left out.
 */
export function isSamePlace(before: Placed, now: Placed): boolean {
  const [sent, shown] = [before, now].map((placed) => JSON.stringify(sentAt(placed)));
  return sent === shown;
}

function sentAt({ base: { exchanges }, exchange }: Placed): unknown {
  const at = exchanges.findIndex(({ id }) => id === exchange?.id);
  const earlier = at === -1 ? exchanges : exchanges.slice(0, at);
  return [
    earlier.map((one) => [one.id, shownTurn(one)?.id, leftOutOf(one)]),
    exchange && [exchange.id, leftOutOf(exchange)],
  ];
}

const leftOutOf = (exchange: Exchange) => [
  ...exchange.question.images.map(({ omitted }) => omitted === true),
  exchange.question.keepsResults === true,
  shownTurn(exchange)?.request.withoutImages === true,
];
