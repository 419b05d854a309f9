/** What the `.gitignore` files of a project leave out, as git reads them. Paths have `/` between their names. */
import ignore, { type Ignore } from 'ignore';

/** The rules of one `.gitignore`, and the path of the folder that it lies in. */
export interface IgnoreFile {
  readonly folder: string;
  readonly rules: string;
}

/** The rules that lie in a folder, for the other path that leads to it. */
export function rebaseRules(files: readonly IgnoreFile[], from: string, to: string): readonly IgnoreFile[] {
  const [start, there] = [from, to].map((path) => path.replace(/\/$/, '')) as [string, string];
  return files.flatMap(({ folder, rules }) =>
    `${folder}/`.startsWith(`${start}/`) ? [{ folder: `${there}${folder.slice(start.length)}`, rules }] : [],
  );
}

/**
 * Finds out what leaves a file out: its own path, or the path of the folder above it that is ignored as a whole, with
 * `/` at its end. Undefined when the file is not ignored.
 */
export type IgnoreMatcher = (path: string) => string | undefined;

/** @param foldCase `Dist` matches `dist`, as on disks that take the one for the other */
export function createIgnoreMatcher(files: readonly IgnoreFile[], foldCase: boolean): IgnoreMatcher {
  // The deepest first: what it says goes before what a folder above says.
  const levels = files
    .map(({ folder, rules }) => ({
      start: folder.endsWith('/') ? folder : `${folder}/`,
      rules: ignore({ ignorecase: foldCase }).add(rules),
    }))
    .sort((a, b) => b.start.length - a.start.length);
  const top = Math.min(...levels.map(({ start }) => start.length));
  const folders = new Map<string, string | undefined>();

  /** The folder above a path that is ignored; what is in one cannot be taken back in. */
  function ignoredFolder(folder: string): string | undefined {
    if (folder.length <= top) return undefined;
    if (folders.has(folder)) return folders.get(folder);
    const found = ignoredFolder(parentOf(folder)) ?? (isIgnored(folder, levels) ? folder : undefined);
    folders.set(folder, found);
    return found;
  }

  return (path) =>
    levels.length === 0
      ? undefined
      : (ignoredFolder(parentOf(path)) ?? (isIgnored(path, levels) ? path : undefined));
}

interface Level {
  readonly start: string;
  readonly rules: Ignore;
}

function isIgnored(path: string, levels: readonly Level[]): boolean {
  for (const { start, rules } of levels) {
    if (!path.startsWith(start) || path === start) continue;
    const { ignored, unignored } = rules.test(path.slice(start.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}

/** The folder of a path, with `/` at its end. */
function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
}
