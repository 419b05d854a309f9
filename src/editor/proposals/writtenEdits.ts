/** Applies edits of documents. The editor also changes the text of those that it shows as read-only, but never saves that. */
import * as vscode from 'vscode';
import { isWritable } from '../workspace/fileKinds.ts';
import { isCell, normalizeText } from '../workspace/textSources.ts';

/** The time after which the editor has surely reported that a document has unsaved changes, in milliseconds. */
const REPORTED_MS = 100;

/**
 * Applies an edit. Documents that can't be saved get their text back.
 *
 * @param documents at least those that the edit changes
 * @returns those that can't be saved; undefined if the editor refused the edit
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
 * Whether a document was changed, but has no unsaved changes, although its file has another text.
 *
 * @param saved those that were saved since. The editor reports that they have no unsaved changes, also if it was the text before the
 * edit that it saved.
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

/** Whether the text is on the disk, such as with auto save. Also true if that can't be known. */
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
