/** Files of the workspace by a pattern: those that really lie in it, and that neither git ignores nor settings hide. */
import * as vscode from 'vscode';
import { isInsideWorkspace } from './boundary.ts';
import { readIgnoredBy, searchExcludes } from './projectFiles.ts';

export interface FoundFiles {
  readonly uris: readonly vscode.Uri[];
  /** There are more than were looked at. */
  readonly more: boolean;
}

/** Ignored files count among those that are looked at, so more of them are asked for. */
const SPARE = 4;

/** Paths that are resolved at once. */
const AT_ONCE = 32;

/**
 * Searches follow links, which may lead out of the workspace: each file is held against the boundary.
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
  if (glob === '' || glob.split('/').includes('..')) return { uris: [], more: false };
  const [found, ignoredBy] = await Promise.all([
    vscode.workspace.findFiles(glob, searchExcludes(), most * SPARE, token),
    readIgnoredBy(),
  ]);
  const kept = found
    .filter(({ path }) => ignoredBy(path) === undefined)
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const uris: vscode.Uri[] = [];
  for (let at = 0; at < kept.length && uris.length <= most; at += AT_ONCE) {
    const some = kept.slice(at, at + AT_ONCE);
    const inside = await Promise.all(some.map(async (uri) => (await isInsideWorkspace(uri)).inside));
    uris.push(...some.filter((_, index) => inside[index]));
  }
  return { uris: uris.slice(0, most), more: uris.length > most || found.length >= most * SPARE };
}
