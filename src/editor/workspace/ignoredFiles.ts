/** Whether Git ignores a file, by its requested path or by its resolved path. */
import * as vscode from 'vscode';
import type { IgnoreMatcher } from './ignoreRules.ts';
import { readIgnoreMatcher } from './projectFiles.ts';

/** The ignore rules at the time of reading. Read them once per search, not for each file. */
export interface IgnoredFiles {
  readonly ignoredBy: IgnoreMatcher;
  /** @param isFile it is known to be a file; otherwise it may be a folder or not exist yet */
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
