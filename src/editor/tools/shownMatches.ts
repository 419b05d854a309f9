/** Single lines of files that a tool has found, without those of files that the user refuses. */
import type { OpenPlace } from '../workspace/workspaceBoundary.ts';
import type { ToolFileAccess } from './toolFileAccess.ts';

export interface Match {
  /** The file with the line. */
  readonly place: OpenPlace;
  /** The line in the form for the model. */
  readonly line: string;
}

/**
 * What a search finds in files that the user allows. Asks once about all files with a match that need an approval. If the user
 * refuses, it searches again without these files, so that nothing in the result depends on their text.
 *
 * @param find searches the files that are not left out
 */
export async function findAllowed<Found extends { readonly matches: readonly Match[] }>(
  find: (isLeftOut: (place: OpenPlace) => boolean) => Promise<Found>,
  { keepReadable, refused }: Pick<ToolFileAccess, 'keepReadable' | 'refused'>,
  signal: AbortSignal,
): Promise<Found> {
  const refusedHere = new Set<string>();
  const isLeftOut = (place: OpenPlace) => refusedHere.has(place.realPath) || refused.has(place);
  for (;;) {
    const found = await find(isLeftOut);
    // The same file can have several URI objects.
    const files = new Map(found.matches.map(({ place }) => [place.uri.toString(), place]));
    const places = [...files.values()];
    // A search at the same time can have asked about a file meanwhile.
    const known = places.filter(isLeftOut);
    const uris = places.map(({ uri }) => uri);
    const allowed = known.length > 0 ? new Set(uris) : await keepReadable(uris, signal);
    const left = [...known, ...places.filter(({ uri }) => !allowed.has(uri))];
    if (left.length === 0) return found;
    for (const { realPath } of left) refusedHere.add(realPath);
  }
}

/** The beginning of the note about refused files, for the model. It is the same whether or not they have a match. */
export const NOT_SEARCHED =
  'not searched, because the user did not allow files with text that looks like a key or password:';

/** The maximum number of files that a note names. */
const MAX_NAMED = 10;

/** A note about files, for the model; none if there are no files. */
export const noteOf = (what: string, labels: readonly string[]): readonly string[] => {
  const more = labels.length - MAX_NAMED;
  const named = labels.slice(0, MAX_NAMED).join(', ');
  return labels.length === 0 ? [] : [`${what} ${named}${more > 0 ? `, and ${more} more` : ''}`];
};
