/** The changes of a repository as text: diffs, and the files as they are now. */
import { isBinaryFile } from 'isbinaryfile';
import * as vscode from 'vscode';
import { isSecretFile } from '../../access/secretFiles.ts';
import type { ChangedFile } from '../../review/reviewQuestion.ts';
import { describeStatus, type GitChange, isDeleted, isUntracked, type Repository } from './git.ts';

/** `all` is everything since the last commit, staged or not. */
export type Scope = 'all' | 'staged' | 'unstaged';

/** Larger files are not read, in bytes. */
const LARGEST = 1_000_000;

/** For each of more files than this git would be asked; the rest is named only. */
const MOST_FILES = 200;

export function changesOf({ state }: Repository, scope: Scope): readonly GitChange[] {
  const working = [...state.workingTreeChanges, ...(state.untrackedChanges ?? [])];
  const changes =
    scope === 'staged'
      ? state.indexChanges
      : scope === 'unstaged'
        ? working
        : [...state.indexChanges, ...working];
  return [...new Map(changes.map((change) => [uriOf(change).toString(), change])).values()];
}

/**
 * @param token stops between two files; what was read by then is returned
 * @param wanted which files are read at all
 */
export async function readChanges(
  repository: Repository,
  scope: Scope,
  token: vscode.CancellationToken,
  wanted: (uri: vscode.Uri) => Promise<boolean> = async () => true,
): Promise<readonly ChangedFile[]> {
  const files: ChangedFile[] = [];
  for (const [index, change] of changesOf(repository, scope).entries()) {
    if (token.isCancellationRequested) break;
    const uri = uriOf(change);
    if (!(await wanted(uri))) continue;
    const path = pathIn(repository, uri);
    const about = { path, change: describeStatus(change.status), language: languageOf(uri) };
    const left = index >= MOST_FILES || isSecretFile(path);
    files.push(
      left
        ? { ...about, diff: undefined, text: undefined }
        : {
            ...about,
            diff: await readDiff(repository, scope, change),
            // Where its folder gave way to a link, another file answers to the name of one that is gone.
            text: isDeleted(change.status) ? undefined : await readText(uri),
          },
    );
  }
  return files;
}

const uriOf = ({ uri, renameUri }: GitChange): vscode.Uri => renameUri ?? uri;

function pathIn({ rootUri }: Repository, { path }: vscode.Uri): string {
  return path.startsWith(`${rootUri.path}/`) ? path.slice(rootUri.path.length + 1) : path;
}

async function readDiff(repository: Repository, scope: Scope, change: GitChange): Promise<string> {
  if (isUntracked(change.status)) return '';
  const path = uriOf(change).fsPath;
  switch (scope) {
    case 'staged':
      return repository.diffIndexWithHEAD(path);
    case 'unstaged':
      return repository.diffWithHEAD(path);
    case 'all':
      // Before the first commit there is nothing but the index to compare with.
      return repository.state.HEAD?.commit === undefined
        ? `${await repository.diffIndexWithHEAD(path)}${await repository.diffWithHEAD(path)}`
        : repository.diffWith('HEAD', path);
  }
}

/** Undefined for what is gone, too large, or no text. */
async function readText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    if (type !== vscode.FileType.File || size > LARGEST) return undefined;
    const bytes = await vscode.workspace.fs.readFile(uri);
    return (await isBinaryFile(Buffer.from(bytes))) ? undefined : new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

function languageOf(uri: vscode.Uri): string {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  return open?.languageId ?? (/\.(\w+)$/.exec(uri.path)?.[1] ?? 'text').toLowerCase();
}
