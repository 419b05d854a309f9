/** Texts with placeholders, in the extension host and in the pages. */
import { MessageFormatter, pluralTypeHandler } from '@ultraq/icu-message-formatter';
import { numberText } from './numberFormats.ts';

const toShortDecimal = (value: number, language: string) => numberText(value, language, 1);

/**
 * Fills in a text of the display language.
 *
 * @param text has `{0}` for a value, or `{0, plural, one {# file} other {# files}}` for a number: a form for each category
 *   of `Intl.PluralRules` in its language, where `#` is the number
 * @param language a tag like `de` or `zh-cn`. Numbers are written as in this language
 * @param write how a number is written
 * @param ofText the language of the text: English in a display language without translations
 */
export function fillPlaceholders(
  text: string,
  language: string,
  values: readonly (string | number)[],
  write: (value: number, language: string) => string = toShortDecimal,
  ofText = language,
): string {
  if (values.length === 0) return text;
  const number = (value: number) => write(value, language);
  // `process`, because `format` caches every result.
  const parts: readonly unknown[] = new MessageFormatter(ofText, {
    plural: pluralTypeHandler,
    number,
  }).process(text, { ...values });
  return parts
    .flat(Infinity)
    .map((part) => (typeof part === 'number' ? number(part) : part))
    .join('');
}
