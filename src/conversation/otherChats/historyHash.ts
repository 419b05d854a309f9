/**
 * Identifies the position of an answer from another chat by a hash of all messages before it, because its
 * text alone can occur more than once.
 */
import { createHash } from 'node:crypto';
import { callsOf, imagesOf, type OtherMessage, resultText, textOfParts } from './otherParts.ts';

/** The hash of a history without messages. */
export const EMPTY_HISTORY_HASH = '';

/**
 * The hash after one more message. It ignores differences between two requests that don't change the meaning: how text is split
 * into parts, white space around it, and the reasoning that the other chat keeps.
 *
 * @param hash the hash before the message
 */
export function foldHistoryHash(hash: string, { role, parts }: OtherMessage): string {
  const results = parts
    .flatMap((part) => (part.type === 'result' ? [part] : []))
    .map((result) => [result.callId, resultText(result.parts).trim(), imagesOf(result.parts)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const facts = [hash, role, textOfParts(parts).trim(), imagesOf(parts), callsOf(parts), results];
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64');
}
