/**
 * Marks comments and findings on cells with the places and texts of the cells. Another window needs them to find the cells: it has
 * other URIs for them if the notebook was changed before it was opened there.
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
   * The stored form of an item, with the current place and text of its cell. Until the cell is found in this window, the stored mark
   * is kept, because the URI can be that of another cell here.
   *
   * @param closing a notebook that was just closed and is no longer among the open ones
   */
  toStored<Item extends OnFile>(one: Item, closing?: vscode.NotebookDocument): Item;
  /** A stored item with the URI that its cell has in this window, unless this window stored the item. */
  fromStored<Item extends OnFile>(one: Item): Item;
  /** The same for items that were stored before the window started. Their cells are found when their notebooks are opened. */
  fromEarlier<Item extends OnFile>(one: Item): Item;
  /**
   * An item after the cells of a notebook were found. The cell of an item from another window is looked for by itself, because its
   * URI there can be that of another cell here.
   *
   * @param now the new URIs of the cells, by the previous ones; undefined to look in all open notebooks
   */
  moved<Item extends OnFile>(one: Item, now?: ReadonlyMap<string, string>): Item;
}

export function createMarkedCells(): MarkedCells {
  /** For each item, its place as stored last, its URI in this window, and whether its cell wasn't found here yet. */
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
      // The item stays on its cell, also if the cell has another place or text in the other window.
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

/** The marked cells of items, to find them in notebooks that are opened later. */
export const markedIn = (all: readonly OnFile[]): NumberedCells =>
  all.flatMap(({ uri, cell }) => (uri === undefined || cell === undefined ? [] : [{ uri, ...cell }]));

const placeOf = ({ uri, cell }: OnFile): string => JSON.stringify([uri, cell?.label, cell?.text]);

/**
 * The mark of a cell; undefined if the URI isn't that of a cell in an open notebook.
 *
 * @param closing as for `toStored`
 */
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

/** The URI of a marked cell in this window; undefined if the cell isn't in an open notebook. */
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
