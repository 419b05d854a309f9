/** Paths as a model writes them. Nothing is looked up here: what must not even be touched is refused by its letters. */

export type ToolPath =
  /** Below a folder of the workspace, with `/` between its parts; `..` is still in it. Empty is the folder itself. */
  | { readonly kind: 'relative'; readonly path: string }
  | { readonly kind: 'absolute'; readonly path: string }
  /** Of a scheme that a folder of the workspace has, or `file:`. */
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'refused'; readonly why: RefusedPath };

export type RefusedPath =
  | 'control-character'
  | 'other-scheme'
  /** Asking a system for such a path sends this user's name and a proof of the password to the machine it names. */
  | 'network-path'
  | 'home'
  /** A drive that this system does not have, or the current folder of one. */
  | 'drive'
  /** Names that some systems take for another file: a dot or a space at their end, a stream after a colon, a device. */
  | 'ambiguous-name';

export interface PathSurroundings {
  /** Schemes of the workspace's folders, without the colon. */
  readonly schemes: readonly string[];
  readonly windows: boolean;
}

const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\..*)?$/i;

const CONTROL = /\p{Cc}/u;

export function parseToolPath(written: string, { schemes, windows }: PathSurroundings): ToolPath {
  if (CONTROL.test(written)) return refused('control-character');
  const path = written.trim().replaceAll('\\', '/');
  if (path.startsWith('//')) return refused('network-path');
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(path)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme.length > 1) return toAddress(path, scheme, schemes, windows);
  if (/^[a-z]:/i.test(path)) return toDrivePath(path, windows);
  if (path === '~' || /^~[^/]*\//.test(path)) return refused('home');
  if (isAmbiguous(path)) return refused('ambiguous-name');
  if (path.startsWith('/')) return { kind: 'absolute', path };
  const relative = path.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '');
  return { kind: 'relative', path: relative === '.' ? '' : relative };
}

const refused = (why: RefusedPath): ToolPath => ({ kind: 'refused', why });

function toAddress(path: string, scheme: string, schemes: readonly string[], windows: boolean): ToolPath {
  if (scheme !== 'file' && !schemes.includes(scheme)) return refused('other-scheme');
  const below = path.slice(scheme.length + 1);
  const rest = decoded(below)?.replaceAll('\\', '/');
  if (rest === undefined || /[?#]/.test(path)) return refused('ambiguous-name');
  if (CONTROL.test(rest)) return refused('control-character');
  // `file://server/share` is a path of the network as well, and `file:////server/share`, in percent or not.
  const local = /^(?:\/\/)?\/(?!\/)/;
  if (scheme === 'file' && !(local.test(below) && local.test(rest))) return refused('network-path');
  // For others, what stands between the slashes at the beginning names a machine, which may have a port.
  const names = rest.replace(scheme === 'file' ? /^\/+(?=[a-z]:\/)/i : /^\/\/[^/]*/, '');
  const checked = (parts: string): ToolPath =>
    isAmbiguous(parts) ? refused('ambiguous-name') : { kind: 'address', address: `${scheme}:${below}` };
  if (scheme === 'file' && /^[a-z]:/i.test(names))
    return windows ? checked(names.slice(2)) : refused('drive');
  return checked(names);
}

/** Undefined when it is not encoded as addresses are; such a path is refused. */
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
