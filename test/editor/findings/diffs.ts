/** Diff editors, and the revisions that the editor's Git extension shows in them. */
import * as vscode from 'vscode';
import { until } from '../scripted.ts';

/** A file at a revision, as the Git extension names it. */
export const atRevision = (file: vscode.Uri, ref: string): vscode.Uri =>
  file.with({ scheme: 'git', query: JSON.stringify({ path: file.fsPath, ref }) });

/** Opens a diff editor, and moves the focus to a side. Returns the editor of that side. */
export async function openDiff(
  original: vscode.Uri,
  modified: vscode.Uri,
  side: vscode.Uri,
): Promise<vscode.TextEditor> {
  await vscode.commands.executeCommand('vscode.diff', original, modified);
  return focusSide(side);
}

/** Moves the focus to a side of the diff editor in front. Returns the editor of that side. */
export async function focusSide(side: vscode.Uri): Promise<vscode.TextEditor> {
  const editor = await until(() =>
    vscode.window.visibleTextEditors.find(({ document: { uri } }) => uri.toString() === side.toString()),
  );
  if (vscode.window.activeTextEditor !== editor)
    await vscode.commands.executeCommand('workbench.action.compareEditor.focusOtherSide');
  await until(() => vscode.window.activeTextEditor === editor);
  return editor;
}
