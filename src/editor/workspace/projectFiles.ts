/** The files of the workspace that are not excluded by settings or `.gitignore` files. */
import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { exists } from './fileKinds.ts';
import { createIgnoreMatcher, type IgnoreFile, type IgnoreMatcher, rebaseRules } from './ignoreRules.ts';

/** The most files to list. In a larger workspace, files are also searched by name. */
const MAX_FILES = 20_000;
/** How long a list is cached, in milliseconds. */
const CACHE_MS = 5000;

export interface ProjectFiles {
  /** Files that are not ignored, by path. */
  list(token: vscode.CancellationToken): Promise<readonly vscode.Uri[]>;
  /** Files with a word in their path, in a workspace with more files than `list` returns; otherwise none. */
  search(word: string, token: vscode.CancellationToken): Promise<readonly vscode.Uri[]>;
}

export function createProjectFiles(): ProjectFiles {
  let known:
    | { readonly at: number; readonly files: readonly vscode.Uri[]; readonly all: boolean }
    | undefined;
  let ignoredBy: IgnoreMatcher = () => undefined;

  async function list(token: vscode.CancellationToken): Promise<readonly vscode.Uri[]> {
    if (known !== undefined && Date.now() - known.at < CACHE_MS) return known.files;
    const [found, rules] = await Promise.all([
      vscode.workspace.findFiles('**/*', searchExcludes(), MAX_FILES, token),
      readIgnoreMatcher(),
    ]);
    if (token.isCancellationRequested) return known?.files ?? [];
    ignoredBy = rules;
    const files = found.filter(({ path }) => ignoredBy(path) === undefined);
    known = { at: Date.now(), files, all: found.length < MAX_FILES };
    return files;
  }

  return {
    list,
    async search(word, token) {
      if (known?.all !== false || word.length < 2 || /[*?{}[\]\\]/.test(word)) return [];
      const found = await vscode.workspace.findFiles(`**/*${word}*`, searchExcludes(), 200, token);
      return found.filter(({ path }) => ignoredBy(path) === undefined);
    },
  };
}

/** The patterns of `search.exclude` as one glob pattern. The editor applies `files.exclude` itself. */
export function searchExcludes(): string | undefined {
  const excludes = vscode.workspace.getConfiguration('search').get<Record<string, unknown>>('exclude') ?? {};
  const patterns = Object.entries(excludes).flatMap(([pattern, on]) => (on === true ? [pattern] : []));
  return patterns.length === 0 ? undefined : `{${patterns.join(',')}}`;
}

/**
 * Reads the `.gitignore` files of the workspace and of its parent folders up to the root of the repository. The rules
 * also apply to resolved paths, because a workspace can be opened through a link.
 */
export async function readIgnoreMatcher(): Promise<IgnoreMatcher> {
  const roots = await Promise.all((vscode.workspace.workspaceFolders ?? []).map(({ uri }) => toRoot(uri)));
  const inside = await vscode.workspace.findFiles('**/.gitignore', searchExcludes(), 500);
  const above = await Promise.all(
    roots.flatMap(({ uri, real }) => [uri, ...(real === undefined ? [] : [real])]).map(ignoreFilesAbove),
  );
  const files = (await Promise.all([...inside, ...above.flat()].map(readIgnoreFile))).flat();
  const alsoThere = roots.flatMap(({ uri, real }) =>
    real === undefined ? [] : rebaseRules(files, uri.path, real.path),
  );
  return createIgnoreMatcher([...files, ...alsoThere], process.platform !== 'linux');
}

interface Root {
  readonly uri: vscode.Uri;
  /** The resolved path of the folder; undefined when it is the same. */
  readonly real: vscode.Uri | undefined;
}

async function toRoot(uri: vscode.Uri): Promise<Root> {
  // A folder that no longer exists has no other path.
  const path = uri.scheme === 'file' ? await realpath(uri.fsPath).catch(() => undefined) : undefined;
  const real = path === undefined ? undefined : vscode.Uri.file(path);
  return { uri, real: real?.path === uri.path ? undefined : real };
}

async function readIgnoreFile(uri: vscode.Uri): Promise<readonly IgnoreFile[]> {
  try {
    const rules = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    return [{ folder: vscode.Uri.joinPath(uri, '..').path, rules }];
  } catch {
    // Most folders above the workspace have no `.gitignore`.
    return [];
  }
}

/** The workspace can be a subfolder of a repository. From parent folders only the ignore rules are read. */
async function ignoreFilesAbove(folder: vscode.Uri): Promise<readonly vscode.Uri[]> {
  const files: vscode.Uri[] = [];
  for (let here = folder; ; here = vscode.Uri.joinPath(here, '..')) {
    if (here.path !== folder.path) files.push(vscode.Uri.joinPath(here, '.gitignore'));
    if (await exists(vscode.Uri.joinPath(here, '.git'))) return files;
    if (here.path === '/' || here.scheme !== 'file' || /^\/[a-z]:\/?$/i.test(here.path)) return [];
  }
}
