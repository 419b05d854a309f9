/** Sorts texts for compression, which finds repetitions best when they are near each other. */

/** The length of the parts in which texts are compared, in characters. Of the lengths from 3 to 7, it compresses the translations best. */
const PART = 5;

/**
 * The same texts, each followed by the most similar one of the remaining texts. Equal input gives equal output.
 *
 * @param {readonly string[]} texts
 * @returns {string[]}
 */
export function inSimilarOrder(texts) {
  const parts = texts.map(partsOf);
  /** @type {Map<string, number[]>} the places of texts by their parts */
  const places = new Map();
  for (const [place, own] of parts.entries())
    for (const part of own) places.set(part, [...(places.get(part) ?? []), place]);
  const left = new Set(texts.keys());
  /** @type {string[]} */
  const order = [];
  for (let at = nextOf(undefined); at !== undefined; at = nextOf(at)) {
    order.push(texts[at] ?? '');
    left.delete(at);
  }
  return order;

  /** @param {number | undefined} from */
  function nextOf(from) {
    const own = from === undefined ? new Set() : (parts[from] ?? new Set());
    /** @type {Map<number, number>} */
    const shared = new Map();
    for (const part of own)
      for (const place of places.get(part) ?? [])
        if (left.has(place)) shared.set(place, (shared.get(place) ?? 0) + 1);
    let [best] = left;
    let most = 0;
    for (const [place, count] of shared) {
      const likeness = count / Math.sqrt(parts[place]?.size ?? 1);
      if (likeness > most) [best, most] = [place, likeness];
    }
    return best;
  }
}

/** @param {string} text @returns {Set<string>} */
const partsOf = (text) =>
  new Set(Array.from({ length: Math.max(1, text.length - PART + 1) }, (_, at) => text.slice(at, at + PART)));
