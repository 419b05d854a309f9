/** The URIs of the scheme `git`, with which the editor's Git extension shows revisions of files. */
import * as vscode from 'vscode';

/** The file of which the Git extension shows a revision; other URIs as they are. */
export function fileOfRevision(uri: vscode.Uri): vscode.Uri {
  if (uri.scheme !== 'git') return uri;
  // The path of the URI can have another ending, which decides the language of the document.
  const path = pathIn(uri.query);
  return path === undefined ? uri.with({ scheme: 'file', query: '', fragment: '' }) : vscode.Uri.file(path);
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
