/** Makes room in a request with tool results of the turns before its question. */
import { findRoom, toSentParts } from '../conversation/requestMessages/compaction.ts';
import type { Prices } from '../service/prices.ts';
import type { TurnContent } from './turnContent.ts';

/**
 * The content without results of earlier turns, if they would nearly fill the context window. Undefined if there is room, if
 * nothing can be left out, or if the user wants all results to be sent.
 *
 * @param ratio tokens of the route for each estimated token of text
 */
export function withRoom<Content extends TurnContent>(
  content: Content,
  promptTokens: number,
  prices: Prices,
  ratio: number,
): Content | undefined {
  const { earlierResults, keepsResults, omitted = [], request } = content;
  if (earlierResults === undefined || keepsResults === true) return undefined;
  const earlier = () => toSentParts(earlierResults.pieces(omitted), ratio);
  const room = findRoom({ earlier }, promptTokens, prices, ratio);
  if (room?.omission.earlier === undefined) return undefined;
  const all = [...omitted, ...room.omission.earlier];
  return {
    ...content,
    request: { ...request, messages: earlierResults.messagesWithout(all) },
    omitted: all,
  };
}
