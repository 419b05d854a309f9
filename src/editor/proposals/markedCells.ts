/**
 * Comments and findings on cells, which another window finds by their places and texts: it has other URIs for the cells of a notebook that
 * was changed before it was opened there.
 */
import * as vscode from 'vscode';
import { type CellMark, toCellsNow } from '../../review/renumberedCells.ts';
import { cellsOf, type NumberedCells, toCell } from './cellNumbering.ts';

interface OnFile {
  readonly id: string;
  readonly uri: string | undefined;
  readonly cell?: CellMark;
}

export interface MarkedCells {
  /** What is stored, with the place and the text that its cell has now. */
  toStored<Item extends OnFile>(one: Item): Item;
  /** What is stored, with the URI that its cell has here, if this window hasn't stored it so. */
  fromStored<Item extends OnFile>(one: Item): Item;
  /** The same for what was stored before the window began. The URIs of its cells are found as those of hunks are. */
  fromEarlier<Item extends OnFile>(one: Item): Item;
  /** An item with the URI that its cell has here, if its notebook is open. */
  here<Item extends OnFile>(one: Item): Item;
}

export function createMarkedCells(): MarkedCells {
  /** The place as it was last stored, and the URI that this is here. */
  const known = new Map<string, { readonly stored: string; readonly uri: string | undefined }>();

  function know<Item extends OnFile>(one: Item, uri = one.uri): Item {
    known.set(one.id, { stored: placeOf(one), uri });
    return uri === one.uri ? one : { ...one, uri };
  }

  return {
    toStored(one) {
      const cell = markOf(one.uri);
      return know(cell === undefined ? one : { ...one, cell });
    },
    fromStored(one) {
      const own = known.get(one.id);
      return know(one, own?.stored === placeOf(one) ? own.uri : uriHere(one));
    },
    fromEarlier: (one) => know(one),
    here: (one) => know(one, uriHere(one)),
  };
}

/** Those of their notebooks that are opened later. */
export const markedIn = (all: readonly OnFile[]): NumberedCells =>
  all.flatMap(({ uri, cell }) => (uri === undefined || cell === undefined ? [] : [{ uri, ...cell }]));

const placeOf = ({ uri, cell }: OnFile): string => JSON.stringify([uri, cell?.label, cell?.text]);

function markOf(address: string | undefined): CellMark | undefined {
  if (!isOnCell(address)) return undefined;
  for (const notebook of vscode.workspace.notebookDocuments) {
    const cells = notebook.getCells();
    const at = cells.findIndex(({ document }) => document.uri.toString() === address);
    const cell = cells[at];
    if (cell !== undefined) return { label: `#${at + 1}`, text: toCell(cell.document).text };
  }
  return undefined;
}

function uriHere({ uri, cell }: OnFile): string | undefined {
  if (!isOnCell(uri) || cell === undefined) return uri;
  for (const notebook of vscode.workspace.notebookDocuments) {
    const now = toCellsNow([{ uri, ...cell }], cellsOf(notebook)).get(uri);
    if (now !== undefined) return now;
  }
  return uri;
}

const isOnCell = (uri: string | undefined): uri is string =>
  uri?.startsWith('vscode-notebook-cell:') === true;
