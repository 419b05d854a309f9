/**
 * Files of the workspace that no model gets unless the reader says so: those that git ignores or keeps for itself, and
 * those that may hold secrets. A file is judged by its own name and by the one that it leads to.
 */
import * as vscode from 'vscode';
import { isSecretFile } from '../../review/secretFiles.ts';
import { isInsideWorkspace } from './boundary.ts';
import type { IgnoredBy } from './ignoreRules.ts';
import { readIgnoredBy } from './projectFiles.ts';

/** The rules as they were when they were read: to be read for each search, and not for each file of one. */
export interface HiddenFiles {
  readonly ignoredBy: IgnoredBy;
  /** Why a file is hidden; undefined when it is not. `ignored` goes before `secret`. */
  why(file: vscode.Uri, realPath: string): 'ignored' | 'secret' | undefined;
  /** Whether something is hidden that may be a file, a folder, or not there yet. */
  hides(uri: vscode.Uri, realPath: string): boolean;
}

export async function readHiddenFiles(): Promise<HiddenFiles> {
  const ignoredBy = await readIgnoredBy();
  const why: HiddenFiles['why'] = (file, realPath) => {
    const paths = pathsOf(file, realPath);
    if (paths.some((path) => isOfGit(path) || ignoredBy(path) !== undefined)) return 'ignored';
    return paths.some(isSecretFile) ? 'secret' : undefined;
  };
  return {
    ignoredBy,
    why,
    hides: (uri, realPath) =>
      why(uri, realPath) !== undefined ||
      pathsOf(uri, realPath).some((path) => ignoredBy(`${path}/`) !== undefined),
  };
}

/** What git keeps for itself holds addresses with keys in them. */
const isOfGit = (path: string): boolean => /\/\.git(?:\/|$)/i.test(path);

const pathsOf = (uri: vscode.Uri, realPath: string): readonly string[] =>
  uri.scheme === 'file' ? [uri.path, vscode.Uri.file(realPath).path] : [uri.path];

/** What is about files that really lie in the workspace and are not hidden: libraries and links elsewhere are left out. */
export async function keepShown<T>(all: readonly T[], uriOf: (one: T) => vscode.Uri): Promise<readonly T[]> {
  const hidden = await readHiddenFiles();
  const shown = new Map<string, Promise<boolean>>();
  const isShown = async (uri: vscode.Uri) => {
    const { inside, realPath } = await isInsideWorkspace(uri);
    return inside && !hidden.hides(uri, realPath);
  };
  const kept: T[] = [];
  for (const one of all) {
    const uri = uriOf(one);
    const known = shown.get(uri.toString()) ?? isShown(uri);
    shown.set(uri.toString(), known);
    if (await known) kept.push(one);
  }
  return kept;
}
