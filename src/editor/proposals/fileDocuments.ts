/** Opens the documents of existing files, and creates files for proposals. */
import * as vscode from 'vscode';
import { replaceText } from './writtenEdits.ts';

/** The bytes of a new file, in the encoding in which the editor will open it. */
export const encodeText = (uri: vscode.Uri, text: string): Thenable<Uint8Array> =>
  vscode.workspace.encode(text, { uri });

/** The document of a file. Undefined if it can't be read as text. */
export const openText = (uri: vscode.Uri): Thenable<vscode.TextDocument | undefined> =>
  vscode.workspace.openTextDocument(uri).then(
    (document) => document,
    () => undefined,
  );

/** Creates a new file, or an untitled document if the URI has the scheme `untitled`. Undefined if it can't be created. */
export async function createFile(uri: vscode.Uri, text: string): Promise<vscode.TextDocument | undefined> {
  if (uri.scheme === 'untitled') return vscode.workspace.openTextDocument({ content: text });
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { overwrite: false, contents: await encodeText(uri, text) });
  if (!(await vscode.workspace.applyEdit(edit))) return undefined;
  const document = await openText(uri);
  // The document of a file that was deleted may still have its old text when the file is created again.
  if (document !== undefined) await replaceText(document, text);
  return document;
}
