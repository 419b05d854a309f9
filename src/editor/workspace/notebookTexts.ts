/** The texts of the cells of a notebook: they are sent instead of its file, which can be older, and has them as JSON. */
import * as v from 'valibot';
import * as vscode from 'vscode';
import { decode } from '../../validation/decode.ts';

const notebook = v.object({
  cells: v.array(v.object({ source: v.union([v.string(), v.array(v.string())]) })),
});

/** @param file the text of the file. Empty for a file that is no notebook, or one that can't be read */
export function cellTextsOf(uri: vscode.Uri, file: string): readonly string[] {
  const open = vscode.workspace.notebookDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open !== undefined) return open.getCells().map(({ document }) => document.getText());
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
