/**
 * The policy for access to files: when the user is asked before a text is sent to the service, or before a change is
 * written. Takes facts about a path and returns the reasons to ask.
 */
import { findHidden } from '../text/hiddenCharacters.ts';
import { toPlainPath } from './plainPath.ts';
import { isProtected } from './protectedPaths.ts';
import { isSecretFile } from './secretFiles.ts';
import { isShortFor } from './shortNames.ts';

/**
 * `read`: the text is sent to the service. `propose`: a change is proposed, for which the text is read. `write`: a
 * change is written.
 */
export type AccessPurpose = 'read' | 'propose' | 'write';

/**
 * `outside`: not in the workspace. `ignored`: ignored by git. `git-folder`: part of the git folder. `secret`: its name suggests
 * that it has keys or passwords. `secret-content`: its text has some. `protected`: it controls what tools and the editor may do.
 * `hidden-name`: the path has characters that are not displayed. `hidden-characters`: the change adds such characters. `link`:
 * the requested path is a link. `through-link`: a folder of the requested path is a link. Links are only added to other reasons.
 */
export type AccessReason = (typeof ACCESS_REASONS)[number];

/** In the order in which they are shown. */
export const ACCESS_REASONS = [
  'outside',
  'ignored',
  'git-folder',
  'secret',
  'secret-content',
  'protected',
  'hidden-name',
  'hidden-characters',
  'link',
  'through-link',
] as const;

/** Reasons that explain others. The user isn't asked because of them alone. */
export const isOfLink = (reason: AccessReason): reason is LinkReason =>
  reason === 'link' || reason === 'through-link';
type LinkReason = 'link' | 'through-link';

/** Whether git leaves the file out. Such a file isn't searched, listed, or added with its folder. */
export const isLeftOut = (reasons: readonly AccessReason[]): boolean =>
  reasons.includes('ignored') || reasons.includes('git-folder');

/** Facts about a requested path. Paths can use both kinds of slashes. */
export interface PathFacts {
  /** Whether the resolved path is in the workspace. */
  readonly inside: boolean;
  /** Why the resolved path differs from the requested path. Undefined if it doesn't, or not because of a link. */
  readonly link: LinkReason | undefined;
  /** Whether the ignore files of the workspace exclude one of the paths. */
  readonly ignored: boolean;
  /** Whether the paths lead to a folder. The name of a folder says nothing about the contents of its files. */
  readonly isFolder: boolean;
  /** The requested path and the resolved path, absolute. */
  readonly paths: readonly string[];
  /** The same paths, starting with the name of the workspace folder; absolute if a path isn't in one. */
  readonly pathsInWorkspace: readonly string[];
  /** Whether the text that is sent has keys or passwords, see `hasSecrets`. */
  readonly holdsSecrets: boolean;
  /** Whether the change adds characters that are not displayed. */
  readonly addsHidden: boolean;
}

/** The reasons to ask, in their order. Empty if access is allowed without asking. */
export function findAccessReasons(place: PathFacts, purpose: AccessPurpose): readonly AccessReason[] {
  const reasons = REASONS[purpose].filter((reason) => HOLDS[reason](place));
  return reasons.length > 0 && place.link !== undefined ? [...reasons, place.link] : reasons;
}

type AskedReason = Exclude<AccessReason, LinkReason>;

/**
 * The reasons that apply to each purpose. Reading can disclose text, so ignored and secret files are included. Writing
 * can change what runs, so protected files and hidden characters are included.
 */
const REASONS: Readonly<Record<AccessPurpose, readonly AskedReason[]>> = {
  read: ['outside', 'ignored', 'git-folder', 'secret', 'secret-content'],
  propose: ['outside', 'ignored', 'git-folder', 'secret'],
  write: ['outside', 'protected', 'hidden-name', 'hidden-characters'],
};

const HOLDS: Readonly<Record<AskedReason, (place: PathFacts) => boolean>> = {
  outside: ({ inside }) => !inside,
  ignored: ({ ignored }) => ignored,
  'git-folder': ({ paths }) => paths.some(isOfGit),
  secret: ({ isFolder, paths }) =>
    !isFolder && paths.some((path) => isSecretFile(path.replaceAll('\\', '/'))),
  'secret-content': ({ holdsSecrets }) => holdsSecrets,
  protected: ({ pathsInWorkspace }) => pathsInWorkspace.some(isProtected),
  'hidden-name': ({ paths, pathsInWorkspace }) =>
    pathsInWorkspace.some((path) => UNSEEN_SPACE.test(path)) ||
    paths.some((path) => findHidden(path, 'hidden').length > 0),
  'hidden-characters': ({ addsHidden }) => addsHidden,
};

/** In a text it is seen, by what is behind it. */
const UNSEEN_SPACE = /[\t\r\n]|\s(?:$|[\\/])/;

/** The git folder can contain URLs with keys. */
const isOfGit = (path: string): boolean =>
  toPlainPath(path)
    .split('/')
    .some((part, at) => at > 0 && (part === '.git' || isShortFor(part, '.git')));
