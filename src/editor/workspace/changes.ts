/** Uncommitted changes of a repository as text: diffs, and the current text of the files. */
import { isBinaryFile } from 'isbinaryfile';
import * as vscode from 'vscode';
import { onlyFileIn } from '../../review/edits/addedFiles.ts';
import type { ChangedFile } from '../../review/questions/changesQuestion.ts';
import { withPlainLineEnds } from '../../text/lineEnds.ts';
import { type ChangeText, toChangedFile, withoutSecrets } from './changeText.ts';
import {
  describeStatus,
  type GitChange,
  isDeleted,
  isInConflict,
  isUntracked,
  type Repository,
} from './git.ts';
import { createIgnoredFiles } from './ignoredFiles.ts';
import { findDocument } from './textSources.ts';
import type { OpenPlace } from './workspaceBoundary.ts';

/** `all` means everything since the last commit, staged or not. */
export type Scope = 'all' | 'staged' | 'unstaged';

/** Larger files are not read, in bytes. */
export const MAX_CHANGE_BYTES = 1_000_000;

/** Diffs are read for at most this many files. The others are only listed. */
export const MAX_CHANGED_FILES = 200;

/** A change whose diff and text are not read. */
export const UNREAD_CHANGE: ChangeText = { diff: undefined, text: undefined };

export function changesOf({ state }: Repository, scope: Scope): readonly GitChange[] {
  const { workingTreeChanges, untrackedChanges = [], mergeChanges = [] } = state;
  const working = [...mergeChanges, ...workingTreeChanges, ...untrackedChanges];
  const changes =
    scope === 'staged'
      ? state.indexChanges
      : scope === 'unstaged'
        ? working
        : [...state.indexChanges, ...working];
  return [...new Map(changes.map((change) => [uriOfChange(change).toString(), change])).values()];
}

/**
 * Reads the changes of a repository.
 *
 * @param token stops before the next file; the files read so far are returned
 * @param wanted whether a file is included
 * @param allowed the only file that was requested, with what the user was asked about
 */
export async function readChanges(
  repository: Repository,
  scope: Scope,
  token: vscode.CancellationToken,
  wanted: (uri: vscode.Uri) => Promise<boolean> = async () => true,
  allowed?: OpenPlace,
): Promise<readonly ChangedFile[]> {
  const files: ChangedFile[] = [];
  const { indexChanges } = repository.state;
  const before = new Map(indexChanges.map((staged) => [uriOfChange(staged).toString(), staged.originalUri]));
  const namesOf = (change: GitChange) => {
    const uri = uriOfChange(change);
    // A file that was renamed in the index can have been changed since, under its new name.
    return [uri, change.originalUri, before.get(uri.toString()) ?? uri];
  };
  const changes = changesOf(repository, scope);
  const isIgnored = await findIgnoredChanges(changes.flatMap(namesOf));
  for (const change of changes) {
    if (token.isCancellationRequested) break;
    const uri = uriOfChange(change);
    if (!(await wanted(uri))) continue;
    const path = pathInRepository(repository, uri);
    const about = { path, change: describeStatus(change.status), language: languageIdOf(uri) };
    const isAllowed = (name: vscode.Uri) => name.toString() === allowed?.uri.toString();
    const read = async () =>
      files.length >= MAX_CHANGED_FILES
        ? UNREAD_CHANGE
        : readChange(repository, scope, change, path, isAllowed(uri) && holdsSecrets(allowed));
    const names = namesOf(change).filter((name) => !isAllowed(name));
    const paths = names.map((name) => pathInRepository(repository, name));
    files.push(await toChangedFile(about, paths, read, names.some(isIgnored)));
  }
  return files;
}

/**
 * Finds the changed files that the rules of Git ignore, which can be in the index all the same. They are found by their
 * names, because a link that is now in the place of a folder leads to other files.
 */
export async function findIgnoredChanges(uris: readonly vscode.Uri[]): Promise<(uri: vscode.Uri) => boolean> {
  const asked = [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
  const by = await createIgnoredFiles().find(asked);
  const ignored = new Set(asked.filter((_, at) => by[at] !== undefined).map((uri) => uri.toString()));
  return (uri) => ignored.has(uri.toString());
}

/** Whether the user has allowed a file although the dialog said that it has secrets. */
const holdsSecrets = (place: OpenPlace | undefined): boolean =>
  place?.asked?.some((reason) => reason === 'secret' || reason === 'secret-content') === true;

async function readChange(
  repository: Repository,
  scope: Scope,
  change: GitChange,
  path: string,
  mayHaveSecrets: boolean,
): Promise<ChangeText> {
  const diff = onlyFileIn(await diffOfChange(repository, scope, change), path);
  const uri = uriOfChange(change);
  if (mayHaveSecrets) return { ...UNREAD_CHANGE, diff: withPlainLineEnds(diff) };
  // If the file has changed since it was staged, the lines of the diff are at other places in it.
  const isStaged =
    scope === 'staged' &&
    repository.state.workingTreeChanges.some((other) => other.uri.toString() === uri.toString());
  const readNow = () => (isStaged ? readRevision(repository, INDEX, uri) : readFromDisk(uri));
  // A deleted file isn't read: if a link has replaced its folder, its path can lead to another file.
  return withoutSecrets(diff, path, isDeleted(change.status) ? undefined : readNow);
}

/** The URI of the file after the change. */
export const uriOfChange = ({ uri, renameUri }: GitChange): vscode.Uri => renameUri ?? uri;

/** The path from the root of the repository. */
export function pathInRepository({ rootUri }: Repository, { path }: vscode.Uri): string {
  return path.startsWith(`${rootUri.path}/`) ? path.slice(rootUri.path.length + 1) : path;
}

/**
 * The path of a file for those functions of a repository that take several paths. Git treats some names as patterns: the
 * diff of `[id].ts` would also contain that of `i.ts`.
 */
export function onlyPathOf(repository: Repository, uri: vscode.Uri): string {
  const path = pathInRepository(repository, uri);
  return path !== uri.path && /[*?[\\]/.test(path) ? `:(top,literal)${path}` : uri.fsPath;
}

async function diffOfChange(repository: Repository, scope: Scope, change: GitChange): Promise<string> {
  if (isUntracked(change.status)) return '';
  const path = onlyPathOf(repository, uriOfChange(change));
  switch (scope) {
    case 'staged':
      return repository.diffIndexWithHEAD(path);
    case 'unstaged':
      // Git would compare a file in conflict with both sides at once, in a format of its own.
      return isInConflict(change.status) ? repository.diffWith('HEAD', path) : repository.diffWithHEAD(path);
    case 'all':
      // Before the first commit, there is nothing to compare with but the index.
      return repository.state.HEAD?.commit === undefined
        ? `${await repository.diffIndexWithHEAD(path)}${await repository.diffWithHEAD(path)}`
        : repository.diffWith('HEAD', path);
  }
}

/** The revision with the staged text. */
const INDEX = '';

/** The text of a file in a revision. Undefined for a file that is too large, not text, or no file, such as a submodule. */
export async function readRevision(
  repository: Repository,
  ref: string,
  uri: vscode.Uri,
): Promise<string | undefined> {
  const text = await repository.show(ref, uri.fsPath).catch(() => undefined);
  return text === undefined || text.length > MAX_CHANGE_BYTES || text.includes('\0') ? undefined : text;
}

/** Undefined for a file that doesn't exist, is too large, or is not text. */
async function readFromDisk(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    if (type !== vscode.FileType.File || size > MAX_CHANGE_BYTES) return undefined;
    const bytes = await vscode.workspace.fs.readFile(uri);
    if (await isBinaryFile(Buffer.from(bytes))) return undefined;
    // Decoded as in the editor: keys would not be found in a text that is read with another encoding.
    return (await vscode.workspace.decode(bytes, { uri })).replace(/^\uFEFF/, '');
  } catch {
    // Deleted meanwhile, or not readable: the file is listed without its text.
    return undefined;
  }
}

export function languageIdOf(uri: vscode.Uri): string {
  return findDocument(uri)?.languageId ?? (/\.(\w+)$/.exec(uri.path)?.[1] ?? 'text').toLowerCase();
}
