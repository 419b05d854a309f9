/**
 * Comments and findings on cells, which another window finds by their places and texts: it has other URIs for the cells of a notebook that
 * was changed before it was opened there.
 */
import * as vscode from 'vscode';
import { type CellMark, isSameNotebook, toCellsNow } from '../../review/proposals/renumberedCells.ts';
import { cellsOf, type NumberedCells, toCell } from './cellNumbering.ts';

interface OnFile {
  readonly id: string;
  readonly uri: string | undefined;
  readonly cell?: CellMark;
}

export interface MarkedCells {
  /**
   * What is stored, with the place and the text that its cell has now. Until its cell is found here, its URI can be that of another
   * one, and what was stored of it is kept.
   *
   * @param closing a notebook that was just closed, which is no longer among those that are open
   */
  toStored<Item extends OnFile>(one: Item, closing?: vscode.NotebookDocument): Item;
  /** What is stored, with the URI that its cell has here, if this window hasn't stored it so. */
  fromStored<Item extends OnFile>(one: Item): Item;
  /** The same for what was stored before the window began. Its cells are found when their notebooks are opened. */
  fromEarlier<Item extends OnFile>(one: Item): Item;
  /**
   * An item when the cells of a notebook were found. One that another window has stored is found by itself, because the URI that
   * its cell has there can be that of another one here.
   *
   * @param now the URIs that the cells have now, by those that they had; undefined for all notebooks that are open
   */
  moved<Item extends OnFile>(one: Item, now?: ReadonlyMap<string, string>): Item;
}

export function createMarkedCells(): MarkedCells {
  /** The place as it was last stored, the URI that this is here, and whether its cell was not found here yet. */
  const known = new Map<
    string,
    { readonly stored: string; readonly uri: string | undefined; readonly isLost: boolean }
  >();

  function know<Item extends OnFile>(one: Item, uri = one.uri, isLost = false): Item {
    known.set(one.id, { stored: placeOf(one), uri, isLost });
    return uri === one.uri ? one : { ...one, uri };
  }

  function find<Item extends OnFile>(one: Item): Item {
    const found = uriHere(one);
    return know(one, found, found === undefined && isMarked(one));
  }

  return {
    toStored(one, closing) {
      const isLost = known.get(one.id)?.isLost === true;
      const cell = isLost ? undefined : markOf(one.uri, closing);
      return know(cell === undefined ? one : { ...one, cell }, one.uri, isLost);
    },
    fromStored(one) {
      const own = known.get(one.id);
      if (own === undefined || own.isLost) return find(one);
      // It stays on its cell, also if this has another place or text in the other window.
      const isHere = own.stored === placeOf(one) || markOf(own.uri) !== undefined;
      return isHere ? know(one, own.uri) : find(one);
    },
    fromEarlier: (one) => know(one, one.uri, isMarked(one)),
    moved(one, now) {
      if (known.get(one.id)?.isLost !== true) {
        const uri = now?.get(one.uri ?? '') ?? one.uri;
        return uri === one.uri ? one : { ...one, uri };
      }
      const [other] = now?.values() ?? [one.uri];
      return other !== undefined && isSameNotebook(one.uri, other) ? find(one) : one;
    },
  };
}

/** Those of their notebooks that are opened later. */
export const markedIn = (all: readonly OnFile[]): NumberedCells =>
  all.flatMap(({ uri, cell }) => (uri === undefined || cell === undefined ? [] : [{ uri, ...cell }]));

const placeOf = ({ uri, cell }: OnFile): string => JSON.stringify([uri, cell?.label, cell?.text]);

/** Undefined if it is no cell of an open notebook. @param closing as for `toStored` */
export function markOf(address: string | undefined, closing?: vscode.NotebookDocument): CellMark | undefined {
  if (!isOnCell(address)) return undefined;
  for (const notebook of [
    ...(closing === undefined ? [] : [closing]),
    ...vscode.workspace.notebookDocuments,
  ]) {
    const cells = notebook.getCells();
    const at = cells.findIndex(({ document }) => document.uri.toString() === address);
    const cell = cells[at];
    if (cell !== undefined) return { label: `#${at + 1}`, text: toCell(cell.document).text };
  }
  return undefined;
}

/** Undefined if it isn't in a notebook that is open. */
export function uriHere({ uri, cell }: Pick<OnFile, 'uri' | 'cell'>): string | undefined {
  if (!isOnCell(uri) || cell === undefined) return undefined;
  for (const notebook of vscode.workspace.notebookDocuments) {
    const now = toCellsNow([{ uri, ...cell }], cellsOf(notebook)).get(uri);
    if (now !== undefined) return now;
  }
  return undefined;
}

const isMarked = ({ uri, cell }: OnFile): boolean => isOnCell(uri) && cell !== undefined;

const isOnCell = (uri: string | undefined): uri is string =>
  uri?.startsWith('vscode-notebook-cell:') === true;
