/** Notebooks on the disk. */
import * as vscode from 'vscode';

/** The content of a notebook whose cells are code. */
export const toNotebook = (...cells: readonly string[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      cells: cells.map((text) => ({
        cell_type: 'code',
        source: text.split(/(?<=\n)/),
        metadata: {},
        outputs: [],
      })),
      metadata: {},
      nbformat: 4,
      nbformat_minor: 5,
    }),
  );

/** Writes a notebook, and opens it without an editor. */
export async function openNotebook(uri: vscode.Uri, ...cells: readonly string[]) {
  await vscode.workspace.fs.writeFile(uri, toNotebook(...cells));
  return vscode.workspace.openNotebookDocument(uri);
}
