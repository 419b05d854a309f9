/** The text editor that was active last. While the chat has the focus, no text editor is active. */
import * as vscode from 'vscode';

export interface LastEditor extends vscode.Disposable {
  get(): vscode.TextEditor | undefined;
}

/** Output channels are text editors, too, and so are the boxes of comments, and the help and the view for screen readers. */
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

/** The file of the active tab. While the box of a thread has the focus, that is the active text editor. */
export function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

/** The active editor; while the cursor is in the box of a comment or of an edit, the one around it. */
export function editorInFront(): vscode.TextEditor | undefined {
  const { activeTextEditor: active, tabGroups, visibleTextEditors } = vscode.window;
  if (active?.document.uri.scheme !== 'comment') return active;
  const uri = activeFile()?.toString();
  const around = visibleTextEditors.filter((one) => one.document.uri.toString() === uri);
  // The sides of a diff have no column.
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
 * The editor that a command is about: the one in front, which can be an output channel. Without one, as while a chat in a tab is
 * active, the one before.
 */
export const activeEditor = (lastEditor: Pick<LastEditor, 'get'>): vscode.TextEditor | undefined =>
  editorInFront() ?? lastEditor.get();
