/** Notebooks that are renamed: their cells get other URIs, which the editor doesn't report. */
import * as vscode from 'vscode';
import { isAtOrBelow, renamedUri } from '../../review/fileChanges.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';

type Renames = vscode.FileRenameEvent['files'];

/** A notebook before it is renamed. The editor may close it before it reports the new name. */
interface Before {
  readonly uri: string;
  readonly cells: readonly { readonly uri: vscode.Uri; readonly text: string }[];
}

/** @param onRenamed called for each cell, when the notebook is open under its new name */
export function registerRenamedNotebooks(
  onRenamed: (from: vscode.Uri, to: vscode.Uri) => void,
  log: Pick<Log, 'warn'>,
): vscode.Disposable {
  let before: readonly Before[] = [];

  async function follow(files: Renames, known: readonly Before[]): Promise<void> {
    for (const { uri, cells } of known) {
      const [renamed] = files.flatMap(
        ({ oldUri, newUri }) => renamedUri(uri, oldUri.toString(), newUri.toString()) ?? [],
      );
      if (renamed === undefined) continue;
      const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.parse(renamed));
      const now = notebook.getCells().map(({ document }) => document);
      cells.forEach((cell, at) => {
        const same = now[at];
        if (same?.getText() === cell.text) onRenamed(cell.uri, same.uri);
      });
    }
  }

  return vscode.Disposable.from(
    vscode.workspace.onWillRenameFiles(({ files }) => {
      before = vscode.workspace.notebookDocuments
        .filter(({ uri }) => files.some(({ oldUri }) => isAtOrBelow(uri.toString(), oldUri.toString())))
        .map((notebook) => ({ uri: notebook.uri.toString(), cells: notebook.getCells().map(toCell) }));
    }),
    vscode.workspace.onDidRenameFiles(({ files }) => {
      if (before.length > 0)
        inBackground(log, follow(files, before), 'finding the cells of a renamed notebook');
      before = [];
    }),
  );
}

const toCell = ({ document }: vscode.NotebookCell) => ({ uri: document.uri, text: document.getText() });
