/**
 * Finds translations of an older English text. The keys of texts in the code are the English texts, so a changed text has
 * a new key. In `package.nls.json` the keys are names, so a file stores the English text from which each translation was made.
 */
import { createHash } from 'node:crypto';
import { ENGLISH, languages, readTexts, translationOf } from './l10n.mjs';

/** @typedef {import('./l10n.mjs').Texts} Texts */

/** By language and key: hashes of the English and of its translation. */
export const TRANSLATED_FROM = 'l10n/translatedFrom.json';

/** @param {string} text */
const hash = (text) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/**
 * The English texts from which the translations of a language were made: those at the time when a translation was added or
 * changed.
 * @param {Texts} english
 * @param {Texts} translated
 * @param {Texts} before the earlier result
 * @returns {Texts} by key: the hash of the English, a space, and the hash of the translation
 */
export function origins(english, translated, before) {
  const texts = Object.entries(english).flatMap(([key, text]) => {
    const translation = translated[key];
    if (!translation) return [];
    const known = before[key];
    const [, own] = known?.split(' ') ?? [];
    const unchanged = known !== undefined && own === hash(translation);
    return [[key, unchanged ? known : `${hash(text)} ${hash(translation)}`]];
  });
  return Object.fromEntries(texts);
}

/**
 * The keys whose English has changed since they were translated.
 * @param {Texts} english
 * @param {Texts} translated
 * @param {Texts} known
 * @returns {string[]}
 */
export function outdated(english, translated, known) {
  return Object.entries(origins(english, translated, known)).flatMap(([key, origin]) =>
    origin.split(' ')[0] === hash(english[key] ?? '') ? [] : [key],
  );
}

/** @returns {Readonly<Record<string, Texts>>} what the file should have, by language */
export function allOrigins() {
  const english = readTexts(ENGLISH.manifest);
  const known = readOrigins();
  return Object.fromEntries(
    languages().map((language) => [
      language,
      origins(english, readTexts(translationOf(ENGLISH.manifest, language)), known[language] ?? {}),
    ]),
  );
}

/** @returns {Readonly<Record<string, Texts>>} */
export const readOrigins = () => /** @type {any} */ (readTexts(TRANSLATED_FROM));
