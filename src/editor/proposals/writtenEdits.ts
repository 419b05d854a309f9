/** Replaces the texts of documents. */
import * as vscode from 'vscode';
import { normalizeText } from '../workspace/textSources.ts';

/** Replaces the text of a document if it has another one. */
export async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  if (normalizeText(document.getText()) === normalizeText(text)) return;
  const edit = new vscode.WorkspaceEdit();
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  edit.replace(document.uri, document.validateRange(all), text);
  await vscode.workspace.applyEdit(edit);
}
