/** All exchanges and turns of a conversation, including those on branches that aren't shown. */
import type { Conversation, Exchange } from './conversation.ts';
import type { Turn } from './turn.ts';

type Parts = Pick<Conversation, 'exchanges' | 'branches'>;

/** All exchanges. Those of other branches come last. */
export const allExchanges = ({ exchanges, branches }: Parts): readonly Exchange[] => [
  ...exchanges,
  ...branches.flatMap((branch) => branch.exchanges),
];

/** All attempts, in the same order. */
export const allTurns = (conversation: Parts): readonly Turn[] =>
  allExchanges(conversation).flatMap(({ attempts }) => attempts);
