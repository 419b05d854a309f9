/** Filters paths by typed letters, and sorts them with the best match first. */

/** A path as it is shown. The path of a folder ends in `/`. */
export interface RankedPath {
  readonly path: string;
  /** Open files are sorted before others that match equally well. */
  readonly open: boolean;
}

/**
 * The paths that match the letters, ignoring case. First come names that start with the letters, then names that contain
 * them, then paths that contain them, then names that contain them in this order with others in between. Without letters,
 * open files come first.
 *
 * @param max the maximum number of paths to return
 */
export function rankPaths<Path extends RankedPath>(
  paths: readonly Path[],
  letters: string,
  max: number,
): readonly Path[] {
  const wanted = letters.toLowerCase();
  return paths
    .flatMap((one) => {
      const rank = rankOf(one.path.toLowerCase(), wanted);
      return rank === undefined ? [] : [{ one, rank: one.open ? rank - 0.5 : rank }];
    })
    .sort((a, b) => a.rank - b.rank || depthOf(a.one) - depthOf(b.one) || compare(a.one.path, b.one.path))
    .slice(0, max)
    .map(({ one }) => one);
}

function rankOf(path: string, wanted: string): number | undefined {
  if (wanted === '') return 0;
  const name = path.slice(path.lastIndexOf('/', path.length - 2) + 1);
  if (name.startsWith(wanted)) return 0;
  if (name.includes(wanted)) return 1;
  if (path.includes(wanted)) return 2;
  return hasInOrder(name, wanted) ? 3 : undefined;
}

function hasInOrder(text: string, wanted: string): boolean {
  let at = -1;
  for (const letter of wanted) {
    at = text.indexOf(letter, at + 1);
    if (at === -1) return false;
  }
  return true;
}

const depthOf = ({ path }: RankedPath) => path.split('/').length;
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
