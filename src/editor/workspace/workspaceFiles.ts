/** Finds files of the workspace by a glob pattern, without ignored and excluded files. */
import * as vscode from 'vscode';
import { isLeftOut } from '../../access/accessReasons.ts';
import { decideAccessToAll, type FileAccess } from './fileAccess.ts';
import { createIgnoredFiles } from './ignoredFiles.ts';
import { findInFolders, searchExcludes } from './projectFiles.ts';
import type { OpenPlace } from './workspaceBoundary.ts';

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Whether there are more files than were returned. */
  readonly more: boolean;
}

export interface FoundFile extends OpenPlace {
  /** Whether the file may contain keys or passwords. Then it is listed, but not read. */
  readonly secret: boolean;
}

/** By this factor, more files are requested than needed, because some are ignored. */
const EXTRA_FACTOR = 4;

/** The number of files that are decided about at the same time. */
const AT_ONCE = 500;

/**
 * Finds files by a pattern. Searches follow links, which may lead out of the workspace or to ignored files, so each file is
 * checked by its resolved path. Files that may contain secrets are included.
 *
 * @param pattern a glob pattern, relative to a workspace folder
 */
export async function findInside(
  pattern: string,
  max: number,
  token: vscode.CancellationToken,
): Promise<FoundFiles> {
  const glob = pattern
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '');
  // Patterns match paths below a folder. A pattern with `..` would find nothing.
  if (glob === '' || glob.split('/').includes('..')) return { files: [], more: false };
  const found = await findMeant(glob, max * EXTRA_FACTOR, token);
  // Most files that are left out are ignored by their own path, so only the others need to be resolved.
  const ignored = await createIgnoredFiles().find(found);
  const kept = found
    .filter((_, at) => ignored[at] === undefined)
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const files: FoundFile[] = [];
  for (let at = 0; at < kept.length && files.length <= max; at += AT_ONCE) {
    const some = await decideAccessToAll(kept.slice(at, at + AT_ONCE), 'read', { isFile: true });
    files.push(...some.flatMap(toFound));
  }
  return { files: files.slice(0, max), more: files.length > max || found.length >= max * EXTRA_FACTOR };
}

/**
 * Finds files by a pattern. If there are none, the pattern is read as a path, in which brackets are part of names: of a
 * file, a folder, or a file in any folder.
 */
async function findMeant(
  glob: string,
  max: number,
  token: vscode.CancellationToken,
): Promise<readonly vscode.Uri[]> {
  const path = glob.replace(/\/$/, '').replace(/[[\]]/g, '?');
  const readings = [glob, path, `${path}/**`, ...(path.includes('/') ? [] : [`**/${path}`])];
  for (const reading of new Set(readings)) {
    const found = await findNamed(reading, max, token);
    if (found.length > 0) return found;
  }
  return [];
}

/** Finds files in all folders, and in the folder whose name the pattern begins with, as paths do if several folders are open. */
async function findNamed(
  glob: string,
  max: number,
  token: vscode.CancellationToken,
): Promise<readonly vscode.Uri[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const named = folders.filter(({ name }) => folders.length > 1 && glob.startsWith(`${name}/`));
  const found = await Promise.all([
    findInFolders(glob, max, token),
    ...named.map((folder) => {
      const pattern = new vscode.RelativePattern(folder, glob.slice(folder.name.length + 1));
      return vscode.workspace.findFiles(pattern, searchExcludes(folder.uri), max, token);
    }),
  ]);
  return [...new Map(found.flat().map((uri) => [uri.toString(), uri])).values()];
}

function toFound(access: FileAccess): readonly FoundFile[] {
  const reasons = access.kind === 'ask' ? access.reasons : [];
  if (reasons.includes('outside') || isLeftOut(reasons)) return [];
  return [{ ...access.place, secret: reasons.includes('secret') }];
}
