/** A conversation's exchanges as the store keeps them, each with the one it follows, and as the chat knows them. */
import type { Branch, Exchange } from '../chat/turn.ts';

export interface LinkedExchange {
  readonly exchange: Exchange;
  /** The exchange it follows; undefined at the beginning. */
  readonly parent: string | undefined;
}

/** Each exchange with the one it follows, the shown way first. */
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
 * The shown way, which ends in `head`, and the branches beside it. Without a head, or with one that is lost, the way is
 * the one that was begun last. Exchanges whose parent is lost begin a branch of their own: nothing is dropped.
 *
 * @param linked in the order in which the exchanges were begun
 */
export function fromLinkedExchanges(
  linked: readonly LinkedExchange[],
  head: string | undefined,
): { readonly exchanges: readonly Exchange[]; readonly branches: readonly Branch[] } {
  const known = new Map(linked.map((one) => [one.exchange.id, one]));
  const last = (head === undefined ? undefined : known.get(head)) ?? linked.at(-1);
  const placed = new Set<LinkedExchange>();
  for (let one = last; one !== undefined && !placed.has(one); ) {
    placed.add(one);
    one = one.parent === undefined ? undefined : known.get(one.parent);
  }
  const way = [...placed].reverse();
  const following = Map.groupBy(linked, ({ parent }) => parent);
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
  return { exchanges: way.map(({ exchange }) => exchange), branches };
}
