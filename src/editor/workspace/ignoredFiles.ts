/** Which files git ignores, by the requested path and by the resolved one. */
import * as vscode from 'vscode';
import type { IgnoreMatcher } from './ignoreRules.ts';
import { readIgnoreMatcher } from './projectFiles.ts';

/** The rules as they were when they were read: to be read for each search, and not for each file of one. */
export interface IgnoredFiles {
  readonly ignoredBy: IgnoreMatcher;
  /** @param isFile it is known to be a file; otherwise it may be a folder, or not there yet */
  ignores(uri: vscode.Uri, realPath: string, isFile: boolean): boolean;
}

export async function readIgnoredFiles(): Promise<IgnoredFiles> {
  const ignoredBy = await readIgnoreMatcher();
  return {
    ignoredBy,
    ignores: (uri, realPath, isFile) =>
      pathsOf(uri, realPath).some(
        (path) => ignoredBy(path) !== undefined || (!isFile && ignoredBy(`${path}/`) !== undefined),
      ),
  };
}

const pathsOf = (uri: vscode.Uri, realPath: string): readonly string[] =>
  uri.scheme === 'file' ? [uri.path, vscode.Uri.file(realPath).path] : [uri.path];
