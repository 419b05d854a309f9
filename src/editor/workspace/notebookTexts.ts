/** The cells of a notebook: they are sent instead of its file, which can be older, and has them as JSON. */
import * as v from 'valibot';
import * as vscode from 'vscode';
import { decode } from '../../validation/decode.ts';
import { toPath } from './selectedCode.ts';
import { normalizeText } from './textSources.ts';

const notebook = v.object({
  cells: v.array(v.object({ source: v.union([v.string(), v.array(v.string())]) })),
});

/** The cells of an open notebook as they are now, by their paths. Undefined if there is no notebook, or it isn't open. */
export function openCellsOf(
  uri: vscode.Uri,
): readonly { readonly path: string; readonly text: string }[] | undefined {
  const open = vscode.workspace.notebookDocuments.find((one) => one.uri.toString() === uri.toString());
  return open
    ?.getCells()
    .map(({ document }) => ({ path: toPath(document), text: normalizeText(document.getText()) }));
}

/** A cell of an open notebook by its path, which is that of the notebook and its number. */
export function findCell(path: string): vscode.Uri | undefined {
  const { open, number } = splitCellPath(path);
  return open?.getCells()[number - 1]?.document.uri;
}

/**
 * The notebook in the path of a cell that it doesn't have, and how many it has: undefined unless it is open. Nothing for a path
 * that isn't that of a cell.
 */
export function findMissingCell(
  path: string,
): { readonly notebook: string; readonly count: number | undefined } | undefined {
  const { name, open } = splitCellPath(path);
  return open !== undefined || name.endsWith('.ipynb')
    ? { notebook: name, count: open?.cellCount }
    : undefined;
}

function splitCellPath(path: string) {
  const [, name = '', number] = /^(.+)#(\d+)$/.exec(path) ?? [];
  const open = vscode.workspace.notebookDocuments.find(({ uri }) => toPath({ uri }) === name);
  return { name, number: Number(number), open };
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
