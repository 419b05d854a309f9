/**
 * Parses paths as a model writes them. Doesn't access the file system: dangerous paths are refused by their
 * text alone.
 */

export type ToolPath =
  /**
   * Relative to a workspace folder, with `/` as the separator. Can contain `..`. Empty for the folder itself.
   */
  | { readonly kind: 'relative'; readonly path: string }
  | { readonly kind: 'absolute'; readonly path: string }
  /** The scheme is one of a workspace folder, or `file:`. */
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'refused'; readonly why: RefusedPath };

export type RefusedPath =
  /** Each folder of the path would be looked up. */
  | 'too-long'
  | 'control-character'
  | 'other-scheme'
  /** Opening such a path can send the user's name and password hash to the computer that it names. */
  | 'network-path'
  | 'home'
  /** A drive on a system without drives, or the current folder of a drive. */
  | 'drive'
  /**
   * Names that some systems resolve to another file: with a dot or space at the end, a stream after a colon,
   * or a device.
   */
  | 'ambiguous-name';

export interface PathSurroundings {
  /** Schemes of the workspace folders, without the colon. */
  readonly schemes: readonly string[];
  readonly windows: boolean;
}

/** The names of devices of Windows, also with an ending. */
export const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\..*)?$/i;

const CONTROL = /\p{Cc}/u;

/** No system has longer paths. Each folder of a path is looked up, which would take long. */
export const isPathTooLong = (path: string): boolean => path.length > 4096;

export function parseToolPath(written: string, { schemes, windows }: PathSurroundings): ToolPath {
  if (isPathTooLong(written)) return refused('too-long');
  if (CONTROL.test(written)) return refused('control-character');
  const path = written.trim().replaceAll('\\', '/');
  if (path.startsWith('//')) return refused('network-path');
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(path)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme.length > 1) return toAddress(path, scheme, schemes, windows);
  if (/^[a-z]:/i.test(path)) return toDrivePath(path, windows);
  if (path === '~' || /^~[^/]*\//.test(path)) return refused('home');
  if (isAmbiguous(path)) return refused('ambiguous-name');
  if (path.startsWith('/')) return { kind: 'absolute', path };
  const relative = withoutLastSlashes(path.replace(/^(?:\.\/+)+/, ''));
  return { kind: 'relative', path: relative === '.' ? '' : relative };
}

/** Removes slashes at the end. A regular expression would start again at each slash. */
function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

const refused = (why: RefusedPath): ToolPath => ({ kind: 'refused', why });

function toAddress(path: string, scheme: string, schemes: readonly string[], windows: boolean): ToolPath {
  if (scheme !== 'file' && !schemes.includes(scheme)) return refused('other-scheme');
  const below = path.slice(scheme.length + 1);
  const rest = decoded(below)?.replaceAll('\\', '/');
  if (rest === undefined || /[?#]/.test(path)) return refused('ambiguous-name');
  if (CONTROL.test(rest)) return refused('control-character');
  if (scheme === 'file' && !isLocalAddress(path)) return refused('network-path');
  // With other schemes, the text after `//` names a computer, with an optional port.
  const names = rest.replace(scheme === 'file' ? /^\/+(?=[a-z]:\/)/i : /^\/\/[^/]*/, '');
  const checked = (parts: string): ToolPath =>
    isAmbiguous(parts) ? refused('ambiguous-name') : { kind: 'address', address: `${scheme}:${below}` };
  if (scheme === 'file' && /^[a-z]:/i.test(names))
    return windows ? checked(names.slice(2)) : refused('drive');
  return checked(names);
}

/** False for `file://server/share` and `file:////server/share`, percent-encoded or not, also with backslashes. */
export function isLocalAddress(address: string): boolean {
  const local = /^(?:\/\/)?\/(?!\/)/;
  const below = address.slice(address.indexOf(':') + 1);
  return [below, decoded(below)].every(
    (rest) => rest !== undefined && local.test(rest.replaceAll('\\', '/')),
  );
}

/** Undefined if the percent-encoding is invalid. Such a path is refused. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function toDrivePath(path: string, windows: boolean): ToolPath {
  if (!windows || path[2] !== '/') return refused('drive');
  return isAmbiguous(path.slice(2)) ? refused('ambiguous-name') : { kind: 'absolute', path };
}

function isAmbiguous(path: string): boolean {
  return path
    .split('/')
    .some((part) => part !== '.' && part !== '..' && (/[. ]$|:/.test(part) || DEVICE.test(part)));
}
