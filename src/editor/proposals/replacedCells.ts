/**
 * Cells in whose place the editor puts others with the same text: when code becomes Markdown, when cells are cut and pasted, and
 * when another program changes the notebook.
 */
import * as vscode from 'vscode';

/** @param onReplaced called for each cell that has another URI now */
export function registerReplacedCells(
  onReplaced: (from: vscode.Uri, to: vscode.Uri) => void,
): vscode.Disposable {
  /** The cells that a notebook no longer has, the last ones first. */
  const gone = new WeakMap<vscode.NotebookDocument, readonly vscode.TextDocument[]>();

  return vscode.workspace.onDidChangeNotebookDocument(({ notebook, contentChanges }) => {
    const added = contentChanges.flatMap(({ addedCells }) => addedCells.map(({ document }) => document));
    const removed = contentChanges.flatMap(({ removedCells }) =>
      removedCells.map(({ document }) => document),
    );
    // One that is moved is removed and added, and one whose deletion is undone has its URI again.
    const isIn = (cells: readonly vscode.TextDocument[], { uri }: vscode.TextDocument) =>
      cells.some((cell) => cell.uri.toString() === uri.toString());
    // A new cell without text is no earlier one.
    const earlier = (gone.get(notebook) ?? []).filter((cell) => cell.getText() !== '');
    const before = [...removed, ...earlier].filter((cell) => !isIn(added, cell));
    const fresh = added.filter((cell) => !isIn(removed, cell));
    const left = before.filter((cell) => {
      const at = fresh.findIndex((one) => one.getText() === cell.getText());
      const [same] = at === -1 ? [] : fresh.splice(at, 1);
      if (same !== undefined) onReplaced(cell.uri, same.uri);
      return same === undefined;
    });
    gone.set(notebook, left);
  });
}
