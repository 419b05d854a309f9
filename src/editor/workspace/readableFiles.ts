/** Filters out items about files that need an approval: libraries, links to other places, and hidden files. */
import type * as vscode from 'vscode';
import { decideAccessToAll } from './fileAccess.ts';

/**
 * The items whose file may be read without asking.
 *
 * @param uriOf the file that an item is about
 */
export async function keepReadable<T>(
  all: readonly T[],
  uriOf: (one: T) => vscode.Uri,
): Promise<readonly T[]> {
  const uris = new Map(all.map((one) => [uriOf(one).toString(), uriOf(one)]));
  const access = await decideAccessToAll([...uris.values()], 'read');
  const shown = new Set([...uris.keys()].filter((_, at) => access[at]?.kind === 'allowed'));
  return all.filter((one) => shown.has(uriOf(one).toString()));
}
