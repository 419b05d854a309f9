/** The cells of a notebook: they are sent instead of its file, which can be older, and has them as JSON. */
import * as v from 'valibot';
import * as vscode from 'vscode';
import { decode } from '../../validation/decode.ts';
import { toPath } from './selectedCode.ts';
import { normalizeText } from './textSources.ts';

const notebook = v.object({
  cells: v.array(v.object({ source: v.union([v.string(), v.array(v.string())]) })),
});

/** An open notebook by its address. */
export const findNotebook = (place: vscode.Uri): vscode.NotebookDocument | undefined =>
  vscode.workspace.notebookDocuments.find(({ uri }) => uri.toString() === place.toString());

/** The cells of an open notebook as they are now, by their paths. Undefined if there is no notebook, or it isn't open. */
export function openCellsOf(
  uri: vscode.Uri,
): readonly { readonly path: string; readonly text: string }[] | undefined {
  return findNotebook(uri)
    ?.getCells()
    .map(({ document }) => ({ path: toPath(document), text: normalizeText(document.getText()) }));
}

/** A cell of an open notebook by its path as users and the model get it: that of the notebook, and its number. */
export function findCell(path: string): vscode.Uri | undefined {
  const [name, number] = splitCellPath(path);
  const open = vscode.workspace.notebookDocuments.find(({ uri }) => toPath({ uri }) === name);
  return open?.getCells()[number - 1]?.document.uri;
}

/** The same by where its path leads, however it is written. */
export function findCellAt(uri: vscode.Uri): vscode.Uri | undefined {
  const cell = splitCellUri(uri);
  return cell?.open?.getCells()[cell.number - 1]?.document.uri;
}

/**
 * The path of the notebook in the place of a cell that it doesn't have, and how many it has: undefined unless it is open. Nothing
 * for a place that isn't that of a cell.
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
  // It also removes `..`, which a path from the model can have.
  const notebook = vscode.Uri.joinPath(uri.with({ path }));
  return { notebook, number, open: findNotebook(notebook) };
}

/** The path of a notebook, and the number of the cell, from 1. The path is empty for one without such a number. */
function splitCellPath(path: string): readonly [path: string, number: number] {
  const [, name = '', number] = /^(.+)#(\d+)$/.exec(path) ?? [];
  return [name, Number(number)];
}

/** @param file the text of the file. Empty for a file that is no notebook, or one that can't be read */
export function cellTextsOf(uri: vscode.Uri, file: string): readonly string[] {
  const open = openCellsOf(uri);
  if (open !== undefined) return open.map(({ text }) => text);
  if (!uri.path.endsWith('.ipynb')) return [];
  const decoded = decode(notebook, parse(file));
  return decoded.ok ? decoded.value.cells.map(({ source }) => [source].flat().join('')) : [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not a notebook that can be opened: it is sent as text, which is searched as it is.
    return undefined;
  }
}
