/** Files of the workspace by a pattern: those that really lie in it, and that neither git ignores nor settings hide. */
import * as vscode from 'vscode';
import type { OpenPlace } from './boundary.ts';
import { decideAccess, type FileAccess } from './fileAccess.ts';
import { readIgnoredFiles } from './ignoredFiles.ts';
import { searchExcludes } from './projectFiles.ts';

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** There are more than were looked at. */
  readonly more: boolean;
}

export interface FoundFile extends OpenPlace {
  /** It may hold keys or passwords: it is named, and not read. */
  readonly secret: boolean;
}

/** Ignored files count among those that are looked at, so more of them are asked for. */
const SPARE = 4;

/** Paths that are resolved at once. */
const AT_ONCE = 32;

/**
 * Searches follow links, which may lead out of the workspace or to what git ignores: each file is judged by where it
 * really is. Names of files that may hold secrets are among them.
 *
 * @param pattern a glob, relative to a folder of the workspace
 */
export async function findInside(
  pattern: string,
  most: number,
  token: vscode.CancellationToken,
): Promise<FoundFiles> {
  const glob = pattern
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '');
  // A pattern is matched against what is found below a folder; one that leads up finds nothing, and is not tried.
  if (glob === '' || glob.split('/').includes('..')) return { files: [], more: false };
  const [found, ignored] = await Promise.all([
    vscode.workspace.findFiles(glob, searchExcludes(), most * SPARE, token),
    readIgnoredFiles(),
  ]);
  const kept = found
    .filter(({ path }) => ignored.ignoredBy(path) === undefined)
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const files: FoundFile[] = [];
  for (let at = 0; at < kept.length && files.length <= most; at += AT_ONCE) {
    const some = await Promise.all(
      kept.slice(at, at + AT_ONCE).map((uri) => decideAccess(uri, 'read', { ignored, isFile: true })),
    );
    files.push(...some.flatMap(toFound));
  }
  return { files: files.slice(0, most), more: files.length > most || found.length >= most * SPARE };
}

function toFound(access: FileAccess): readonly FoundFile[] {
  const reasons = access.kind === 'ask' ? access.reasons : [];
  if (reasons.includes('outside') || reasons.includes('ignored')) return [];
  return [{ ...access.place, secret: reasons.includes('secret') }];
}
