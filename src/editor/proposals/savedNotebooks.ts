/** Follows untitled notebooks that are saved. The editor opens the file, whose cells have other URIs, and reports no rename. */
import * as vscode from 'vscode';

/**
 * The editor copies the cells of an untitled notebook to the notebook of the file, and then closes the untitled one.
 *
 * @param onSaved called for each cell with its previous and its new URI
 */
export function registerSavedNotebooks(
  onSaved: (from: vscode.Uri, to: vscode.Uri) => void,
): vscode.Disposable {
  /** The last notebook that got the cells of an untitled one. */
  const copies = new WeakMap<vscode.NotebookDocument, vscode.NotebookDocument>();

  function copyOf(notebook: vscode.NotebookDocument): void {
    if (notebook.isUntitled) return;
    for (const untitled of vscode.workspace.notebookDocuments)
      if (untitled.isUntitled && hasSameCells(untitled, notebook)) copies.set(untitled, notebook);
  }

  function closed(untitled: vscode.NotebookDocument): void {
    const copy = copies.get(untitled);
    if (copy === undefined || copy.isClosed || !hasSameCells(untitled, copy)) return;
    const cells = copy.getCells();
    untitled.getCells().forEach(({ document }, index) => {
      const same = cells[index];
      if (same !== undefined) onSaved(document.uri, same.document.uri);
    });
  }

  return vscode.Disposable.from(
    vscode.workspace.onDidOpenNotebookDocument(copyOf),
    vscode.workspace.onDidChangeNotebookDocument(({ notebook, contentChanges }) => {
      if (contentChanges.length > 0) copyOf(notebook);
    }),
    vscode.workspace.onDidCloseNotebookDocument(closed),
  );
}

function hasSameCells(one: vscode.NotebookDocument, other: vscode.NotebookDocument): boolean {
  if (one.cellCount === 0 || one.cellCount !== other.cellCount) return false;
  const cells = other.getCells();
  return one
    .getCells()
    .every(({ document }, index) => document.getText() === cells[index]?.document.getText());
}
