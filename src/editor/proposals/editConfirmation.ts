/** The check that every change proposed by the model passes before it is written. */
import * as vscode from 'vscode';
import { findNewHidden } from '../../access/hiddenCharacters.ts';
import { showWarning, withoutLinks } from '../base/notifications.ts';
import { requestAccess } from '../workspace/accessRequests.ts';

const t = vscode.l10n.t;

export interface PendingEdit {
  readonly uri: vscode.Uri;
  /** Deleted and added text, hunk by hunk: characters deleted in one hunk don't excuse those added in another. */
  readonly parts: readonly { readonly before: string; readonly after: string }[];
}

/**
 * Asks the user when the access policy requires it: for a protected file, for a file outside the workspace, or for text
 * with invisible characters. Call it right before writing, with the final path.
 *
 * @returns whether the edit may be written
 */
export async function confirmEdit({ uri, parts }: PendingEdit): Promise<boolean> {
  const adds = parts.flatMap(({ before, after }) => findNewHidden(before, after));
  const answer = await requestAccess({ uri, purpose: 'write', adds });
  if (answer.kind !== 'moved') return answer.kind === 'granted';
  showMoved(uri);
  return false;
}

/** The path has led to another file since the user was asked, or the file has another path. */
export function showMoved(uri: vscode.Uri): void {
  void showWarning(
    t(
      '{0} was not changed because its path now leads to a different file. Try again.',
      withoutLinks(vscode.workspace.asRelativePath(uri)),
    ),
  );
}
