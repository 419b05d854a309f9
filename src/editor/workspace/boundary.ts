/** What is inside the workspace, by where things really are: links, `..` and the case of names lead nowhere else. */
import type { BigIntStats } from 'node:fs';
import { readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import * as vscode from 'vscode';
import { notebookOf } from './textSources.ts';

export interface ResolvedPlace {
  readonly inside: boolean;
  /** Where it really is, for people to read: a path of this machine, or an address of another kind of file. */
  readonly realPath: string;
}

/**
 * Whether a file or folder, which need not exist yet, lies in a folder of the workspace. To be asked at the time of use:
 * a link can be put there at any time.
 */
export async function isInsideWorkspace(address: vscode.Uri): Promise<ResolvedPlace> {
  // A cell is where its notebook is.
  const uri = address.scheme === CELL ? (notebookOf(address)?.uri ?? address) : address;
  // A document that was never saved is nowhere else than in this window.
  if (uri.scheme === 'untitled') return { inside: true, realPath: uri.path };
  if (uri.scheme !== 'file') return { inside: isInsideVirtual(uri), realPath: uri.toString(true) };
  const realPath = await toRealPath(uri.fsPath);
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    if (folder.uri.scheme !== 'file') continue;
    // A folder of the workspace that no longer exists contains nothing.
    const root = await realpath(folder.uri.fsPath).catch(() => undefined);
    if (root !== undefined && (await isWithin(realPath, root))) return { inside: true, realPath };
  }
  return { inside: false, realPath };
}

const CELL = 'vscode-notebook-cell';

/** Links that are followed to something that is not there; systems give up at as many. */
const MOST_LINKS = 40;

/**
 * The real path of something, or of the nearest parent that exists with the rest after it. A link to what is not there
 * yet is followed as well: writing to it would make a file where it points.
 */
async function toRealPath(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    // Expected for a path that doesn't exist yet. `readlink` fails for what is not a link.
    const target = links < MOST_LINKS ? await readlink(path).catch(() => undefined) : undefined;
    if (target !== undefined) return toRealPath(resolve(await toRealPath(dirname(path)), target), links + 1);
    const parent = dirname(path);
    return parent === path ? path : join(await toRealPath(parent, links), basename(path));
  }
}

/**
 * On a disk that takes `SRC` for `src`, a path may be written otherwise than its folder. Only the disk knows: the same
 * letters in another case are the folder when they lead to the same one.
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
  // Without an identity the paths count as different, which is the safe answer.
  return stat(path, { bigint: true }).catch(() => undefined);
}

/** Folders of other kinds have no links that we could follow; `..` is taken out of an address when it is made. */
function isInsideVirtual(uri: vscode.Uri): boolean {
  if (uri.path.split('/').includes('..')) return false;
  return (vscode.workspace.workspaceFolders ?? []).some(({ uri: root }) => {
    const start = root.path.endsWith('/') ? root.path : `${root.path}/`;
    const here = root.scheme === uri.scheme && root.authority === uri.authority;
    return here && (uri.path === root.path || uri.path.startsWith(start));
  });
}

export interface OpenPlace {
  readonly uri: vscode.Uri;
  /** Where it really was when it was allowed. */
  readonly realPath: string;
}

/**
 * Whether a place is still where it was when it was allowed: to be asked after reading, because a link can be put there
 * at any time.
 */
export async function isStillThere({ uri, realPath }: OpenPlace): Promise<boolean> {
  return (await isInsideWorkspace(uri)).realPath === realPath;
}
