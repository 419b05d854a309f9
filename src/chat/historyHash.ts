/** Where answers of another chat stand, told by all that stands before them: their words can be those of others. */
import { createHash } from 'node:crypto';
import { callsOf, imagesOf, type OtherMessage, resultText, textOf } from './otherParts.ts';

/** The place of the first message. */
export const EMPTY_HISTORY_HASH = '';

/**
 * The place behind a message, as a hash. What other chats change between two requests although they mean the same is
 * left out of it: how text is cut into parts, and what they keep of the reasoning.
 *
 * @param place that of the message itself
 */
export function foldHistoryHash(place: string, { role, parts }: OtherMessage): string {
  const results = parts
    .flatMap((part) => (part.type === 'result' ? [part] : []))
    .map((result) => [result.callId, resultText(result.parts), imagesOf(result.parts)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const facts = [place, role, textOf(parts), imagesOf(parts), callsOf(parts), results];
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64');
}
