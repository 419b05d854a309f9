/** Which files Git ignores, in any file system of the editor. */

import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { groupBy } from '../../text/groupBy.ts';
import { findGit } from './git.ts';
import { checkIgnored } from './gitIgnoreCheck.ts';
import { createIgnoreFinder, type IgnoreFinder } from './ignoreFinder.ts';
import type { RuleDisk, RuleText, UserFolders } from './ignoreSources.ts';

/** The ignore rules at the time of reading. Use an instance for one search or question only. */
export interface IgnoredFiles {
  /**
   * For each URI, the path that is ignored: its own, or that of the ignored folder that contains it, with `/` at its end.
   * Undefined if it isn't ignored. A URI whose path ends in `/` is a folder.
   */
  find(uris: readonly vscode.Uri[]): Promise<readonly (string | undefined)[]>;
}

/** The maximum size of a file with rules, in bytes. Nobody writes larger ones. */
const MAX_RULE_BYTES = 1024 * 1024;

export function createIgnoredFiles(): IgnoredFiles {
  const finders = new Map<string, Promise<IgnoreFinder>>();

  function finderFor(uri: vscode.Uri): Promise<IgnoreFinder> {
    const key = `${uri.scheme}://${uri.authority}`;
    const finder = finders.get(key) ?? createFinder(uri.with({ path: '/', query: '', fragment: '' }));
    finders.set(key, finder);
    return finder;
  }

  return {
    async find(uris) {
      const groups = groupBy(uris.filter(hasRules), finderFor);
      const found = new Map<vscode.Uri, string | undefined>();
      for (const [finder, some] of groups) {
        const by = await (await finder).find(some.map(({ path }) => path));
        for (const [at, uri] of some.entries()) found.set(uri, by[at]);
      }
      return uris.map((uri) => found.get(uri));
    },
  };
}

/** Whether ignore rules can apply. Documents that are not files, such as untitled ones, are not in a workspace folder. */
function hasRules(uri: vscode.Uri): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return uri.scheme === 'file' || folders.some(({ uri: root }) => root.scheme === uri.scheme);
}

/** @param base any URI of the file system */
async function createFinder(base: vscode.Uri): Promise<IgnoreFinder> {
  const local = base.scheme === 'file';
  const own = (vscode.workspace.workspaceFolders ?? []).filter(
    ({ uri }) => uri.scheme === base.scheme && uri.authority === base.authority,
  );
  const resolved = local ? await Promise.all(own.map(({ uri }) => toResolved(uri))) : [];
  const git = local ? await findGitProgram() : undefined;
  const folders = [...new Set([...own.map(({ uri }) => uri.path), ...resolved.flat()])].map((path) =>
    path.replace(/\/$/, ''),
  );
  return createIgnoreFinder({
    disk: createDisk(base),
    folders,
    // A workspace file can come with a repository, and name a folder that the repository ignores.
    opened: vscode.workspace.workspaceFile === undefined ? folders : [],
    foldCase: process.platform !== 'linux',
    user: local ? toUserFolders() : undefined,
    askGit: async (root, paths) =>
      git === undefined ? undefined : checkIgnored(git, base.with({ path: root || '/' }).fsPath, paths),
  });
}

/** The resolved path of a folder. None if the folder no longer exists. */
async function toResolved(uri: vscode.Uri): Promise<readonly string[]> {
  const path = await realpath(uri.fsPath).catch(() => undefined);
  return path === undefined ? [] : [vscode.Uri.file(path).path];
}

/**
 * The program that the editor's Git extension has found or the user has set; never one from a workspace. In Restricted
 * Mode Git doesn't run.
 */
async function findGitProgram(): Promise<string | undefined> {
  if (!vscode.workspace.isTrusted) return undefined;
  // The editor logs why the Git extension couldn't be activated. The rules are read without Git.
  return (await findGit().catch(() => undefined))?.git?.path;
}

function toUserFolders(): UserFolders {
  const home = homedir();
  const config = process.env['XDG_CONFIG_HOME'] || join(home, '.config');
  return { home: vscode.Uri.file(home).path, config: vscode.Uri.file(config).path };
}

function createDisk(base: vscode.Uri): RuleDisk {
  const statOf = (path: string) => vscode.workspace.fs.stat(base.with({ path: path || '/' }));
  return {
    async readText(path): Promise<RuleText> {
      try {
        const { type, size } = await statOf(path);
        if ((type & vscode.FileType.Directory) !== 0) return { kind: 'missing' };
        if ((type & vscode.FileType.File) === 0 || size > MAX_RULE_BYTES) return { kind: 'unreadable' };
        const bytes = await vscode.workspace.fs.readFile(base.with({ path }));
        return { kind: 'text', text: new TextDecoder().decode(bytes) };
      } catch (error) {
        return { kind: isMissing(error) ? 'missing' : 'unreadable' };
      }
    },
    async exists(path) {
      try {
        await statOf(path);
        return true;
      } catch (error) {
        return !isMissing(error);
      }
    },
    async isLink(path) {
      try {
        return ((await statOf(path)).type & vscode.FileType.SymbolicLink) !== 0;
      } catch {
        // A path that doesn't exist yet isn't a link.
        return false;
      }
    },
  };
}

const isMissing = (error: unknown): boolean =>
  error instanceof vscode.FileSystemError && /^FileNot(?:Found|ADirectory)$/.test(error.code);
