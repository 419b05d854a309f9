/** The parts of a workspace's configuration that define MCP servers. */

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';

/** Files in a workspace folder that configure MCP servers. */
const SERVER_FILES = ['.vscode/mcp.json', '.mcp.json', '.cursor/mcp.json'];
/** Files in a workspace folder that define a container, which can have its own servers. */
const CONTAINER_FILES = ['.devcontainer/devcontainer.json', '.devcontainer.json'];
/** A folder that contains a folder for each container, if there are several. */
const CONTAINERS = ['.devcontainer'];
/**
 * Matches a setting about servers in one of these files or in a workspace file, which also have other settings. A comment
 * can follow the name of a setting, and its letters can be written as escapes.
 */
const NAMES_SERVERS = /"[^"\n]{0,80}mcp[^"\n]{0,80}"\s*[:/]|\\u/;
/** More containers than anybody has. If there are more, they aren't read, and count as changed each time. */
const MAX_CONTAINERS = 100;
/** The maximum size of files that are compared by their text, in bytes. */
const MAX_BYTES = 1024 * 1024;

/**
 * The texts that define the MCP servers of the workspace, to detect changes. The workspace can be on a remote machine while
 * this code runs on the machine of the user. A server of the workspace can have the name and the tools of a server of the
 * user, and the editor doesn't tell to which of them a tool belongs.
 */
export async function configuredServers(): Promise<readonly string[]> {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const toPlaces = (names: readonly string[]) =>
    workspaceFolders.flatMap(({ uri }) => names.map((name) => vscode.Uri.joinPath(uri, name)));
  const isLocal = vscode.env.remoteName === undefined;
  const several = await Promise.all(isLocal ? [] : toPlaces(CONTAINERS).map(containersIn));
  const ofContainer = isLocal ? [] : [...toPlaces(CONTAINER_FILES), ...several.flat()];
  const isTooMany = ofContainer.length > MAX_CONTAINERS;
  const compared = isTooMany ? [] : ofContainer;
  const others = await Promise.all([...(workspaceFile ? [workspaceFile] : []), ...compared].map(textOf));
  const inFolders = await Promise.all(toPlaces(SERVER_FILES).map(textOf));
  const named = others.flat().filter((text) => NAMES_SERVERS.test(text));
  return [...named, ...inFolders.flat(), ...(isTooMany ? [randomUUID()] : [])];
}

/** The files of the containers that have their own folder. It isn't known which container the window is in. */
async function containersIn(folder: vscode.Uri): Promise<readonly vscode.Uri[]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(folder);
    return entries
      .map(([name]) => name)
      .sort()
      .map((name) => vscode.Uri.joinPath(folder, name, 'devcontainer.json'));
  } catch {
    return [];
  }
}

/**
 * The text of a file; for a large one, its size and time, by which a change is detected. Empty for anything else, because
 * reading a pipe would never end.
 */
async function textOf(uri: vscode.Uri): Promise<readonly string[]> {
  const { fs } = vscode.workspace;
  try {
    const { type, size, mtime } = await fs.stat(uri);
    if ((type & vscode.FileType.File) === 0) return [];
    return [size > MAX_BYTES ? `"mcp": ${size} ${mtime}` : String(Buffer.from(await fs.readFile(uri)))];
  } catch {
    return [];
  }
}
