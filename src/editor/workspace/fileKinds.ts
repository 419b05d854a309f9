/** Whether a URI is a file or a folder, in any file system of the editor. Links are followed. */
import * as vscode from 'vscode';

/** Undefined when it doesn't exist or can't be accessed. */
export async function kindOf(uri: vscode.Uri): Promise<'file' | 'folder' | undefined> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => ((type & vscode.FileType.Directory) === 0 ? 'file' : 'folder'),
    () => undefined,
  );
}

export const exists = async (uri: vscode.Uri): Promise<boolean> => (await kindOf(uri)) !== undefined;
