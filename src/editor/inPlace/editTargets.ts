/** Finds the lines for an edit in the code: those at the cursor, or those of a merge conflict. */
import * as vscode from 'vscode';
import { conflictAt } from '../../text/conflicts.ts';
import type { LineRange } from '../../text/lineRange.ts';
import { showInformation } from '../base/notifications.ts';
import { fieldOf } from '../base/ownField.ts';
import { isReadOnlyKind } from '../workspace/fileKinds.ts';
import { linesOfDocument, type SelectedCode, toCodeHere } from '../workspace/selectedCode.ts';
import type { Edit } from './editList.ts';

const t = vscode.l10n.t;

/** The place of a conflict, from a CodeLens or the cursor. */
export interface ConflictTarget {
  readonly uri: vscode.Uri;
  readonly line: number;
}

/** The lines to edit. Shows a message if there are none. */
export function findCodeHere(editor: vscode.TextEditor | undefined): Promise<SelectedCode> | undefined {
  return tellReadOnly(editor?.document.uri) || editor === undefined ? undefined : toCodeHere(editor);
}

/** Whether there is no editable document, for example because it is of an earlier revision. Shows a message if so. */
export function tellReadOnly(uri: vscode.Uri | undefined): boolean {
  const isReadOnly = uri === undefined || isReadOnlyKind(uri);
  if (isReadOnly)
    void showInformation(t('Open the file to edit, and select the lines or put the cursor there.'));
  return isReadOnly;
}

/** The lines of a merge conflict. Shows a message if there is none. */
export async function findConflict(at: ConflictTarget | undefined): Promise<SelectedCode | undefined> {
  if (at !== undefined && tellReadOnly(at.uri)) return undefined;
  const document = at && (await vscode.workspace.openTextDocument(at.uri));
  const conflict = document && conflictAt(document.getText(), at.line);
  if (document !== undefined && conflict !== undefined)
    return linesOfDocument(document, conflict.startLine, conflict.endLine);
  return void showInformation(t('There is no merge conflict at the cursor.'));
}

/** Whether code overlaps the lines of an edit. Without a selection, a line next to them is enough, because the thread is there. */
export function meets({ lines }: Edit, { startLine, endLine, selected }: SelectedCode): boolean {
  const beside = selected ? 0 : 1;
  return startLine <= lines.endLine + beside && lines.startLine - beside <= endLine;
}

/** Shows that an edit is still running. */
export function showRunning({ lines: { startLine, endLine } }: Edit): void {
  void showInformation(
    startLine === endLine
      ? t('svc-k3 is still editing line {0} of this file. Wait for it or stop it first.', startLine + 1)
      : t(
          'svc-k3 is still editing lines {0}–{1} of this file. Wait for it or stop it first.',
          startLine + 1,
          endLine + 1,
        ),
  );
}

export const linesIn = ({ startLine, endLine }: SelectedCode): LineRange => ({ startLine, endLine });

/** Whether an argument of a command is the place of a conflict. */
export const isConflictTarget = (value: unknown): value is ConflictTarget =>
  fieldOf(value, 'uri') instanceof vscode.Uri && typeof fieldOf(value, 'line') === 'number';

/** The cursor of an editor, where a conflict may be. */
export const conflictTargetOf = (editor: vscode.TextEditor | undefined): ConflictTarget | undefined =>
  editor && { uri: editor.document.uri, line: editor.selection.active.line };
