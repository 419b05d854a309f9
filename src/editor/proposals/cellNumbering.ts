/** Finds the cells with hunks when their notebook is opened again, because they have other URIs then. */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { renamedUri } from '../../review/proposals/fileChanges.ts';
import type { FileProposal, Proposal } from '../../review/proposals/proposal.ts';
import { closedCells, toCellsNow, withCellsNow } from '../../review/proposals/renumberedCells.ts';
import { tryDecode } from '../../validation/decode.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { toLocal } from '../context/heldReferences.ts';
import { toPath } from '../workspace/selectedCode.ts';
import { isCell, normalizeText, notebookOf } from '../workspace/textSources.ts';

export type NumberedCells = v.InferOutput<typeof closedCells>;

const KEY = 'k3.closedCells';
/** The number of notebooks to store. The latest are kept. */
const MAX_NOTEBOOKS = 20;

export interface CellNumbering extends vscode.Disposable {
  /** Called when a document is opened, before its text is compared with that of the hunks. */
  number(document: vscode.TextDocument): void;
  /** Called when a file or folder was renamed. */
  rename(from: vscode.Uri, to: vscode.Uri): void;
  /**
   * A proposal of another window, with the URIs that its cells have in this window.
   *
   * @param isNew whether this window doesn't have the proposal yet. If it has, the proposal already has the URIs of this window
   */
  here(proposal: Proposal, isNew: boolean): Proposal;
  /**
   * A proposal after the cells of a notebook were found. The cells of a proposal from another window are looked for by themselves.
   *
   * @param now as for `onMoved`
   */
  moved(proposal: Proposal, now: ReadonlyMap<string, string>): Proposal;
}

/** The data that is stored for the next window. */
export interface KeptCells {
  readonly state: Pick<vscode.Memento, 'get' | 'update'>;
  /** Whether a cell has hunks, comments, or other things that move with it. Other cells aren't stored. */
  isFollowed(uri: string): boolean;
  /** The cells of stored comments and findings, also those of another window or of one that was killed. */
  marked?(): NumberedCells;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Creates the numbering. The cells of a notebook are opened one after the other. When the first one is opened, all are found.
 *
 * @param files the files with hunks; if several are for one cell, the first one counts
 * @param onMoved called with the new URIs of a notebook's cells, by the previous ones
 */
export function createCellNumbering(
  files: () => readonly FileProposal[],
  onMoved: (now: ReadonlyMap<string, string>) => void,
  kept?: KeptCells,
): CellNumbering {
  const numbered = new WeakSet<vscode.NotebookDocument>();
  const closed = createClosedCells(kept);
  /** The IDs of proposals from other windows with a cell that wasn't found in this window yet. */
  const lost = new Set<string>();

  function here(proposal: Proposal, isNew: boolean): Proposal {
    // Only notebooks that are already numbered. Those that are being opened are handled then.
    const notebooks = vscode.workspace.notebookDocuments.filter((one) => numbered.has(one));
    const found = notebooks.reduce(
      (one, notebook) => withCellsNow(one, toCellsNow(hunksIn(one.files), cellsOf(notebook)), cellLabelOf),
      proposal,
    );
    const isFound = ({ uri }: { readonly uri: string }) =>
      notebooks.some((notebook) => cellsOf(notebook).some((cell) => cell.uri === uri));
    if (hunksIn(found.files).every(isFound)) lost.delete(found.id);
    else if (isNew) lost.add(found.id);
    return found;
  }

  const closing = vscode.workspace.onDidCloseNotebookDocument(closed.put);
  return {
    number({ uri }) {
      const notebook = isCell(uri) ? notebookOf(uri) : undefined;
      if (notebook === undefined || numbered.has(notebook)) return;
      numbered.add(notebook);
      const marked = kept?.marked?.() ?? [];
      const [known, cells] = [[...closed.take(notebook), ...hunksIn(files())], cellsOf(notebook)];
      // Both are looked for separately, because a marked cell and a known one can be the same cell with different URIs.
      const now = new Map([...toCellsNow(marked, cells), ...toCellsNow(known, cells)]);
      // Reported also without changed URIs, because the cells that another window has stored are found separately by the listeners.
      const isStored = lost.size > 0 || marked.some((one) => now.has(one.uri));
      if (isStored || [...now].some(([from, to]) => from !== to)) onMoved(now);
    },
    rename: closed.rename,
    here,
    moved: (proposal, now) =>
      lost.has(proposal.id) ? here(proposal, false) : withCellsNow(proposal, now, cellLabelOf),
    dispose() {
      closing.dispose();
      // Stored, because the next window gives the cells of these notebooks other URIs.
      vscode.workspace.notebookDocuments.forEach(closed.put);
    },
  };
}

/** Remembers the cells of notebooks that were closed. */
function createClosedCells(kept: KeptCells | undefined) {
  /** The stored cells, by the URI of the notebook. */
  const stored = new Map(
    Object.entries(tryDecode(v.record(v.string(), closedCells), kept?.state.get(KEY)) ?? {}),
  );
  /** All cells of closed notebooks, not only those with hunks. */
  const closed = new Map(stored);

  function keep(): void {
    if (kept === undefined) return;
    const all = Object.fromEntries([...stored].slice(-MAX_NOTEBOOKS));
    inBackground(kept.log, kept.state.update(KEY, all), 'saving where the cells of notebooks are');
  }

  /** Removes and returns the cells of a notebook that is open again. */
  function take({ uri }: vscode.NotebookDocument): NumberedCells {
    const address = uri.toString();
    const cells = closed.get(address) ?? [];
    closed.delete(address);
    if (stored.delete(address)) keep();
    return cells;
  }

  return {
    take,
    put(notebook: vscode.NotebookDocument): void {
      take(notebook);
      const address = notebook.uri.toString();
      const cells = notebook
        .getCells()
        .map(({ document }, at) => ({ ...toCell(document), label: `#${at + 1}` }));
      closed.set(address, cells);
      const followed = cells.filter(({ uri }) => kept?.isFollowed(uri));
      if (followed.length === 0) return;
      stored.set(address, followed);
      keep();
    },
    rename(from: vscode.Uri, to: vscode.Uri): void {
      renameAll(closed, from, to);
      if (renameAll(stored, from, to)) keep();
    },
  };
}

/** Renames the notebooks below a renamed file or folder. Returns whether there are any. */
function renameAll(all: Map<string, NumberedCells>, from: vscode.Uri, to: vscode.Uri): boolean {
  let found = false;
  for (const [address, cells] of [...all]) {
    const now = renamedUri(address, from.toString(), to.toString());
    if (now === undefined) continue;
    found = true;
    all.delete(address);
    const renamed = ({ uri }: { readonly uri: string }) => renamedCell(uri, from, to)?.toString() ?? uri;
    all.set(
      now,
      cells.map((cell) => ({ ...cell, uri: renamed(cell) })),
    );
  }
  return found;
}

/** The URI of a cell after its notebook or a folder above it was renamed; undefined if the cell isn't in it. */
export function renamedCell(address: string, from: vscode.Uri, to: vscode.Uri): vscode.Uri | undefined {
  const cell = vscode.Uri.parse(address);
  const path = isCell(cell) ? renamedUri(cell.path, from.path, to.path) : undefined;
  if (path === undefined) return undefined;
  const scheme = schemeIn(cell);
  const isRemote = scheme === 'vscode-remote' && from.scheme === 'file';
  const isIn = isRemote || (scheme === from.scheme && cell.authority === from.authority);
  return isIn ? cell.with({ path }) : undefined;
}

/** The URI of the notebook file of a cell. Other URIs are returned unchanged. */
export function fileAddressOf(address: string): string {
  if (!address.startsWith('vscode-notebook-cell:')) return address;
  const cell = vscode.Uri.parse(address);
  return toLocal(cell.with({ scheme: schemeIn(cell), fragment: '' })).toString();
}

/** The scheme of the notebook's URI in the window. It can differ from the scheme of the file, see `toLocal`. */
const schemeIn = ({ fragment }: vscode.Uri): string =>
  Buffer.from(fragment.replace(/^.*?s/, ''), 'base64').toString();

export const toCell = (document: vscode.TextDocument) => ({
  uri: document.uri.toString(),
  text: hashOf(document.getText()),
});

export const cellsOf = (notebook: vscode.NotebookDocument) =>
  notebook.getCells().map(({ document }) => toCell(document));

const hunksIn = (files: readonly FileProposal[]) =>
  files
    .filter(({ uri }) => uri.startsWith('vscode-notebook-cell:'))
    .map(({ uri, label, text }) => ({ uri, label, text: hashOf(text) }));

/** The label of a cell for the user. */
export const cellLabelOf = (uri: string): string => toPath({ uri: vscode.Uri.parse(uri) });

const hashOf = (text: string): string => createHash('sha1').update(normalizeText(text)).digest('base64');
