/**
 * Names that Windows gives to files in addition to their own, such as `GIT~1` for `.git`. Git refuses them, too
 * (`core.protectNTFS`), on every system, because a folder can be shared with Windows, or be on a Windows disk.
 */

/**
 * At most eight characters, which end with a number that distinguishes files that begin alike, and an extension of at most three
 * characters.
 */
const SHORT = /^([^~.]{1,6})~([1-9]\d{0,5})(?:\.([^.]{1,3}))?$/;
const LENGTH = 8;

/** After a few files with the same beginning, a short name has the first two characters and four digits of a checksum. */
const WITH_CHECKSUM = /^..[\da-f]{4}$/;

/**
 * Whether a name can be the short name of a file. It isn't known which file has which number, so each number counts.
 *
 * @param name in lower case, without dots and spaces at its end
 * @param long the name of the file, in lower case
 */
export function isShortFor(name: string, long: string): boolean {
  const [, stem = '', count = '', extension = ''] = SHORT.exec(name) ?? [];
  if (stem === '') return false;
  const own = toParts(long);
  if (extension !== own.extension.slice(0, 3)) return false;
  return stem === own.stem.slice(0, LENGTH - 1 - count.length) || isChecksumOf(stem, own.stem);
}

/**
 * Whether a name can be the short name of a file whose name begins with `start`. Of the rest of the name, the short name has only
 * the first three characters of the extension.
 *
 * @param name as for `isShortFor`
 * @param start in lower case
 */
export function isShortForStart(name: string, start: string): boolean {
  const [, stem = '', count = ''] = SHORT.exec(name) ?? [];
  const own = toStem(start.replace(/^\.+/, ''));
  if (stem === '') return false;
  return stem.startsWith(own.slice(0, LENGTH - 1 - count.length)) || isChecksumOf(stem, own);
}

/**
 * Whether a name can be the short name of a file whose name ends with `ending`.
 *
 * @param name as for `isShortFor`
 * @param ending with its extension, in lower case
 */
export const isShortForEnding = (name: string, ending: string): boolean =>
  isShortFor(name, `${name.slice(0, Math.max(0, name.indexOf('~')))}${ending}`);

/** Dots at the beginning and in the middle are left out. */
function toParts(long: string): { readonly stem: string; readonly extension: string } {
  const name = long.replace(/^\.+/, '');
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)];
  return { stem: toStem(stem), extension };
}

const toStem = (long: string): string => long.replace(/[. ]/g, '');

const isChecksumOf = (stem: string, long: string): boolean =>
  WITH_CHECKSUM.test(stem) && stem.startsWith(long.slice(0, 2));
