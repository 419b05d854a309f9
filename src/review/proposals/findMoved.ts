/** Recognizes files that another program has renamed: a file is gone, and a new file has the same text. */

/** A file and its text. The URI identifies the file. */
export interface FileText {
  readonly uri: string;
  readonly text: string;
}

/**
 * The new name of each file that is gone. There is none for a file without text, none if several new files have the text, unless
 * exactly one of them has the same name in another folder, and none if several files that are gone had the text, unless the name or
 * the folder identifies the one.
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
    // If several files that are gone had this text, the new file can't be assigned to one of them, unless only one was in its
    // folder.
    const equal = gone.filter((one) => one.text === text);
    const near = equal.filter((one) => folderOf(one.uri) === folderOf(to.uri));
    const isNamed = equal.some((one) => nameOf(one.uri) === nameOf(to.uri));
    const isOnly = equal.length === 1 || (near.length === 1 && near[0]?.uri === uri && !isNamed);
    return isOnly || named.length === 1 ? [[uri, to.uri] as const] : [];
  });
}

const folderOf = (uri: string): string => uri.slice(0, uri.lastIndexOf('/'));

const nameOf = (uri: string): string => uri.slice(uri.lastIndexOf('/') + 1);
