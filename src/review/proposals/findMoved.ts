/** Files that another program renamed: one is gone, and another one with the same text is there. */

/** A file and its text. Files are told by their URIs. */
export interface FileText {
  readonly uri: string;
  readonly text: string;
}

/**
 * The new name of each file that is gone. A file without text has none, nor has one with several possible new names,
 * unless one of them is the same in another folder, nor has one of several with the same text, unless only it was in the folder.
 *
 * @returns pairs of the old URI and the new one
 */
export function findMoved(
  gone: readonly FileText[],
  created: readonly FileText[],
): readonly (readonly [from: string, to: string])[] {
  return gone.flatMap(({ uri, text }) => {
    const same = text === '' ? [] : created.filter((one) => one.text === text && one.uri !== uri);
    const named = same.filter((one) => nameOf(one.uri) === nameOf(uri));
    const [to] = same.length === 1 ? same : named.length === 1 ? named : [];
    if (to === undefined) return [];
    // A copy of two files that were the same can't be told from the other, unless only one of them was in the same folder.
    const equal = gone.filter((one) => one.text === text);
    const near = equal.filter((one) => folderOf(one.uri) === folderOf(to.uri));
    const isNamed = equal.some((one) => nameOf(one.uri) === nameOf(to.uri));
    const isOnly = equal.length === 1 || (near.length === 1 && near[0]?.uri === uri && !isNamed);
    return isOnly || named.length === 1 ? [[uri, to.uri] as const] : [];
  });
}

const folderOf = (uri: string): string => uri.slice(0, uri.lastIndexOf('/'));

const nameOf = (uri: string): string => uri.slice(uri.lastIndexOf('/') + 1);
