/** Converts edits of a text to edits of its document. */
import * as vscode from 'vscode';
import type { TextEdit } from '../../review/hunks/anchors.ts';

export const toTextEdits = (document: vscode.TextDocument, edits: readonly TextEdit[]): vscode.TextEdit[] =>
  edits.map((edit) => vscode.TextEdit.replace(toRange(document, edit), edit.text));

export const toRange = (
  document: Pick<vscode.TextDocument, 'positionAt'>,
  { from, to }: Pick<TextEdit, 'from' | 'to'>,
): vscode.Range => new vscode.Range(document.positionAt(from), document.positionAt(to));

/** An edit of this document alone. */
export function toWorkspaceEdit(
  document: vscode.TextDocument,
  edits: readonly TextEdit[],
): vscode.WorkspaceEdit {
  const workspaceEdit = new vscode.WorkspaceEdit();
  workspaceEdit.set(document.uri, toTextEdits(document, edits));
  return workspaceEdit;
}
