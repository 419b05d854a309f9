/** The files of the workspace that are not excluded by settings and that Git doesn't ignore. */
import * as vscode from 'vscode';
import { createIgnoredFiles } from './ignoredFiles.ts';

/** The maximum number of files to list. In a larger workspace, files are also searched by name. */
const MAX_FILES = 20_000;
/** How long a list is cached, in milliseconds. */
const CACHE_MS = 5000;

export interface ProjectFiles {
  /** Files that are not ignored. */
  list(token: vscode.CancellationToken): Promise<readonly vscode.Uri[]>;
  /** Files with a word in their path, in a workspace with more files than `list` returns; otherwise none. */
  search(word: string, token: vscode.CancellationToken): Promise<readonly vscode.Uri[]>;
}

export function createProjectFiles(): ProjectFiles {
  let known:
    | {
        readonly at: number;
        readonly of: string;
        readonly files: readonly vscode.Uri[];
        readonly all: boolean;
      }
    | undefined;

  async function list(token: vscode.CancellationToken): Promise<readonly vscode.Uri[]> {
    const of = JSON.stringify(vscode.workspace.workspaceFolders?.map(({ uri }) => String(uri)));
    if (known?.of === of && performance.now() - known.at < CACHE_MS) return known.files;
    const found = await findInFolders('**/*', MAX_FILES, token);
    if (token.isCancellationRequested) return known?.files ?? [];
    const files = await keepNotIgnored(found);
    known = { at: performance.now(), of, files, all: found.length < MAX_FILES };
    return files;
  }

  return {
    list,
    async search(word, token) {
      if (known?.all !== false || word.length < 2 || /[*?{}[\]\\]/.test(word)) return [];
      return keepNotIgnored(await findInFolders(`**/*${word}*`, 200, token));
    },
  };
}

async function keepNotIgnored(uris: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  const ignored = await createIgnoredFiles().find(uris);
  return uris.filter((_, at) => ignored[at] === undefined);
}

/**
 * Finds files in all folders of the workspace, without those that the settings of their own folder exclude. A folder can be
 * inside another one, which also finds its files, by longer paths. Then the settings of the inner folder don't apply, so
 * such files are kept only if both folders exclude the same patterns.
 *
 * @param max the maximum number of files in each folder
 */
export async function findInFolders(
  glob: string,
  max: number,
  token: vscode.CancellationToken,
): Promise<readonly vscode.Uri[]> {
  const { workspaceFolders = [], findFiles, getWorkspaceFolder } = vscode.workspace;
  if (workspaceFolders.length < 2) return findFiles(glob, searchExcludes(), max, token);
  const excluded = new Map(workspaceFolders.map(({ uri }) => [uri.toString(), excludedIn(uri)]));
  const excludedFor = (uri: vscode.Uri | undefined) => excluded.get(String(uri));
  const found = await Promise.all(
    workspaceFolders.map(async ({ uri }) => {
      const files = await findFiles(new vscode.RelativePattern(uri, glob), searchExcludes(uri), max, token);
      return files.filter((file) => excludedFor(getWorkspaceFolder(file)?.uri) === excludedFor(uri));
    }),
  );
  return [...new Map(found.flat().map((file) => [file.toString(), file])).values()];
}

const excludedIn = (folder: vscode.Uri): string =>
  JSON.stringify(
    ['search', 'files'].map((part) => vscode.workspace.getConfiguration(part, folder).get('exclude')),
  );

/**
 * The patterns of `search.exclude` as one glob pattern; undefined if there are none. The editor applies `files.exclude`
 * itself.
 *
 * @param folder the workspace folder, which can have its own patterns; undefined for a workspace with one folder
 */
export function searchExcludes(folder?: vscode.Uri): string | undefined {
  const settings = vscode.workspace.getConfiguration('search', folder);
  const excludes = settings.get<Record<string, unknown>>('exclude') ?? {};
  const patterns = Object.entries(excludes).flatMap(([pattern, on]) => (on === true ? [pattern] : []));
  return patterns.length === 0 ? undefined : `{${patterns.join(',')}}`;
}
