/** Paths that begin with the name of the only workspace folder, as they did when there were others, which were removed since. */
import * as vscode from 'vscode';
import { kindInside } from './shownPaths.ts';

/** What such a path leads to. Undefined if nothing is there, or if the folder has something of its own name itself. */
export async function findInOnlyFolder(path: string): Promise<vscode.Uri | undefined> {
  const [folder, ...others] = vscode.workspace.workspaceFolders ?? [];
  const [head = '', ...rest] = path.replaceAll('\\', '/').split('/');
  if (folder === undefined || others.length > 0 || head !== folder.name) return undefined;
  const [own, meant] = [[head], rest].map((names) => vscode.Uri.joinPath(folder.uri, ...names));
  if (own === undefined || meant === undefined || (await kindInside(own)) !== undefined) return undefined;
  return (await kindInside(meant)) === undefined ? undefined : meant;
}
