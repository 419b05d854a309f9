/** The files that differ between two commits: diffs, and the texts of the second commit. */
import * as vscode from 'vscode';
import { onlyFileIn, toAddedFiles } from '../../review/edits/addedFiles.ts';
import type { ChangedFile } from '../../review/questions/changesQuestion.ts';
import {
  findIgnoredChanges,
  languageIdOf,
  MAX_CHANGED_FILES,
  onlyPathOf,
  pathInRepository,
  readRevision,
  UNREAD_CHANGE,
  uriOfChange,
} from './changes.ts';
import { toChangedFile, withoutSecrets } from './changeText.ts';
import { ADDED, describeStatus, isDeleted, isRenamed, type Repository } from './git.ts';

export interface ComparedRevisions {
  /** Undefined for the first commit of a repository. */
  readonly from: string | undefined;
  /** The commit whose files are read. */
  readonly to: string;
}

/** A file, before its diff is read. */
interface Changed {
  readonly uri: vscode.Uri;
  /** The URI before the change. A diff also shows lines of that file. */
  readonly originalUri: vscode.Uri;
  readonly status: number;
  diff(): Promise<string>;
}

/**
 * Reads the changes between two commits.
 *
 * @param token stops before the next file; the files read so far are returned
 */
export async function readRevisionChanges(
  repository: Repository,
  { from, to }: ComparedRevisions,
  token: vscode.CancellationToken,
): Promise<readonly ChangedFile[]> {
  const files: ChangedFile[] = [];
  const changes = from === undefined ? await addedIn(repository, to) : await changedIn(repository, from, to);
  const isIgnored = await findIgnoredChanges(changes.flatMap(({ uri, originalUri }) => [uri, originalUri]));
  for (const [index, { uri, originalUri, status, diff }] of changes.entries()) {
    if (token.isCancellationRequested) break;
    const path = pathInRepository(repository, uri);
    const about = { path, change: describeStatus(status), language: languageIdOf(uri) };
    const text = isDeleted(status) ? undefined : () => readRevision(repository, to, uri);
    const read = async () =>
      index >= MAX_CHANGED_FILES ? UNREAD_CHANGE : withoutSecrets(await diff(), path, text);
    const ignored = isIgnored(uri) || isIgnored(originalUri);
    files.push(await toChangedFile(about, [path, pathInRepository(repository, originalUri)], read, ignored));
  }
  return files;
}

async function changedIn(repository: Repository, from: string, to: string): Promise<readonly Changed[]> {
  return (await repository.diffBetween(from, to)).map((change) => {
    const { status, originalUri } = change;
    const uri = uriOfChange(change);
    // By the new name alone, Git would show the whole file as new.
    const diff = isRenamed(status)
      ? () =>
          repository.diffBlobs(
            `${from}:${pathInRepository(repository, originalUri)}`,
            `${to}:${pathInRepository(repository, uri)}`,
          )
      : async () =>
          onlyFileIn(
            await repository.diffBetween(from, to, onlyPathOf(repository, uri)),
            pathInRepository(repository, uri),
          );
    return { uri, originalUri, status, diff };
  });
}

/** The files of the first commit, as its difference from the empty tree, which exists in every repository. */
async function addedIn(repository: Repository, to: string): Promise<readonly Changed[]> {
  const whole = await repository.diffBlobs(to.length === 64 ? EMPTY_TREE_SHA256 : EMPTY_TREE, to);
  return toAddedFiles(whole).map(({ path, diff }) => {
    const uri = vscode.Uri.joinPath(repository.rootUri, path);
    return { uri, originalUri: uri, status: ADDED, diff: async () => diff };
  });
}

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const EMPTY_TREE_SHA256 = '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321';
