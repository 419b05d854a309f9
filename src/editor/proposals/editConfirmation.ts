/** Checks each change proposed by the model before it is written. */
import * as vscode from 'vscode';
import { findNewHidden } from '../../text/hiddenCharacters.ts';
import { showWarning, withoutLinks } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import { createAccessSeries } from '../workspace/accessQueue.ts';
import { requestAccess } from '../workspace/accessRequests.ts';
import { isStillThere, type OpenPlace } from '../workspace/workspaceBoundary.ts';
import { fileAddressOf } from './cellNumbering.ts';

const t = vscode.l10n.t;

/** The files of one action, which are confirmed one after the other. */
export interface EditSeries {
  readonly show: ReturnType<typeof createAccessSeries>;
  /** Notes a file whose path leads to another file by now, such as all those in a folder that was renamed. */
  moved(uri: vscode.Uri): void;
  /** Shows the noted files, in one message. */
  end(): void;
}

/** @param count the number of files, as far as is known */
export function createEditSeries(count: number): EditSeries {
  /** By their files: several proposals can have the same file, and cells are in one notebook. */
  const moved = new Map<string, vscode.Uri>();
  return {
    show: createAccessSeries(count),
    moved: (uri) => void moved.set(fileAddressOf(uri.toString()), uri),
    end: () => showMoved([...moved.values()]),
  };
}

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
export const confirmEdit = async (edit: PendingEdit, series?: EditSeries): Promise<boolean> =>
  (await confirmPlace(edit, series)) !== undefined;

/**
 * The same for one of several edits that are written together. Returns the place that may be written. Call `isStillConfirmed` for it
 * when all edits are confirmed.
 */
export async function confirmPlace(
  { uri, parts }: PendingEdit,
  series?: EditSeries,
): Promise<OpenPlace | undefined> {
  const adds = parts.flatMap(({ before, after }) => findNewHidden(before, after));
  const answer = await requestAccess({ uri, purpose: 'write', adds }, series);
  if (answer.kind === 'granted') return answer.place;
  if (answer.kind === 'moved') noteMoved(uri, series);
  return undefined;
}

/** Whether a path still leads to the same file, because a dialog about another file may have been open since. */
export async function isStillConfirmed(place: OpenPlace, series: EditSeries): Promise<boolean> {
  const isThere = await isStillThere(place);
  if (!isThere) series.moved(place.uri);
  return isThere;
}

/** A path leads to another file since the user was asked, or the file has another path. Shown at once if it is the only file. */
export function noteMoved(uri: vscode.Uri, series: EditSeries | undefined): void {
  if (series === undefined) showMoved([uri]);
  else series.moved(uri);
}

function showMoved([uri, ...others]: readonly vscode.Uri[]): void {
  if (uri === undefined) return;
  const only = t(
    '{0} was not changed because its path now leads to a different file. Try again.',
    withoutLinks(vscode.workspace.asRelativePath(uri)),
  );
  const all = plural(
    t(
      '{0, plural, one {# file was not changed because its path now leads to a different file. Try again.} other {# files were not changed because their paths now lead to different files. Try again.}}',
    ),
    others.length + 1,
  );
  void showWarning(others.length === 0 ? only : all);
}
