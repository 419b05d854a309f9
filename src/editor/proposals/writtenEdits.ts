/** Applies edits to documents. The editor also changes documents that it shows as read-only, but never saves these changes. */
import * as vscode from 'vscode';
import { isWritable } from '../workspace/fileKinds.ts';
import { isCell, normalizeText } from '../workspace/textSources.ts';

/** The time in which the editor reports that a document has unsaved changes, in milliseconds. */
const REPORTED_MS = 100;

/**
 * Applies an edit. Documents that can't be saved get their previous text back.
 *
 * @param documents at least the documents that the edit changes
 * @returns the documents that can't be saved; undefined if the editor refused the edit
 */
export async function applyEdit(
  edit: vscode.WorkspaceEdit,
  documents: readonly vscode.TextDocument[],
): Promise<readonly vscode.TextDocument[] | undefined> {
  const before = documents.map((document) => ({ document, text: document.getText() }));
  const saved = new Set<vscode.TextDocument>();
  const listening = vscode.workspace.onDidSaveTextDocument((document) => saved.add(document));
  try {
    if (!(await vscode.workspace.applyEdit(edit))) return undefined;
    const locked: vscode.TextDocument[] = [];
    for (const { document, text } of before) {
      if (!(await isLocked(document, text, saved))) continue;
      locked.push(document);
      await replaceText(document, text);
    }
    return locked;
  } finally {
    listening.dispose();
  }
}

/**
 * Whether a document was changed and has no unsaved changes, although its file has another text.
 *
 * @param saved the documents that were saved since. The editor reports no unsaved changes for these, also if it saved the text
 * before the edit
 */
async function isLocked(
  document: vscode.TextDocument,
  before: string,
  saved: ReadonlySet<vscode.TextDocument>,
): Promise<boolean> {
  const { uri } = document;
  if (!isWritable(uri) || isCell(uri)) return false;
  const isLost = async () =>
    !document.isClosed &&
    !document.isDirty &&
    !saved.has(document) &&
    document.getText() !== before &&
    !(await isSaved(document));
  if (!(await isLost())) return false;
  await new Promise((resolve) => setTimeout(resolve, REPORTED_MS));
  return isLost();
}

/** Whether the text is on disk, for example because of auto save. Also true if this isn't known. */
async function isSaved(document: vscode.TextDocument): Promise<boolean> {
  const { uri, encoding } = document;
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    const text = await vscode.workspace.decode(bytes, { encoding });
    return normalizeText(text) === normalizeText(document.getText());
  } catch {
    // The file is gone or can't be read, so nothing says that it is read-only.
    return true;
  }
}

/** Replaces the text of a document if it has another one. */
export async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  if (normalizeText(document.getText()) === normalizeText(text)) return;
  const edit = new vscode.WorkspaceEdit();
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  edit.replace(document.uri, document.validateRange(all), text);
  await vscode.workspace.applyEdit(edit);
}
