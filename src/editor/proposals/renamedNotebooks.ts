/** Follows renamed notebooks. Their cells get other URIs, which the editor doesn't report. */
import * as vscode from 'vscode';
import { isAtOrBelow, renamedUri } from '../../review/proposals/fileChanges.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { renamedCell } from './cellNumbering.ts';

type Renames = vscode.FileRenameEvent['files'];

/** The cells of a notebook before it is renamed. The editor may close it before it reports the new name. */
type Cells = readonly vscode.TextDocument[];

export interface RenamedNotebooks extends vscode.Disposable {
  /** Resolves when the cells of all notebooks renamed so far have been reported. */
  settled(): Promise<void>;
  /** Called when another program has renamed an open notebook, which the editor keeps open under its earlier name. */
  follow(open: vscode.NotebookDocument, renamed: vscode.Uri): void;
}

/**
 * Creates the listeners.
 *
 * @param onRenamed called for each cell: when the notebook is open under its new name, or at once if it isn't open
 * @param followed the URIs of the followed files and cells, also those in notebooks that aren't open
 */
export function followRenamedNotebooks(
  onRenamed: (from: vscode.Uri, to: vscode.Uri) => void,
  followed: () => ReadonlySet<string>,
  log: Pick<Log, 'warn'>,
): RenamedNotebooks {
  /** The cells by the URI of their notebook, because several notebooks can be renamed at the same time. */
  const before = new Map<string, Cells>();
  const following = new Set<Promise<void>>();

  async function findCells(renamed: string, cells: Cells): Promise<void> {
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.parse(renamed));
    const now = cellsIn(notebook);
    cells.forEach((cell, at) => {
      const same = now[at];
      if (same?.getText() === cell.getText()) onRenamed(cell.uri, same.uri);
    });
  }

  function follow(renamed: string, cells: Cells): void {
    const run = findCells(renamed, cells);
    const ended: Promise<void> = run.then(
      () => void following.delete(ended),
      () => void following.delete(ended),
    );
    following.add(ended);
    inBackground(log, run, 'finding the cells of a renamed notebook');
  }

  /** Reports the cells of notebooks that aren't open. They keep their numbers. */
  function renameClosed(files: Renames): void {
    for (const cell of followed())
      for (const { oldUri, newUri } of files) {
        const now = renamedCell(cell, oldUri, newUri);
        if (now === undefined) continue;
        const from = vscode.Uri.parse(cell);
        const notebook = oldUri.with({ path: from.path });
        if (!before.has(notebook.toString())) onRenamed(from, now);
      }
  }

  function renamed(files: Renames): void {
    renameClosed(files);
    for (const [uri, cells] of before) {
      const [now] = files.flatMap(
        ({ oldUri, newUri }) => renamedUri(uri, oldUri.toString(), newUri.toString()) ?? [],
      );
      if (now === undefined) continue;
      before.delete(uri);
      follow(now, cells);
    }
  }

  const listeners = vscode.Disposable.from(
    vscode.workspace.onWillRenameFiles(({ files }) => {
      const isRenamed = (uri: string) => files.some(({ oldUri }) => isAtOrBelow(uri, oldUri.toString()));
      // The editor doesn't report an earlier rename that was refused. The notebook may have been changed and closed since.
      for (const uri of [...before.keys()].filter(isRenamed)) before.delete(uri);
      for (const notebook of vscode.workspace.notebookDocuments) {
        const uri = notebook.uri.toString();
        if (isRenamed(uri)) before.set(uri, cellsIn(notebook));
      }
    }),
    vscode.workspace.onDidRenameFiles(({ files }) => renamed(files)),
  );
  return {
    settled: async () => void (await Promise.all(following)),
    follow: (open, renamed) => follow(renamed.toString(), cellsIn(open)),
    dispose: () => listeners.dispose(),
  };
}

const cellsIn = (notebook: vscode.NotebookDocument): Cells =>
  notebook.getCells().map(({ document }) => document);
