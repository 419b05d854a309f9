/** The editor that the reader was in last: in the chat's own tab, or in its box, there is no active one. */
import * as vscode from 'vscode';

export interface LastEditor extends vscode.Disposable {
  get(): vscode.TextEditor | undefined;
}

export function createLastEditor(): LastEditor {
  const isOne = (editor: vscode.TextEditor | undefined) =>
    // What an extension prints is shown in an editor too.
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
