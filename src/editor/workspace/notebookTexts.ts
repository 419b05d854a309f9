/** The cells of a notebook. They are sent instead of its file, which can be older and contains them as JSON. */
import * as vscode from 'vscode';
import { toPath } from './selectedCode.ts';
import { normalizeText } from './textSources.ts';

/** Finds an open notebook by its URI. */
export const findNotebook = (place: vscode.Uri): vscode.NotebookDocument | undefined =>
  vscode.workspace.notebookDocuments.find(({ uri }) => uri.toString() === place.toString());

/** Whether a file is open as a notebook. Its text must not be changed then, because the cells can have other changes. */
export const isOpenAsNotebook = (uri: string): boolean => findNotebook(vscode.Uri.parse(uri)) !== undefined;

/** The current cells of an open notebook, by their paths. Undefined if the URI isn't that of an open notebook. */
export function openCellsOf(
  uri: vscode.Uri,
): readonly { readonly path: string; readonly text: string }[] | undefined {
  return findNotebook(uri)
    ?.getCells()
    .map(({ document }) => ({ path: toPath(document), text: normalizeText(document.getText()) }));
}

/**
 * Finds a cell of an open notebook by its path as users and the model see it: the path of the notebook, and the number of
 * the cell.
 */
export function findCell(path: string): vscode.Uri | undefined {
  const [name, number] = splitCellPath(path);
  const open = vscode.workspace.notebookDocuments.find(({ uri }) => toPath({ uri }) === name);
  return open?.getCells()[number - 1]?.document.uri;
}

/** Finds a cell of an open notebook by a URI that can be written in another way, for example with `..`. */
export function findCellAt(uri: vscode.Uri): vscode.Uri | undefined {
  const cell = splitCellUri(uri);
  return cell?.open?.getCells()[cell.number - 1]?.document.uri;
}

/**
 * For the URI of a cell that its notebook doesn't have: the path of the notebook, and its number of cells, which is
 * undefined unless the notebook is open. Undefined for a URI that isn't that of a cell.
 */
export function findMissingCell(
  uri: vscode.Uri,
): { readonly notebook: string; readonly count: number | undefined } | undefined {
  const { notebook, open } = splitCellUri(uri) ?? {};
  if (notebook === undefined || (open === undefined && !notebook.path.endsWith('.ipynb'))) return undefined;
  return { notebook: toPath({ uri: notebook }), count: open?.cellCount };
}

function splitCellUri(uri: vscode.Uri) {
  const [path, number] = splitCellPath(uri.path);
  if (path === '') return undefined;
  // `joinPath` also removes `..`, which a path from the model can contain.
  const notebook = vscode.Uri.joinPath(uri.with({ path }));
  return { notebook, number, open: findNotebook(notebook) };
}

/** The path of a notebook, and the number of the cell, from 1. The path is empty if there is no such number. */
function splitCellPath(path: string): readonly [path: string, number: number] {
  const [, name = '', number] = /^(.+)#(\d+)$/.exec(path) ?? [];
  return [name, Number(number)];
}
