/** Decides whether a path is inside the workspace. Links, `..`, and the case of names are resolved first. */
import type { BigIntStats } from 'node:fs';
import { readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import * as vscode from 'vscode';
import type { AccessReason } from '../../access/accessReasons.ts';
import { fileOfRevision } from './gitUris.ts';
import { fileOf, isCell } from './textSources.ts';

export interface ResolvedPlace {
  readonly inside: boolean;
  /** The resolved path as it is shown: a path on this machine, or the URI of a virtual file. */
  readonly realPath: string;
}

/**
 * Whether a file or folder, which may not exist yet, is inside the workspace. Call it at the time of use, because a
 * link can be created at any time.
 */
export async function isInsideWorkspace(address: vscode.Uri): Promise<ResolvedPlace> {
  // A cell belongs to its notebook.
  const uri = isCell(address) ? fileOf(address) : address;
  // An untitled document exists only in this window.
  if (uri.scheme === 'untitled') return { inside: true, realPath: uri.path };
  if (uri.scheme !== 'file') return resolveVirtual(uri);
  // The editor resolves `..` in a path as it is written, even after a link. On the disk, `..` is the parent of the link's target.
  const opened = resolve(uri.fsPath);
  const realPath = await toRealPath(opened);
  const isOnDisk = opened === uri.fsPath || (await isInside(await toRealPath(uri.fsPath)));
  return { inside: isOnDisk && (await isInside(realPath)), realPath };
}

async function isInside(realPath: string): Promise<boolean> {
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    if (folder.uri.scheme !== 'file') continue;
    // A folder of the workspace that no longer exists contains nothing.
    const root = await realpath(folder.uri.fsPath).catch(() => undefined);
    if (root !== undefined && (await isWithin(realPath, root))) return true;
  }
  return false;
}

/** The maximum number of links to follow when the target doesn't exist, as on Linux. */
const MAX_LINKS = 40;

/**
 * The resolved path. For a path that doesn't exist, it is the resolved path of its nearest existing parent with the rest
 * appended. A link to a missing file is followed as well, because writing to it would create the file at its target.
 */
async function toRealPath(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    // Expected for a path that doesn't exist yet. `readlink` fails for anything that is not a link. A loop leads to no
    // file, and following it could take thousands of steps.
    const isLoop = error instanceof Error && 'code' in error && error.code === 'ELOOP';
    const target = isLoop || links >= MAX_LINKS ? undefined : await readlink(path).catch(() => undefined);
    if (target !== undefined) return toRealPath(resolve(await toRealPath(dirname(path)), target), links + 1);
    const parent = dirname(path);
    return parent === path ? path : join(await toRealPath(parent, links), basename(path));
  }
}

/**
 * Whether a path is a folder or below it. On a case-insensitive disk, a path can be written in another case than its
 * folder. So paths that differ only in case are compared by the identity of the folder on the disk.
 */
async function isWithin(path: string, root: string): Promise<boolean> {
  const end = root.endsWith(sep) ? root.length - 1 : root.length;
  const start = path.slice(0, end);
  if (path.length > end && path[end] !== sep) return false;
  if (start === root.slice(0, end)) return true;
  if (start.toLowerCase() !== root.slice(0, end).toLowerCase()) return false;
  const [one, other] = await Promise.all([identityOf(start), identityOf(root)]);
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}

async function identityOf(path: string): Promise<BigIntStats | undefined> {
  // Without an identity, the paths count as different, which is the safe result.
  return stat(path, { bigint: true }).catch(() => undefined);
}

/**
 * A place in another file system, such as that of a remote machine. The target of a link can't be read there, so a file behind a link is
 * outside, and its resolved path has `→ …` behind the last link. `..` is normally removed when a URI is created.
 */
async function resolveVirtual(uri: vscode.Uri): Promise<ResolvedPlace> {
  const realPath = uri.toString(true);
  const roots = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri);
  const own = uri.path.split(/[\\/]/).includes('..') ? [] : roots.filter((root) => isBelow(uri, root));
  if (own.length === 0) return { inside: false, realPath };
  const links = await Promise.all(own.map((root) => lastLink(uri, root)));
  const [first] = links;
  if (first === undefined || links.includes(undefined)) return { inside: true, realPath };
  const link = first.toString(true);
  return { inside: false, realPath: `${link} → …${realPath.slice(link.length)}` };
}

function isBelow(uri: vscode.Uri, root: vscode.Uri): boolean {
  const start = root.path.endsWith('/') ? root.path : `${root.path}/`;
  const here = root.scheme === uri.scheme && root.authority === uri.authority;
  return here && (uri.path === root.path || uri.path.startsWith(start));
}

/** The last link on the way from a folder of the workspace to a place. The folder itself may be opened through a link. */
async function lastLink(uri: vscode.Uri, root: vscode.Uri): Promise<vscode.Uri | undefined> {
  const names = uri.path
    .slice(root.path.length)
    .split('/')
    .filter((name) => name !== '');
  const places = names.map((_, at) => vscode.Uri.joinPath(root, ...names.slice(0, at + 1)));
  const links = await Promise.all(places.map(isLink));
  return places[links.lastIndexOf(true)];
}

/** A search asks about the folders of many files at once. A later check looks again, because a link can be created meanwhile. */
const looking = new Map<string, Promise<boolean>>();

/** Whether a place in another file system is a link. */
export function isLink(uri: vscode.Uri): Promise<boolean> {
  const key = uri.toString();
  const known = looking.get(key);
  if (known !== undefined) return known;
  const found = look(uri);
  looking.set(key, found);
  queueMicrotask(() => looking.delete(key));
  return found;
}

const look = async (uri: vscode.Uri): Promise<boolean> =>
  vscode.workspace.fs.stat(uri).then(
    ({ type }) => (type & vscode.FileType.SymbolicLink) !== 0,
    // It doesn't exist yet.
    () => false,
  );

export interface OpenPlace {
  readonly uri: vscode.Uri;
  /** The resolved path at the time of the approval. */
  readonly realPath: string;
  /** The reasons for which the user was asked before they allowed it. */
  readonly asked?: readonly AccessReason[];
}

/**
 * Whether the path still resolves to the same file as when it was allowed. Call it after reading, because a link can be
 * created at any time.
 */
export async function isStillThere({ uri, realPath }: OpenPlace): Promise<boolean> {
  return (await isInsideWorkspace(fileOfRevision(uri))).realPath === realPath;
}
