/** Paths that begin with the name of the only workspace folder. They come from a time when the workspace had several folders. */
import * as vscode from 'vscode';
import { exists } from './fileKinds.ts';
import { findMissingCell } from './notebookTexts.ts';
import { isInsideWorkspace } from './workspaceBoundary.ts';

/**
 * The file or folder at such a path. Undefined if nothing is there, or if the folder itself contains something with its own
 * name. Places outside the workspace, such as behind a link, are not searched.
 */
export async function findInOnlyFolder(path: string): Promise<vscode.Uri | undefined> {
  const [folder, ...others] = vscode.workspace.workspaceFolders ?? [];
  const [head = '', ...rest] = path.replaceAll('\\', '/').split('/');
  if (folder === undefined || others.length > 0 || head !== folder.name) return undefined;
  const [own, meant] = [vscode.Uri.joinPath(folder.uri, head), vscode.Uri.joinPath(folder.uri, ...rest)];
  if (!(await isInsideWorkspace(own)).inside || (await exists(own))) return undefined;
  if (!(await isInsideWorkspace(meant)).inside) return undefined;
  // The URI of a cell is that of its notebook with a number. There is no file at that URI.
  const isInNotebook = findMissingCell(meant)?.count !== undefined;
  return isInNotebook || (await exists(meant)) ? meant : undefined;
}
