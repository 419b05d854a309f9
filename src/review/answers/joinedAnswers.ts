/** Several JSON objects of an answer count as one: models write a draft first, one for each file, or repeat what they wrote. */

/** Whether a value has not come before. Values are equal if their JSON is. */
export type IsFirst = (one: unknown) => boolean;

export function createIsFirst(): IsFirst {
  const known = new Set<string>();
  return (one) => known.size < known.add(JSON.stringify(one)).size;
}

/** Summaries or explanations as one text, each once. */
export const joinTexts = (texts: readonly string[], isFirst: IsFirst): string =>
  texts.filter((text) => text !== '' && isFirst(text)).join('\n\n');

/** Says how often a value has come before. */
export function createCounter(): (one: unknown) => number {
  const counts = new Map<string, number>();
  return (one) => {
    const key = JSON.stringify(one);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count;
  };
}
