/** The files that differ between two commits: diffs, and the texts of the second commit. */
import type * as vscode from 'vscode';
import { isSecretFile } from '../../access/secretFiles.ts';
import type { ChangedFile } from '../../review/reviewQuestion.ts';
import { languageOf, MAX_CHANGE_BYTES, MAX_CHANGED_FILES, pathIn, uriOf } from './changes.ts';
import { SECRET_CHANGE, withoutSecrets } from './changeText.ts';
import { describeStatus, type GitChange, isDeleted, type Repository } from './git.ts';

export interface Revisions {
  readonly from: string;
  /** Its files are read. */
  readonly to: string;
}

/** @param token stops before the next file; the files read so far are returned */
export async function readRevisionChanges(
  repository: Repository,
  { from, to }: Revisions,
  token: vscode.CancellationToken,
): Promise<readonly ChangedFile[]> {
  const files: ChangedFile[] = [];
  for (const [index, change] of (await repository.diffBetween(from, to)).entries()) {
    if (token.isCancellationRequested) break;
    const uri = uriOf(change);
    const path = pathIn(repository, uri);
    const about = { path, change: describeStatus(change.status), language: languageOf(uri) };
    if (isSecretFile(path)) files.push({ ...about, ...SECRET_CHANGE });
    else if (index >= MAX_CHANGED_FILES) files.push({ ...about, diff: undefined, text: undefined });
    else {
      const diff = await repository.diffBetween(from, to, uri.fsPath);
      const deleted = isDeleted(change.status);
      const text = await withoutSecrets(
        diff,
        path,
        deleted ? undefined : () => readText(repository, to, change),
      );
      files.push({ ...about, ...text });
    }
  }
  return files;
}

/** Undefined for a file that is too large, not text, or no file, such as a submodule. */
async function readText(repository: Repository, ref: string, change: GitChange): Promise<string | undefined> {
  const text = await repository.show(ref, uriOf(change).fsPath).catch(() => undefined);
  return text === undefined || text.length > MAX_CHANGE_BYTES || text.includes('\0') ? undefined : text;
}
