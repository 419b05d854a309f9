/** The files of which the editor's Git extension shows revisions, in documents with the scheme `git`. */
import type * as vscode from 'vscode';
import { fileOfRevision } from './gitUris.ts';
import { isInsideWorkspace } from './workspaceBoundary.ts';

/**
 * All names of the file of a document, including that of the target of a link. Each of them can be the name of a file with
 * secrets.
 */
export async function allNamesOf(uri: vscode.Uri): Promise<readonly string[]> {
  const file = fileOfRevision(uri);
  const { realPath } = await isInsideWorkspace(file);
  return [uri.path, file.path, realPath.replaceAll('\\', '/')];
}

/** The commit that a document of the Git extension shows; undefined for the index, and for files. */
export function commitOfDocument({ scheme, query }: vscode.Uri): string | undefined {
  if (scheme !== 'git') return undefined;
  return /"ref":"([\da-f]{7,64})"/.exec(query)?.[1];
}
