/** Paths that the chat shows: finds out which of them exist in the workspace, and opens one. */
import * as vscode from 'vscode';
import { type PathPlace, parsePath } from '../../panel/pathText.ts';
import { showInformation, withoutLinks } from '../base/notifications.ts';
import { isInsideWorkspace } from './workspaceBoundary.ts';

const t = vscode.l10n.t;

/** The number of paths that are looked up at the same time. */
const AT_ONCE = 8;

interface FoundPath extends PathPlace {
  readonly uri: vscode.Uri;
  readonly isFolder: boolean;
}

/** The paths, as the model wrote them, that are files or folders inside the workspace. */
export async function filterExistingPaths(written: readonly string[]): Promise<readonly string[]> {
  const existing: string[] = [];
  for (let at = 0; at < written.length; at += AT_ONCE) {
    const some = written.slice(at, at + AT_ONCE);
    const found = await Promise.all(some.map(findPath));
    existing.push(...some.filter((_, index) => found[index] !== undefined));
  }
  return existing;
}

/**
 * Opens a file at its line, or shows a folder in the Explorer. The path is looked up again, because it can lead to
 * something else at any time. The file may be an ignored one, because the user asked for it.
 */
export async function openPath(written: string): Promise<void> {
  const found = await findPath(written);
  if (found === undefined) {
    void showInformation(t('{0} no longer exists in the workspace.', withoutLinks(written)));
    return;
  }
  const { uri, isFolder, line, column = 1 } = found;
  if (isFolder) return void (await vscode.commands.executeCommand('revealInExplorer', uri));
  const at = line === undefined ? undefined : new vscode.Position(line - 1, column - 1);
  const options = at === undefined ? {} : { selection: new vscode.Range(at, at) };
  await vscode.commands.executeCommand('vscode.open', uri, options);
}

/** The file or folder that a path leads to, by its resolved path inside the workspace. */
async function findPath(written: string): Promise<FoundPath | undefined> {
  const place = parsePath(written);
  if (place === undefined) return undefined;
  for (const uri of toCandidates(place.path)) {
    const kind = await kindInside(uri);
    if (kind !== undefined) return { ...place, uri, isFolder: kind === 'folder' };
  }
  return undefined;
}

/**
 * The URIs that a path can mean. It can begin with the name of a workspace folder, even if there is only one: the others
 * may have been removed since, or the model may have seen the path elsewhere.
 */
function toCandidates(path: string): readonly vscode.Uri[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const inNamed = folders
    .filter(({ name }) => path.startsWith(`${name}/`))
    .map(({ uri, name }) => vscode.Uri.joinPath(uri, path.slice(name.length + 1)));
  const inAny = folders.map(({ uri }) => vscode.Uri.joinPath(uri, path));
  return folders.length > 1 ? [...inNamed, ...inAny] : [...inAny, ...inNamed];
}

/** The kind of a URI that is inside the workspace by its resolved path; otherwise undefined. */
export async function kindInside(uri: vscode.Uri): Promise<'file' | 'folder' | undefined> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    if (!(await isInsideWorkspace(uri)).inside) return undefined;
    if ((type & vscode.FileType.File) !== 0) return 'file';
    return (type & vscode.FileType.Directory) === 0 ? undefined : 'folder';
  } catch {
    // It doesn't exist or can't be read.
    return undefined;
  }
}
