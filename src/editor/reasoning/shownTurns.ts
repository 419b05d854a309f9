/**
 * Decides which turns the Reasoning view lists: the last ones, and earlier ones on request. For each new turn, the editor creates all
 * rows again, and keeps some memory of the old ones as long as the view exists.
 */

/** How many turns are listed at first. */
const INITIAL_COUNT = 50;

export interface ShownTurns {
  /** The listed turns, given the IDs of all turns in order, and the number of turns before them. */
  list(ids: readonly string[]): { readonly turns: readonly string[]; readonly earlier: number };
  /** Lists more turns. */
  showMore(): void;
  /** Lists a turn. Returns false if it is listed already, or isn't one of `ids`. */
  include(ids: readonly string[], id: string): boolean;
  /** Lists the last turns only. */
  reset(): void;
}

export function createShownTurns(): ShownTurns {
  let count = INITIAL_COUNT;
  return {
    list(ids) {
      const earlier = Math.max(0, ids.length - count);
      return { turns: ids.slice(earlier), earlier };
    },
    showMore() {
      count *= 5;
    },
    include(ids, id) {
      const at = ids.indexOf(id);
      if (at === -1 || ids.length - at <= count) return false;
      count = ids.length - at;
      return true;
    },
    reset() {
      count = INITIAL_COUNT;
    },
  };
}
