/** Filters out items about files that need an approval, such as libraries, links to other places, and hidden files. */
import type * as vscode from 'vscode';
import { decideAccessToAll } from './fileAccess.ts';
import type { OpenPlace } from './workspaceBoundary.ts';

/**
 * The items whose file may be read without asking.
 *
 * @param uriOf the file that an item is about
 */
export async function keepReadable<T>(
  all: readonly T[],
  uriOf: (one: T) => vscode.Uri,
): Promise<readonly T[]> {
  const places = await readablePlaces(all.map(uriOf));
  return all.filter((one) => places.has(uriOf(one).toString()));
}

/** The files that may be read without asking, by their URIs. */
export async function readablePlaces(all: readonly vscode.Uri[]): Promise<ReadonlyMap<string, OpenPlace>> {
  const uris = new Map(all.map((uri) => [uri.toString(), uri]));
  const access = await decideAccessToAll([...uris.values()], 'read');
  return new Map(
    [...uris.keys()].flatMap((key, at) => {
      const one = access[at];
      return one?.kind === 'allowed' ? [[key, one.place] as const] : [];
    }),
  );
}
