/**
 * Converts a conversation's exchanges between the form in the database, with a parent for each exchange, and the form in the rest of
 * the code.
 */

import type { Branch, Conversation, Exchange } from '../conversation/conversation.ts';
import { groupBy } from '../text/groupBy.ts';

export interface LinkedExchange {
  readonly exchange: Exchange;
  /** Id of the exchange that it follows; undefined for the first one. */
  readonly parent: string | undefined;
}

/** Each exchange with its parent, the exchanges of the shown path first. */
export function toLinkedExchanges(
  exchanges: readonly Exchange[],
  branches: readonly Branch[],
): readonly LinkedExchange[] {
  const chain = (after: string | undefined, all: readonly Exchange[]) =>
    all.map((exchange, i): LinkedExchange => ({ exchange, parent: i === 0 ? after : all[i - 1]?.id }));
  return [
    ...chain(undefined, exchanges),
    ...branches.flatMap((branch) => chain(branch.after, branch.exchanges)),
  ];
}

/**
 * The shown path, which ends in `head`, and the other branches. Without a head, or with one that doesn't exist, the path ends in the
 * newest exchange. If exchanges follow the head, the path continues with the newest ones: another window has asked there, or an edit
 * of the following question was cut off and no version of it would be shown. Exchanges whose parent doesn't exist start their own
 * branch, so that nothing is lost.
 *
 * @param linked in the order in which the exchanges were created
 */
export function fromLinkedExchanges(
  linked: readonly LinkedExchange[],
  head: string | undefined,
): { readonly exchanges: readonly Exchange[]; readonly branches: readonly Branch[] } {
  const known = new Map(linked.map((one) => [one.exchange.id, one]));
  const following = groupBy(linked, ({ parent }) => parent);
  let last = (head === undefined ? undefined : known.get(head)) ?? linked.at(-1);
  const passed = new Set<LinkedExchange>();
  for (let next = last; next !== undefined && !passed.has(next); ) {
    passed.add(next);
    last = next;
    next = following.get(next.exchange.id)?.at(-1);
  }
  const placed = new Set<LinkedExchange>();
  for (let one = last; one !== undefined && !placed.has(one); ) {
    placed.add(one);
    one = one.parent === undefined ? undefined : known.get(one.parent);
  }
  const path = [...placed].reverse();
  const branches: Branch[] = [];
  for (const first of linked) {
    if (placed.has(first)) continue;
    const exchanges: Exchange[] = [];
    for (let one: LinkedExchange | undefined = first; one !== undefined; ) {
      placed.add(one);
      exchanges.push(one.exchange);
      one = following.get(one.exchange.id)?.find((next) => !placed.has(next));
    }
    branches.push({ after: first.parent, exchanges });
  }
  return { exchanges: path.map(({ exchange }) => exchange), branches };
}

/**
 * A conversation in a form that is the same in memory and after reading it again. The division of exchanges that aren't shown into
 * branches, and their order, depend on what was shown before, so they are normalized.
 */
export function toComparable({ exchanges, branches, ...rest }: Conversation): object {
  const all = toLinkedExchanges(exchanges, branches);
  return {
    ...rest,
    shown: exchanges.map(({ id }) => id),
    all: all.toSorted((a, b) => (a.exchange.id < b.exchange.id ? -1 : 1)),
  };
}
