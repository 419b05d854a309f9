/** The results for the letters of a mention, and which of them is active. */
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
  /** Call this when the letters have changed. Returns the number of the query; results of an earlier query no longer count. */
  ask(): number;
  /** Takes the results of a query. Returns whether they count. */
  found(query: number, choices: readonly ContextChoice[]): boolean;
  /** Moves up or down, and wraps at both ends. Returns the index of the active choice. */
  move(by: number): number;
  /** Makes the first choice active again. */
  stay(): void;
  /** Drops the results, because they are for another mention. */
  clear(): void;
}

export function createMentionResults(): MentionResults {
  let asked = 0;
  let answered = 0;
  let choices: readonly ContextChoice[] = [];
  /** The index of the choice to which the user has moved with the arrow keys; undefined before. */
  let moved: number | undefined;

  /** Choices that say why others are missing are only reached with the arrow keys. */
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
