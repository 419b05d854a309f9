/**
 * Files that can give a change more permissions: settings, hooks, agent instructions, tool servers, and build and
 * startup scripts of the machine (docs/security.md, Protected files). Changes to them always need approval.
 * `package.json` and other build files are not included: they are part of the normal work and are reviewed as hunks.
 */

import { toPlainPath } from './plainPath.ts';
import { ENDINGS, FILES, FOLDERS, STARTS } from './protectedNames.ts';
import { isShortFor, isShortForEnding, isShortForStart } from './shortNames.ts';

/** Configurations of mise, which runs what they say: `mise.toml`, `.mise.local.toml`, or with the name of an environment. */
const MISE = /^\.?mise\.(?:.+\.)?toml$/;
/**
 * Files in a repository without a working tree that Git runs, or in which Git reads what to run. A workspace can also be named
 * like such a repository, and have a folder `config`.
 */
const IN_REPOSITORY = /^(?:config(?:\.worktree)?$|commondir$|hooks(?:\/|$))/;

/**
 * @param path relative or absolute, with either kind of slash; compared case-insensitively. Other names that Windows has for the
 * same file count, too.
 */
export function isProtected(path: string): boolean {
  const parts = toPlainPath(path).split('/');
  return (
    parts.some(isFolder) ||
    isFile(parts.at(-1) ?? '') ||
    isOfMise(parts) ||
    // Plugins of agents have their hooks there, without an entry in a manifest.
    parts.slice(-2).join('/') === 'hooks/hooks.json' ||
    parts.some((name, at) => isRepository(name) && IN_REPOSITORY.test(parts.slice(at + 1, at + 3).join('/')))
  );
}

const isFolder = (name: string): boolean => FOLDERS.has(name) || isShortForOneOf(name, FOLDERS);

/** Only the end of a path counts, or a name with the folder above it, because a workspace can be named `mise`. */
function isOfMise(parts: readonly string[]): boolean {
  const [name = '', folder, above] = parts.toReversed();
  const isConfig = folder === 'mise' && name.startsWith('config.');
  const isPart = above === 'mise' && folder === 'conf.d';
  const isBelow = parts.some((part, at) => part === 'mise' && parts[at - 1] === '.config');
  return isBelow || ((isConfig || isPart) && name.endsWith('.toml'));
}

const isRepository = (name: string): boolean =>
  name.endsWith('.git') || (name.includes('~') && isShortForEnding(name, '.git'));

function isFile(name: string): boolean {
  return (
    FILES.has(name) ||
    // Makes a repository of a folder: Git then runs what its `config` says.
    name === 'head' ||
    MISE.test(name) ||
    STARTS.some((start) => name.startsWith(start)) ||
    ENDINGS.some((ending) => name.endsWith(ending)) ||
    isShortForOneOf(name, FILES) ||
    isShortForPart(name)
  );
}

function isShortForOneOf(name: string, names: ReadonlySet<string>): boolean {
  // Most names have no tilde.
  return name.includes('~') && [...names].some((one) => isShortFor(name, one));
}

/** A short name doesn't show which file it is: that of `team.code-workspace` is `TEAM~1.COD`. */
const isShortForPart = (name: string): boolean =>
  name.includes('~') &&
  (STARTS.some((start) => isShortForStart(name, start)) ||
    ENDINGS.some((ending) => isShortForEnding(name, ending)) ||
    (name.endsWith('.tom') && isShortForStart(name, 'mise.')));
