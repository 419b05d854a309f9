/**
 * The one policy for access to files: what the user is asked about before a text is sent to the service, or before a
 * change is written. The paths and facts of a place go in, the reasons to ask come out.
 */
import { findHidden } from './hiddenCharacters.ts';
import { isProtected } from './protectedPaths.ts';
import { isSecretFile } from './secretFiles.ts';

/**
 * `read`: the text is sent to the service. `propose`: a change is proposed, for which the text is read. `write`: a
 * change is written.
 */
export type AccessWish = 'read' | 'propose' | 'write';

/**
 * `outside`: not in the workspace. `ignored`: git ignores it or keeps it for itself. `secret`: its name says that it
 * may hold keys or passwords. `protected`: it decides what tools and the editor may do. `hidden-name`: its path has
 * characters that are not shown. `hidden-characters`: the change adds such characters. `through-link`: the requested
 * path and the resolved path differ because of a link; it explains another reason, and is none by itself.
 */
export type AccessReason = (typeof ACCESS_REASONS)[number];

/** In the order in which they are told. */
export const ACCESS_REASONS = [
  'outside',
  'ignored',
  'secret',
  'protected',
  'hidden-name',
  'hidden-characters',
  'through-link',
] as const;

/** A place as it was found. Paths may have either kind of slash. */
export interface PlaceFacts {
  /** Whether the resolved path is in the workspace. */
  readonly inside: boolean;
  /** Whether the resolved path differs from the requested one by a link. */
  readonly throughLink: boolean;
  /** Whether the ignore files of the workspace leave out one of the paths. */
  readonly ignored: boolean;
  /** The requested path and the resolved path, absolute. */
  readonly paths: readonly string[];
  /** The same from the folder of the workspace on, with its own name; whole where a path is in none. */
  readonly pathsInWorkspace: readonly string[];
  /** Whether the change adds characters that are not shown. */
  readonly addsHidden: boolean;
}

/** The reasons to ask, in their order. None: it is allowed without asking. */
export function findAccessReasons(place: PlaceFacts, wish: AccessWish): readonly AccessReason[] {
  const reasons = REASONS[wish].filter((reason) => HOLDS[reason](place));
  return reasons.length > 0 && place.throughLink ? [...reasons, 'through-link'] : reasons;
}

type AskedReason = Exclude<AccessReason, 'through-link'>;

/**
 * What is asked about for each wish. Reading is about what is told, so the text of ignored and secret files is asked
 * about; writing is about what a change can do, so protected files and hidden characters are.
 */
const REASONS: Readonly<Record<AccessWish, readonly AskedReason[]>> = {
  read: ['outside', 'ignored', 'secret'],
  propose: ['outside', 'ignored', 'secret'],
  write: ['outside', 'protected', 'hidden-name', 'hidden-characters'],
};

const HOLDS: Readonly<Record<AskedReason, (place: PlaceFacts) => boolean>> = {
  outside: ({ inside }) => !inside,
  ignored: ({ ignored, paths }) => ignored || paths.some(isOfGit),
  secret: ({ paths }) => paths.some((path) => isSecretFile(path.replaceAll('\\', '/'))),
  protected: ({ pathsInWorkspace }) => pathsInWorkspace.some(isProtected),
  'hidden-name': ({ paths }) => paths.some((path) => findHidden(path).length > 0),
  'hidden-characters': ({ addsHidden }) => addsHidden,
};

/** What git keeps for itself may hold addresses with keys in them. */
const isOfGit = (path: string): boolean => /[\\/]\.git(?:[\\/]|$)/i.test(path);
