/** Follows untitled documents that are saved. The editor closes the document and opens the file, but reports no rename. */
import * as vscode from 'vscode';

/**
 * Before the editor closes a saved untitled document, it puts its text into the document of the file, and then empties the untitled
 * one. Listeners that are registered later get the second change after `onSaved` has returned, so their data isn't emptied with the
 * document.
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
    // If the file already has the text, its document isn't changed when it is opened.
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (!document.isUntitled) copyOf(document);
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => copies.delete(uri.toString())),
  );
}

const isEmpty = ({ lineCount, lineAt }: Pick<vscode.TextDocument, 'lineCount' | 'lineAt'>): boolean =>
  lineCount === 1 && lineAt(0).text === '';

/** Compares the number of lines first, because this runs with each change. */
const hasSameText = (one: vscode.TextDocument, other: vscode.TextDocument): boolean =>
  one.lineCount === other.lineCount && !isEmpty(one) && one.getText() === other.getText();
