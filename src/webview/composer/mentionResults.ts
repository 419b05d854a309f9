/** What was found for the letters of a mention, and which of it is active. */
import type { ContextChoice } from '../../panel/context.ts';

export interface ShownResults {
  readonly choices: readonly ContextChoice[];
  /** The index of the active choice; -1 if there is none. */
  readonly active: number;
  /** The results for the current letters have not arrived. */
  readonly looking: boolean;
}

export interface MentionResults {
  shown(): ShownResults;
  /** The letters are others now. Returns the number of the question; the answer to an earlier one no longer counts. */
  ask(): number;
  /** Takes an answer. Returns whether it counts. */
  found(query: number, choices: readonly ContextChoice[]): boolean;
  /** Goes up or down, from the end to the beginning. Returns the index of the active choice. */
  move(by: number): number;
  /** The first choice is active again. */
  stay(): void;
  /** What was found is for something else. */
  clear(): void;
}

export function createMentionResults(): MentionResults {
  let asked = 0;
  let answered = 0;
  let choices: readonly ContextChoice[] = [];
  /** The choice that the arrow keys have gone to; undefined before. */
  let moved: number | undefined;

  /** Those that say why others are missing are reached with the arrow keys only. */
  const active = () => moved ?? choices.findIndex(({ action }) => action === undefined);

  return {
    shown: () => ({ choices, active: active(), looking: answered !== asked }),
    ask: () => ++asked,
    found(query, found) {
      if (query !== asked) return false;
      answered = asked;
      choices = found;
      if (moved !== undefined) moved = Math.max(0, Math.min(moved, choices.length - 1));
      return true;
    },
    move(by) {
      const from = Math.max(active(), by < 0 ? 0 : -1);
      moved = (from + by + choices.length) % Math.max(1, choices.length);
      return moved;
    },
    stay() {
      moved = undefined;
    },
    clear() {
      choices = [];
    },
  };
}
