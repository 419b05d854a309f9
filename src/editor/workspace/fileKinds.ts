/** What a path is on the disk, or in another file system of the editor. Links are followed. */
import * as vscode from 'vscode';

/** Undefined when nothing is there, or nothing that may be looked at. */
export async function kindOf(uri: vscode.Uri): Promise<'file' | 'folder' | undefined> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => ((type & vscode.FileType.Directory) === 0 ? 'file' : 'folder'),
    () => undefined,
  );
}

export const exists = async (uri: vscode.Uri): Promise<boolean> => (await kindOf(uri)) !== undefined;
