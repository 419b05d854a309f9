/** Untitled documents that are saved: the editor closes them and opens a file, but reports no new name. */
import * as vscode from 'vscode';

/**
 * Before the editor closes an untitled document that was saved, it puts its text into the document of the file, and then
 * empties the untitled one. Listeners that register later get the second of these changes when `onSaved` has returned, so
 * what they have in the document isn't emptied with it.
 */
export function registerSavedDocuments(
  onSaved: (from: vscode.Uri, to: vscode.Uri) => void,
): vscode.Disposable {
  /** The last document that got the text of an untitled one, by the URI of the untitled one. */
  const copies = new Map<string, vscode.TextDocument>();

  function textChanged({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (contentChanges.length === 0) return;
    if (document.isUntitled) untitledChanged(document);
    else copyOf(document);
  }

  function copyOf(document: vscode.TextDocument): void {
    for (const untitled of vscode.workspace.textDocuments)
      if (untitled.isUntitled && hasSameText(untitled, document))
        copies.set(untitled.uri.toString(), document);
  }

  function untitledChanged(untitled: vscode.TextDocument): void {
    const uri = untitled.uri.toString();
    const copy = copies.get(uri);
    copies.delete(uri);
    if (copy !== undefined && !copy.isClosed && isEmpty(untitled)) onSaved(untitled.uri, copy.uri);
  }

  return vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(textChanged),
    // One that has the text already isn't changed.
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (!document.isUntitled) copyOf(document);
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => copies.delete(uri.toString())),
  );
}

const isEmpty = ({ lineCount, lineAt }: Pick<vscode.TextDocument, 'lineCount' | 'lineAt'>): boolean =>
  lineCount === 1 && lineAt(0).text === '';

/** The number of lines is compared first, because this is asked with every change. */
const hasSameText = (one: vscode.TextDocument, other: vscode.TextDocument): boolean =>
  one.lineCount === other.lineCount && !isEmpty(one) && one.getText() === other.getText();
