/** Packs the translations, so that the package has their English texts only once (`src/editor/base/packedTexts.ts` reads them). */
import { basename } from 'node:path';
import { inSimilarOrder } from './similarOrder.mjs';

const BUNDLE = /^extension\/l10n\/bundle\.l10n\.[^/]+\.json$/;
const ENGLISH = 'extension/l10n/texts.json';

/** @typedef {Record<string, Uint8Array>} Files by their paths */

/**
 * The same files, with a list of texts for each language, and one list of the English ones in the same order.
 *
 * @param {Files} files
 * @returns {Files}
 */
export function packTexts(files) {
  const bundles = Object.entries(files).filter(([path]) => BUNDLE.test(path));
  if (bundles.length === 0) return files;
  const all = bundles.map(([path, bytes]) => ({ path, texts: JSON.parse(new TextDecoder().decode(bytes)) }));
  const order = inOrder(all.map(({ texts }) => texts));
  const packed = all.map(({ path, texts }) => {
    const list = order.map((english) => texts[english]);
    if (!list.every((text) => typeof text === 'string'))
      throw new Error(`${basename(path)} has not all texts. Run npm run l10n.`);
    return [path, bytesOf({ '': list })];
  });
  return { ...files, ...Object.fromEntries(packed), [ENGLISH]: bytesOf(order) };
}

/**
 * The English texts in an order in which all lists compress well: texts that are similar in all languages are near each other.
 *
 * @param {Record<string, string>[]} bundles
 */
function inOrder(bundles) {
  const english = [...new Set(bundles.flatMap((texts) => Object.keys(texts)))].sort();
  const byAll = new Map(english.map((key) => [[key, ...bundles.map((texts) => texts[key])].join('\0'), key]));
  return inSimilarOrder([...byAll.keys()]).map((key) => byAll.get(key) ?? '');
}

const bytesOf = (/** @type {unknown} */ value) => new TextEncoder().encode(JSON.stringify(value));
