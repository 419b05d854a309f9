/**
 * The branches of a conversation: exchanges that an edited question replaces, and that can be shown again. No function here
 * deletes anything.
 */
import { allExchanges } from './allExchanges.ts';
import type { Branch, Conversation, Exchange } from './conversation.ts';

/** Moves an exchange and everything after it to a branch, so that its question can be edited. */
export function withoutTail(conversation: Conversation, exchangeId: string): Conversation {
  const at = conversation.exchanges.findIndex(({ id }) => id === exchangeId);
  if (at === -1) return conversation;
  const aside: Branch = {
    after: conversation.exchanges[at - 1]?.id,
    exchanges: conversation.exchanges.slice(at),
  };
  return {
    ...conversation,
    exchanges: conversation.exchanges.slice(0, at),
    branches: [...conversation.branches, aside],
  };
}

/**
 * The first exchanges of all branches that start after the same exchange, including the one that is shown, in
 * the order in which they were started.
 */
export function versionsOf(conversation: Conversation, exchangeId: string): readonly Exchange[] {
  const at = conversation.exchanges.findIndex(({ id }) => id === exchangeId);
  const shown = conversation.exchanges[at];
  if (shown === undefined) return [];
  const after = conversation.exchanges[at - 1]?.id;
  const others = conversation.branches.flatMap((branch) => {
    const first = branch.exchanges[0];
    // At the beginning, branches whose parent was lost are versions, too.
    const follows = at === 0 ? parentOf(conversation, branch) === undefined : branch.after === after;
    return follows && first !== undefined ? [first] : [];
  });
  return [...others, shown].toSorted((a, b) => begunAt(a) - begunAt(b));
}

/** The exchange that a branch starts after. If it was lost, as in a damaged database, the branch starts at the beginning. */
const parentOf = (conversation: Conversation, { after }: Branch): string | undefined =>
  allExchanges(conversation).some(({ id }) => id === after) ? after : undefined;

function begunAt(exchange: Exchange): number {
  return exchange.attempts[0]?.startedAt ?? Number.POSITIVE_INFINITY;
}

/**
 * Shows the branch that starts with an exchange, in place of the one that is shown. Also shows the branches that lead to it,
 * because a branch can start on another one.
 */
export const withBranch = (conversation: Conversation, exchangeId: string): Conversation =>
  showBranch(conversation, exchangeId, conversation);

/** @param whole the conversation with the branches that were already visited */
function showBranch(conversation: Conversation, exchangeId: string, whole: Conversation): Conversation {
  const branch = conversation.branches.find(({ exchanges }) => exchanges[0]?.id === exchangeId);
  if (branch === undefined) return conversation;
  const after = parentOf(whole, branch);
  // Without this branch, so that it isn't visited again on the way to it: an import can have branches that lead to themselves.
  const others = { ...conversation, branches: conversation.branches.filter((other) => other !== branch) };
  const base = after === undefined ? others : withShown(others, after, whole);
  const at = after === undefined ? 0 : base.exchanges.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && at === 0) return conversation;
  const tail = base.exchanges.slice(at);
  return {
    ...base,
    exchanges: [...base.exchanges.slice(0, at), ...branch.exchanges],
    branches: tail.length === 0 ? base.branches : [...base.branches, { after, exchanges: tail }],
  };
}

/** Shows the branches that lead to an exchange. The exchanges that were shown instead are kept as a branch. */
function withShown(conversation: Conversation, exchangeId: string, whole = conversation): Conversation {
  if (conversation.exchanges.some(({ id }) => id === exchangeId)) return conversation;
  const branch = conversation.branches.find(({ exchanges }) => exchanges.some(({ id }) => id === exchangeId));
  const first = branch?.exchanges[0];
  return first === undefined ? conversation : showBranch(conversation, first.id, whole);
}

/**
 * The conversation up to and including an exchange, on whatever branch it is, so that another question can follow it.
 * Everything else is kept as branches.
 */
export function withEnd(conversation: Conversation, exchangeId: string): Conversation {
  const shown = withShown(conversation, exchangeId);
  const at = shown.exchanges.findIndex(({ id }) => id === exchangeId);
  const next = at === -1 ? undefined : shown.exchanges[at + 1];
  return next === undefined ? shown : withoutTail(shown, next.id);
}
