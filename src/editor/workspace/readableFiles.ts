/** Filters out items about files that need an approval: libraries, links to other places, and hidden files. */
import type * as vscode from 'vscode';
import { decideAccess } from './fileAccess.ts';
import { readIgnoredFiles } from './ignoredFiles.ts';

/**
 * The items whose file may be read without asking.
 *
 * @param uriOf the file that an item is about
 */
export async function keepReadable<T>(
  all: readonly T[],
  uriOf: (one: T) => vscode.Uri,
): Promise<readonly T[]> {
  const ignored = await readIgnoredFiles();
  const shown = new Map<string, Promise<boolean>>();
  const isShown = async (uri: vscode.Uri) =>
    (await decideAccess(uri, 'read', { ignored })).kind === 'allowed';
  const kept: T[] = [];
  for (const one of all) {
    const uri = uriOf(one);
    const known = shown.get(uri.toString()) ?? isShown(uri);
    shown.set(uri.toString(), known);
    if (await known) kept.push(one);
  }
  return kept;
}
