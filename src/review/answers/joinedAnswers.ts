/**
 * Helpers for answers with several JSON objects, which count as one: models write a draft first, write one object for each file, or
 * repeat objects.
 */

/** Whether a function is called with a value for the first time. Values are equal if their JSON is. */
export type IsFirst = (one: unknown) => boolean;

export function createIsFirst(): IsFirst {
  const known = new Set<string>();
  return (one) => known.size < known.add(JSON.stringify(one)).size;
}

/** Summaries or explanations as one text, without empty and repeated ones. */
export const joinTexts = (texts: readonly string[], isFirst: IsFirst): string =>
  texts.filter((text) => text !== '' && isFirst(text)).join('\n\n');

/** Creates a function that returns how often it was called with an equal value before. */
export function createCounter(): (one: unknown) => number {
  const counts = new Map<string, number>();
  return (one) => {
    const key = JSON.stringify(one);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count;
  };
}
