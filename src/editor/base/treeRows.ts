/** The rows of a tree view that is expanded. */
import type * as vscode from 'vscode';

/**
 * Shows the rows at once when a view is expanded for the first time. The editor creates the tree after it has given the view its
 * size, and would show nothing until it looks for a message of the view, two seconds later. Setting one, also an empty one, makes
 * it do that now.
 */
export function showRowsAtOnce(view: vscode.TreeView<unknown>): vscode.Disposable {
  return view.onDidChangeVisibility(({ visible }) => {
    if (visible) view.message = '';
  });
}
