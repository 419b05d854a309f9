/** Files at absolute paths, as the model writes them. */
import * as vscode from 'vscode';

/**
 * The file at an absolute path. In a remote window in which K3 Chat runs on the user's machine, it is on the remote machine, as the
 * workspace is: a `file` URI would be another file.
 */
export function atAbsolutePath(path: string): vscode.Uri {
  const file = vscode.Uri.file(path);
  const remote = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'vscode-remote');
  return remote === undefined ? file : remote.uri.with({ path: file.path });
}
