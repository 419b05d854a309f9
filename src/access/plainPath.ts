/** Other spellings of a path that lead to the same file on some disks. */

/**
 * A path as such disks read it, in lower case and with `/` as separator. Windows removes dots and spaces at the end of a name,
 * and text after a colon names a stream of the same file. Some file systems ignore characters that are not displayed. APFS
 * ignores more than case: it treats `ſ` as an `s`, which only the conversion to upper case shows.
 */
export const toPlainPath = (path: string): string =>
  path
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .split(/[\\/]+/)
    .map((part) => withoutEnd(part.split(':', 1)[0] ?? ''))
    .join('/');

/** A name without the dots and spaces at its end. */
function withoutEnd(name: string): string {
  let end = name.length;
  while (name[end - 1] === '.' || name[end - 1] === ' ') end--;
  return name.slice(0, end);
}
