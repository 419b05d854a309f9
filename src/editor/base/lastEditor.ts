/** The text editor that was active last. While the chat has the focus, no text editor is active. */
import * as vscode from 'vscode';

export interface LastEditor extends vscode.Disposable {
  get(): vscode.TextEditor | undefined;
}

/** The URI schemes of text editors that show no file: output channels, comment boxes, and the accessible view and help. */
const NOT_FILES: ReadonlySet<string> = new Set(['output', 'comment', 'accessible-view']);

export function createLastEditor(): LastEditor {
  const isOne = (editor: vscode.TextEditor | undefined) =>
    editor !== undefined && !NOT_FILES.has(editor.document.uri.scheme) && !editor.document.isClosed;
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

/** The file of the active tab; in a diff, its modified side. Differs from the active text editor while the focus is in a comment box. */
export function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

/** The active editor. While the cursor is in a comment box or in the box of an edit, the editor that contains the box. */
export function editorInFront(): vscode.TextEditor | undefined {
  const { activeTextEditor: active, tabGroups, visibleTextEditors } = vscode.window;
  if (active?.document.uri.scheme !== 'comment') return active;
  const uri = activeFile()?.toString();
  const around = visibleTextEditors.filter((one) => one.document.uri.toString() === uri);
  // The editors of a diff have no `viewColumn`.
  const columns = [tabGroups.activeTabGroup.viewColumn, undefined];
  return columns.flatMap((column) => around.filter(({ viewColumn }) => viewColumn === column))[0];
}

/** The document in front: that of the active editor, or the selected cell of the active notebook, which may have no editor. */
export function documentInFront(): vscode.TextDocument | undefined {
  const { activeNotebookEditor: cells } = vscode.window;
  const editor = editorInFront();
  if (editor !== undefined || cells === undefined) return editor?.document;
  return cells.notebook.getCells()[cells.selection.start]?.document;
}

/**
 * The editor that a command applies to: the active one, which can be an output channel. If there is none, for example while a chat in a
 * tab is active, the last active one.
 */
export const activeEditor = (lastEditor: Pick<LastEditor, 'get'>): vscode.TextEditor | undefined =>
  editorInFront() ?? lastEditor.get();
