/** Determines which proposals are taken back with those of a message and all later ones. */
import type { Proposal } from './proposal.ts';

/**
 * The proposals of a message, and all that were created since it was asked. Times aren't compared, because the clock can be set
 * back.
 *
 * @param all the proposals in the order in which they were created
 * @param own the proposals of the message
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
