/** Choices that are the same for the same seed. */

export interface Random {
  /** From 0 to 1, without 1. */
  fraction(): number;
  /** A whole number from 0, less than the count. */
  below(count: number): number;
  chance(share: number): boolean;
  /** @throws if the list is empty */
  pick<T>(list: readonly T[]): T;
}

/** The generator mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function fraction(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  const below = (count: number) => Math.floor(fraction() * count);
  return {
    fraction,
    below,
    chance: (share) => fraction() < share,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new Error('there is nothing to pick from');
      return list[below(list.length)] as T;
    },
  };
}
