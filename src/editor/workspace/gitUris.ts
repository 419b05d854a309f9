/** The URIs of the scheme `git`, with which the editor's Git extension shows revisions of files. */
import * as vscode from 'vscode';

/** The file of which the Git extension shows a revision; other URIs are returned unchanged. */
export function fileOfRevision(uri: vscode.Uri): vscode.Uri {
  if (uri.scheme !== 'git') return uri;
  // Not the path of the URI, which can have another file name extension to set the language of the document.
  const path = pathIn(uri.query);
  return path === undefined ? uri.with({ scheme: 'file', query: '', fragment: '' }) : vscode.Uri.file(path);
}

function pathIn(query: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(query);
    const isNamed = typeof parsed === 'object' && parsed !== null && 'path' in parsed;
    return isNamed && typeof parsed.path === 'string' ? parsed.path : undefined;
  } catch {
    // Another extension uses the scheme. Only the path of the URI is known.
    return undefined;
  }
}
