/**
 * Follows cells that the editor replaces by others with the same text: when code becomes Markdown, when cells are cut and pasted,
 * and when another program changes the notebook.
 */
import * as vscode from 'vscode';

/**
 * Registers the listener.
 *
 * @param onReplaced called for each cell with its previous and its new URI
 */
export function registerReplacedCells(
  onReplaced: (from: vscode.Uri, to: vscode.Uri) => void,
): vscode.Disposable {
  /** The cells that a notebook no longer has, the latest first. */
  const gone = new WeakMap<vscode.NotebookDocument, readonly vscode.TextDocument[]>();

  return vscode.workspace.onDidChangeNotebookDocument(({ notebook, contentChanges }) => {
    const added = contentChanges.flatMap(({ addedCells }) => addedCells.map(({ document }) => document));
    const removed = contentChanges.flatMap(({ removedCells }) =>
      removedCells.map(({ document }) => document),
    );
    // A moved cell is reported as removed and added. A cell whose deletion is undone has its earlier URI again.
    const isIn = (cells: readonly vscode.TextDocument[], { uri }: vscode.TextDocument) =>
      cells.some((cell) => cell.uri.toString() === uri.toString());
    // Cells without text aren't compared, because a new empty cell isn't an earlier one.
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
