/** Helpers for the rows of tree views: show them at once, and run commands for the row that is selected or has the focus. */
import * as vscode from 'vscode';

/**
 * Shows the rows at once when a view is expanded for the first time. The editor creates the tree after it has set the size of the view,
 * and shows nothing until it checks the view for a message, two seconds later. Setting a message, even an empty one, triggers this
 * check.
 */
export function showRowsAtOnce(view: vscode.TreeView<unknown>): vscode.Disposable {
  return view.onDidChangeVisibility(({ visible }) => {
    if (visible) view.message = '';
  });
}

/** While the editor requests the rows again, the selection is empty for a moment. The pause before it is read again, in milliseconds. */
const ASKED_AGAIN_MS = 50;
const ASKED_AGAIN = 20;

/**
 * Registers the command that rows of a view run when they are selected. It has no arguments, and reads the selected row from the
 * view: VS Code keeps the arguments of a row's command only until the row is drawn again, and a click in that moment would do
 * nothing but say that the command isn't found.
 */
export function registerRowCommand<T>(
  command: string,
  view: Pick<vscode.TreeView<T>, 'selection'>,
  run: (row: T) => unknown,
): vscode.Disposable {
  return vscode.commands.registerCommand(command, async () => {
    for (let tries = 0; view.selection.length === 0 && tries < ASKED_AGAIN; tries++)
      await new Promise((resolve) => setTimeout(resolve, ASKED_AGAIN_MS));
    const [row] = view.selection;
    if (row !== undefined) await run(row);
  });
}

/**
 * Registers two commands for keybindings of a view. Between them, the keybinding toggles the selection of a row twice
 * (`list.toggleSelection`). This finds the row that has the focus: keybindings pass no row, the arrow keys don't select, and the editor
 * tells extensions only which rows are selected. The row with the focus is the one whose selection changed between `begin` and `end`.
 *
 * @param run gets the row, and the argument of `end`
 */
export function registerRowKeys<T>(
  { begin, end }: { readonly begin: string; readonly end: string },
  view: Pick<vscode.TreeView<T>, 'selection' | 'onDidChangeSelection'>,
  run: (row: T, what: unknown) => unknown,
): vscode.Disposable {
  let before: readonly T[] = [];
  let toggled: readonly T[] | undefined;
  return vscode.Disposable.from(
    view.onDidChangeSelection(({ selection }) => {
      toggled ??= selection;
    }),
    vscode.commands.registerCommand(begin, () => {
      before = view.selection;
      toggled = undefined;
    }),
    vscode.commands.registerCommand(end, async (what: unknown) => {
      const now = toggled ?? before;
      const changed = [
        ...before.filter((row) => !now.includes(row)),
        ...now.filter((row) => !before.includes(row)),
      ];
      const [row] = changed;
      if (row !== undefined && changed.length === 1) await run(row, what);
    }),
  );
}
