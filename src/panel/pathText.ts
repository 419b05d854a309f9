/**
 * Paths in texts of the model, as it writes them: `src/x.ts`, `src/x.ts:7`, `src/x.ts:7:3`, `src/x.ts#L7-L9`. The host finds out
 * whether a path exists, and isn't asked about text that can't be a path inside a workspace.
 */

/** A path relative to a folder of the workspace, with slashes. Line and column are counted from 1. */
export interface PathPlace {
  readonly path: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/** The maximum length of a path with its line, in characters. */
export const MAX_PATH_LENGTH = 260;
/** The maximum number of paths in one message. */
export const MAX_PATHS_ASKED = 100;
/** The maximum number of paths that are found in one text, and the number of characters that are searched. */
const MAX_FOUND = 500;
const MAX_TEXT = 100_000;

const PLACE =
  /^([^:#]+)(?::(\d{1,7})(?::(\d{1,5}))?(?:-\d{1,7}(?::\d{1,5})?)?|#L(\d{1,7})(?:C(\d{1,5}))?(?:-L?\d{1,7}(?:C\d{1,5})?)?)?$/;

/** Characters that names don't have, or that hide the real name: control, format, and direction characters. */
const FORBIDDEN = /[\p{C}\p{Zl}\p{Zp}*?"<>|]/u;

const EXTENSION = /\.[A-Za-z][\w-]{0,11}$/;

/** Every path has one of these characters. Most words don't, and the other regular expressions take longer. */
const IN_PATHS = /[/.]/;

/** The path that a complete text is. Undefined if the text isn't a path, or the path is absolute or leads out of its folder. */
export function parsePath(text: string): PathPlace | undefined {
  if (text.length > MAX_PATH_LENGTH || !IN_PATHS.test(text) || FORBIDDEN.test(text)) return undefined;
  const [, written = '', line, column, hashLine, hashColumn] = PLACE.exec(text) ?? [];
  const path = written.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/$/, '');
  const names = path.split('/');
  if (names.some((name) => name === '' || name === '.' || name === '..' || name.trim() !== name))
    return undefined;
  if (path.startsWith('~') || !(written.includes('/') || EXTENSION.test(path))) return undefined;
  return { path, line: toNumber(line ?? hashLine), column: toNumber(column ?? hashColumn) };
}

const toNumber = (digits: string | undefined): number | undefined =>
  digits === undefined ? undefined : Math.max(1, Number(digits));

/** Offsets in the text, in UTF-16 code units; `to` is the offset after the last character. */
export interface PathRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Matches words, also in Chinese, Japanese, and Arabic. A part of an address or of another path isn't a path, so `/`, `\`, and
 * `:` don't separate words.
 */
const WORD = /[^\s"'`<>()[\]{}|,;*?=“”‘’«»、。，；：！？（）「」『』【】《》〈〉،؛؟]+/g;

/** Whether `findPaths` may find something: a quick answer for the many texts without a path. */
export const mayHavePath = (text: string): boolean => /\/|\.[A-Za-z]/.test(text);

/** Finds paths between other words. Without a line, a path must have a file extension: `and/or` isn't a path. */
export function findPaths(text: string): readonly PathRange[] {
  const found: PathRange[] = [];
  for (const { 0: word, index } of text.slice(0, MAX_TEXT).matchAll(WORD)) {
    if (found.length === MAX_FOUND) break;
    const end = lengthWithoutPunctuation(word);
    const place = parsePath(word.slice(0, end));
    if (place === undefined || (place.line === undefined && !EXTENSION.test(place.path))) continue;
    found.push({ from: index, to: index + end });
  }
  return found;
}

/** The length of a word without the punctuation that ends a sentence or a string. */
function lengthWithoutPunctuation(word: string): number {
  let end = word.length;
  while (end > 0 && '.:!…\\/'.includes(word[end - 1] ?? '')) end--;
  return end;
}
