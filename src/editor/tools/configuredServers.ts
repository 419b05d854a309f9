/** What a workspace says about MCP servers. */

import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';

/** Files of a folder that configure MCP servers. */
const SERVER_FILES = ['.vscode/mcp.json', '.mcp.json', '.cursor/mcp.json'];
/** Files of a folder of which a container is made, with servers of its own. */
const CONTAINER_FILES = ['.devcontainer/devcontainer.json', '.devcontainer.json'];
/** Has a folder for each container if there are several. */
const CONTAINERS = ['.devcontainer'];
/** A setting of one of these, or of a workspace file, which have others, too. A comment can be behind its name, and letters be written as escapes. */
const NAMES_SERVERS = /"[^"\n]{0,80}mcp[^"\n]{0,80}"\s*[:/]|\\u/;
/** More containers than anybody has aren't read, but taken for others each time. */
const MAX_CONTAINERS = 100;
/** Of files that are read to be compared. */
const MAX_BYTES = 1024 * 1024;

/**
 * What the workspace says about its MCP servers. One of them can have the name and the tools of a server of the user, and the editor
 * doesn't tell which of the two a tool belongs to.
 */
export async function configuredServers(): Promise<readonly string[]> {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const toPaths = (names: readonly string[]) =>
    workspaceFolders.flatMap(({ uri }) =>
      uri.scheme === 'file' ? names.map((name) => join(uri.fsPath, name)) : [],
    );
  const ofWindow = workspaceFile?.scheme === 'file' ? [workspaceFile.fsPath] : [];
  const isLocal = vscode.env.remoteName === undefined;
  const several = await Promise.all(isLocal ? [] : toPaths(CONTAINERS).map(containersIn));
  const ofContainer = isLocal ? [] : [...toPaths(CONTAINER_FILES), ...several.flat()];
  const isTooMany = ofContainer.length > MAX_CONTAINERS;
  const compared = isTooMany ? [] : ofContainer;
  const others = await Promise.all([...ofWindow, ...compared].map(textOf));
  const inFolders = await Promise.all(toPaths(SERVER_FILES).map(textOf));
  const named = others.flat().filter((text) => NAMES_SERVERS.test(text));
  return [...named, ...inFolders.flat(), ...(isTooMany ? [randomUUID()] : [])];
}

/** The files of the containers that have a folder of their own. Which of them the window is in isn't known. */
async function containersIn(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder);
    return names.toSorted().map((name) => join(folder, name, 'devcontainer.json'));
  } catch {
    return [];
  }
}

/** Only of a file: a pipe would never end. Of a large one, what tells it from others. */
async function textOf(path: string): Promise<readonly string[]> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return [];
    return [found.size > MAX_BYTES ? `"mcp": ${found.size} ${found.mtimeMs}` : await readFile(path, 'utf8')];
  } catch {
    return [];
  }
}
