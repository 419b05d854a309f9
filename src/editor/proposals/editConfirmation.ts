/** Checks each change proposed by the model before it is written. */
import * as vscode from 'vscode';
import { findNewHidden } from '../../text/hiddenCharacters.ts';
import { showWarning, withoutLinks } from '../base/notifications.ts';
import { type AskOptions, requestAccess } from '../workspace/accessRequests.ts';
import { isStillThere, type OpenPlace } from '../workspace/workspaceBoundary.ts';

const t = vscode.l10n.t;

/** Shows the dialog for one of several files. */
export type ShowAccess = AskOptions['show'];

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
export const confirmEdit = async (edit: PendingEdit, show?: ShowAccess): Promise<boolean> =>
  (await confirmPlace(edit, show)) !== undefined;

/**
 * The same for one of several edits that are written together. Returns the place that may be written. Call `isStillConfirmed` for it
 * when all edits are confirmed.
 */
export async function confirmPlace(
  { uri, parts }: PendingEdit,
  show?: ShowAccess,
): Promise<OpenPlace | undefined> {
  const adds = parts.flatMap(({ before, after }) => findNewHidden(before, after));
  const answer = await requestAccess({ uri, purpose: 'write', adds }, show && { show });
  if (answer.kind === 'granted') return answer.place;
  if (answer.kind === 'moved') showMoved(uri);
  return undefined;
}

/**
 * Whether a path still leads to the same file, because a dialog about another file may have been open since. Shows a message if it
 * doesn't.
 */
export async function isStillConfirmed(place: OpenPlace): Promise<boolean> {
  const isThere = await isStillThere(place);
  if (!isThere) showMoved(place.uri);
  return isThere;
}

/** Shows that a path leads to another file since the user was asked, or that the file has another path. */
export function showMoved(uri: vscode.Uri): void {
  void showWarning(
    t(
      '{0} was not changed because its path now leads to a different file. Try again.',
      withoutLinks(vscode.workspace.asRelativePath(uri)),
    ),
  );
}
