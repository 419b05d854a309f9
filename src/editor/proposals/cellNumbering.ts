/** Finds the cells when their notebook is opened again, because they have other URIs then. */
import * as vscode from 'vscode';
import type { FileProposal, Proposal } from '../../review/proposal.ts';
import { toCellsNow, withCellsNow } from '../../review/renumberedCells.ts';
import { toPath } from '../workspace/selectedCode.ts';
import { isCell, notebookOf } from '../workspace/textSources.ts';

type NumberedCell = Pick<FileProposal, 'uri' | 'label' | 'text'>;

export interface CellNumbering extends vscode.Disposable {
  /** Called when a document is opened, before what is in it is compared. */
  number(document: vscode.TextDocument): void;
  /** A proposal of another window, in which cells can have other URIs than in the notebooks that are open here. */
  here(proposal: Proposal): Proposal;
}

/**
 * The cells of a notebook are opened one after the other; the first one finds all.
 *
 * @param files those with hunks; of two for one cell, the first one counts
 * @param onMoved called with the URIs that the cells of a notebook have now, by those that they had
 */
export function createCellNumbering(
  files: () => readonly FileProposal[],
  onMoved: (now: ReadonlyMap<string, string>) => void,
): CellNumbering {
  const numbered = new WeakSet<vscode.NotebookDocument>();
  /** All cells of notebooks that were closed in this session, by the URI of the notebook: what is on one need not be a hunk. */
  const closed = new Map<string, readonly NumberedCell[]>();
  const closing = vscode.workspace.onDidCloseNotebookDocument((notebook) => {
    closed.set(
      notebook.uri.toString(),
      cellsOf(notebook).map((cell, at) => ({ ...cell, label: `#${at + 1}` })),
    );
  });
  return {
    number({ uri }) {
      const notebook = isCell(uri) ? notebookOf(uri) : undefined;
      if (notebook === undefined || numbered.has(notebook)) return;
      numbered.add(notebook);
      const address = notebook.uri.toString();
      const now = toCellsNow([...files(), ...(closed.get(address) ?? [])], cellsOf(notebook));
      closed.delete(address);
      if ([...now].some(([from, to]) => from !== to)) onMoved(now);
    },
    here: (proposal) =>
      vscode.workspace.notebookDocuments.reduce(
        (one, notebook) => withCellsNow(one, toCellsNow(one.files, cellsOf(notebook)), toLabel),
        proposal,
      ),
    dispose: () => closing.dispose(),
  };
}

const cellsOf = (notebook: vscode.NotebookDocument) =>
  notebook.getCells().map(({ document }) => ({ uri: document.uri.toString(), text: document.getText() }));

/** The name of a cell. */
export const toLabel = (uri: string): string => toPath({ uri: vscode.Uri.parse(uri) });
