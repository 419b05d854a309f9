/** Matches paths against `.gitignore` files, as Git does. Paths are separated by `/`. */
import ignore, { type Ignore } from 'ignore';

/** The content of a `.gitignore` file, and the path of its folder. */
export interface IgnoreFile {
  readonly folder: string;
  readonly rules: string;
}

/**
 * Finds the path that is ignored: that of the file, or that of the ignored folder that contains it, with `/` at its end.
 * Undefined when the file is not ignored.
 */
export type IgnoreMatcher = (path: string) => string | undefined;

/** @param foldCase `Dist` matches `dist`, as on case-insensitive disks */
export function createIgnoreMatcher(files: readonly IgnoreFile[], foldCase: boolean): IgnoreMatcher {
  // The deepest folder first, because its rules have precedence over those of parent folders.
  const levels = files
    .map(({ folder, rules }) => ({
      start: folder.endsWith('/') ? folder : `${folder}/`,
      rules: ignore({ ignorecase: foldCase }).add(rules.split('\n').map(toQuick).join('\n')),
    }))
    .sort((a, b) => b.start.length - a.start.length);
  const top = Math.min(...levels.map(({ start }) => start.length));
  const folders = new Map<string, string | undefined>();

  /** The ignored folder that contains a path. Rules can't re-include files of an ignored folder. */
  function ignoredFolder(folder: string): string | undefined {
    if (folder.length <= top) return undefined;
    if (folders.has(folder)) return folders.get(folder);
    const found = ignoredFolder(folderPartOf(folder)) ?? (isIgnored(folder, levels) ? folder : undefined);
    folders.set(folder, found);
    return found;
  }

  return (path) => {
    if (levels.length === 0) return undefined;
    if (isDeep(path)) return path;
    return ignoredFolder(folderPartOf(path)) ?? (isIgnored(path, levels) ? path : undefined);
  };
}

/**
 * The time to match a path with many folders grows exponentially with the number of `**` in a rule. A repository can have
 * rules and paths that would take years, and block all extensions. A path with more folders isn't matched, and counts as
 * ignored.
 */
const MAX_GLOBSTARS = 2;
const MAX_FOLDERS = 200;

const isDeep = (path: string): boolean => path.split('/', MAX_FOLDERS + 1).length > MAX_FOLDERS;

/** Replaces a rule with too many `**` by one that ignores at least as much: anything can be between its first and its last part. */
function toQuick(rule: string): string {
  const parts = rule.split(/(?:\/\*{2,})+\//);
  if (parts.length <= MAX_GLOBSTARS + 1) return rule;
  return rule.startsWith('!') ? '' : `${parts[0]}/**/${parts.at(-1)}`;
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
function folderPartOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
}
