/** The text editor that was active last. While the chat has the focus, no text editor is active. */
import * as vscode from 'vscode';

export interface LastEditor extends vscode.Disposable {
  get(): vscode.TextEditor | undefined;
}

export function createLastEditor(): LastEditor {
  const isOne = (editor: vscode.TextEditor | undefined) =>
    // Output channels are text editors, too.
    editor !== undefined && editor.document.uri.scheme !== 'output' && !editor.document.isClosed;
  let last = vscode.window.activeTextEditor;
  const listening = vscode.window.onDidChangeActiveTextEditor((editor) => {
    if (isOne(editor)) last = editor;
  });
  return {
    get() {
      const active = vscode.window.activeTextEditor;
      if (isOne(active)) return active;
      const visible = vscode.window.visibleTextEditors.filter(isOne);
      return last !== undefined && visible.includes(last) ? last : visible[0];
    },
    dispose: () => listening.dispose(),
  };
}
