/** The files of which the editor's Git extension shows revisions, in documents with the scheme `git`. */
import * as vscode from 'vscode';
import { isInsideWorkspace } from './workspaceBoundary.ts';

/** The file of which the Git extension shows a revision; other URIs as they are. */
export function fileOf(uri: vscode.Uri): vscode.Uri {
  if (uri.scheme !== 'git') return uri;
  // The path of the URI can have another ending, which decides the language of the document.
  const path = pathIn(uri.query);
  return path === undefined ? uri.with({ scheme: 'file', query: '', fragment: '' }) : vscode.Uri.file(path);
}

/** All names of the file of a document, also that of what a link leads to. By each of them it can be one for secrets. */
export async function namesOf(uri: vscode.Uri): Promise<readonly string[]> {
  const file = fileOf(uri);
  const { realPath } = await isInsideWorkspace(file);
  return [uri.path, file.path, realPath.replaceAll('\\', '/')];
}

/** The commit of a document of the Git extension; undefined for the index, and for files. */
export function commitOf({ scheme, query }: vscode.Uri): string | undefined {
  if (scheme !== 'git') return undefined;
  return /"ref":"([\da-f]{7,64})"/.exec(query)?.[1];
}

function pathIn(query: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(query);
    const isNamed = typeof parsed === 'object' && parsed !== null && 'path' in parsed;
    return isNamed && typeof parsed.path === 'string' ? parsed.path : undefined;
  } catch {
    // Another extension uses the scheme. Its path is all that is known.
    return undefined;
  }
}
