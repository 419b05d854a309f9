/** Paths that begin with the name of the only workspace folder, as they did when there were others, which were removed since. */
import * as vscode from 'vscode';
import { exists } from './fileKinds.ts';
import { findMissingCell } from './notebookTexts.ts';
import { isInsideWorkspace } from './workspaceBoundary.ts';

/**
 * What such a path leads to. Undefined if nothing is there, or if the folder has something of its own name itself. What is outside
 * the workspace, such as behind a link, isn't looked for.
 */
export async function findInOnlyFolder(path: string): Promise<vscode.Uri | undefined> {
  const [folder, ...others] = vscode.workspace.workspaceFolders ?? [];
  const [head = '', ...rest] = path.replaceAll('\\', '/').split('/');
  if (folder === undefined || others.length > 0 || head !== folder.name) return undefined;
  const [own, meant] = [vscode.Uri.joinPath(folder.uri, head), vscode.Uri.joinPath(folder.uri, ...rest)];
  if (!(await isInsideWorkspace(own)).inside || (await exists(own))) return undefined;
  if (!(await isInsideWorkspace(meant)).inside) return undefined;
  // The place of a cell is that of its notebook and a number, at which there is no file.
  const isInNotebook = findMissingCell(meant)?.count !== undefined;
  return isInNotebook || (await exists(meant)) ? meant : undefined;
}
