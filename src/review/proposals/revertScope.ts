/** Which proposals are taken back with those of a message, when all later ones are, too. */
import type { Proposal } from './proposal.ts';

/**
 * Those of the message, and all that were made since it was asked. The clock plays no part, because it can be set back.
 *
 * @param all in the order in which they were made
 * @param own those of the message
 * @param turnIds the turns of the conversation, in the order in which they were asked
 */
export function proposalsSince<T extends Pick<Proposal, 'turnId'>>(
  all: readonly T[],
  own: readonly T[],
  turnIds: readonly string[],
): readonly T[] {
  const asked = turnIds.indexOf(own[0]?.turnId ?? '');
  const isLater = ({ turnId }: T) => asked !== -1 && turnIds.indexOf(turnId) >= asked;
  const first = all.findIndex((one) => own.includes(one) || isLater(one));
  return first === -1 ? [] : all.slice(first);
}
