/** The images of a conversation that its requests contain. */

import { type Conversation, type Exchange, shownTurn, withExchange } from '../conversation.ts';
import { sentImagesIn } from '../toolCalls/tools.ts';
import { isSentAsBytes } from './imagePlan.ts';

/** Stops sending one image of a question, or sends it again. The conversation keeps the image. */
export function withOmittedImage(
  conversation: Conversation,
  exchangeId: string,
  index: number,
  omits: boolean,
): Conversation {
  const exchange = conversation.exchanges.find(({ id }) => id === exchangeId);
  const image = exchange?.question.images[index];
  if (exchange === undefined || image === undefined) return conversation;
  const { omitted, ...sent } = image;
  const images = exchange.question.images.with(index, omits ? { ...sent, omitted: true } : sent);
  return withExchange(conversation, { ...exchange, question: { ...exchange.question, images } });
}

/**
 * Stops sending all images of an exchange: those of its question, and those of tools in the answer that is shown. The exchange
 * keeps them.
 */
export function withoutImages(exchange: Exchange): Exchange {
  const { question, attempts, shown } = exchange;
  const turn = attempts[shown];
  return {
    ...exchange,
    question: { ...question, images: question.images.map((image) => ({ ...image, omitted: true })) },
    ...(hasResultImages(exchange) &&
      turn && {
        attempts: attempts.with(shown, { ...turn, request: { ...turn.request, withoutImages: true } }),
      }),
  };
}

/** The oldest exchange whose images are still sent. */
export function oldestWithImages(conversation: Conversation): Exchange | undefined {
  return conversation.exchanges.find(
    (exchange) =>
      exchange.question.images.some(({ omitted }) => omitted !== true) || hasResultImages(exchange),
  );
}

function hasResultImages(exchange: Exchange): boolean {
  const turn = shownTurn(exchange);
  // While the turn runs, each of its requests contains the messages of the previous one.
  if (turn?.outcome === undefined || turn.request.withoutImages === true) return false;
  return turn.rounds.some(({ toolCalls }) => toolCalls.some(({ result }) => sentImagesIn(result).length > 0));
}

/** Which images a request would contain: those of the question itself, or only those of earlier questions and of tools. */
export type SentImages = 'here' | 'earlier' | 'none';

export function sentImagesOf(conversation: Conversation, exchangeId: string): SentImages {
  const last = conversation.exchanges.findIndex(({ id }) => id === exchangeId);
  // Later questions are not part of the request.
  const exchanges = last < 0 ? conversation.exchanges : conversation.exchanges.slice(0, last + 1);
  if (exchanges[last]?.question.images.some(isSentAsBytes)) return 'here';
  return oldestWithImages({ ...conversation, exchanges }) === undefined ? 'none' : 'earlier';
}
