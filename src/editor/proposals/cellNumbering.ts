/** Finds the cells with hunks when their notebook is opened again, because they have other URIs then. */
import type * as vscode from 'vscode';
import type { FileProposal } from '../../review/proposal.ts';
import { toCellsNow } from '../../review/renumberedCells.ts';
import { isCell, notebookOf } from '../workspace/textSources.ts';

/**
 * Returns what to call when a document is opened, before what is in it is compared. The cells of a notebook are opened one
 * after the other; the first one finds all.
 *
 * @param files those with hunks; of two for one cell, the first one counts
 * @param onMoved called with the URIs that the cells of a notebook have now, by those that they had
 */
export function createCellNumbering(
  files: () => readonly FileProposal[],
  onMoved: (now: ReadonlyMap<string, string>) => void,
): (document: vscode.TextDocument) => void {
  const numbered = new WeakSet<vscode.NotebookDocument>();
  return ({ uri }) => {
    const notebook = isCell(uri) ? notebookOf(uri) : undefined;
    if (notebook === undefined || numbered.has(notebook)) return;
    numbered.add(notebook);
    const cells = notebook
      .getCells()
      .map(({ document }) => ({ uri: document.uri.toString(), text: document.getText() }));
    const now = toCellsNow(files(), cells);
    if ([...now].some(([from, to]) => from !== to)) onMoved(now);
  };
}
