/** Signs that the user works somewhere else than in a chat. */
import * as vscode from 'vscode';

/** Whether the user works in an editor, a terminal, or another window from now on. */
export function watchOtherPlaces(): vscode.Disposable & { worked(): boolean } {
  let worked = false;
  const note = () => {
    worked = true;
  };
  const listening = vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(note),
    vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
      // Without a kind, the text under the cursor has changed, such as by edits that are reverted.
      worked ||= kind !== undefined;
    }),
    vscode.window.onDidChangeActiveTerminal(note),
    vscode.window.onDidStartTerminalShellExecution(note),
    // Such as the settings, which an item of an input opens.
    vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
      worked ||= opened.length > 0;
    }),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      worked ||= !focused;
    }),
  );
  return { worked: () => worked, dispose: () => listening.dispose() };
}
