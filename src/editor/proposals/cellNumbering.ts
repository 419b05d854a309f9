/** Finds the cells when their notebook is opened again, because they have other URIs then. */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { renamedUri } from '../../review/proposals/fileChanges.ts';
import type { FileProposal, Proposal } from '../../review/proposals/proposal.ts';
import { closedCells, toCellsNow, withCellsNow } from '../../review/proposals/renumberedCells.ts';
import { tryDecode } from '../../validation/decode.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { toPath } from '../workspace/selectedCode.ts';
import { isCell, normalizeText, notebookOf } from '../workspace/textSources.ts';

export type NumberedCells = v.InferOutput<typeof closedCells>;

const KEY = 'k3.closedCells';
/** The number of notebooks that are kept, the last ones. */
const MAX_NOTEBOOKS = 20;

export interface CellNumbering extends vscode.Disposable {
  /** Called when a document is opened, before what is in it is compared. */
  number(document: vscode.TextDocument): void;
  /** A file or folder has another name now. */
  rename(from: vscode.Uri, to: vscode.Uri): void;
  /**
   * A proposal of another window, in which cells can have other URIs than in the notebooks that are open here.
   *
   * @param isNew this window doesn't have it yet. One that it has is on its own cells
   */
  here(proposal: Proposal, isNew: boolean): Proposal;
  /** A proposal when the cells of a notebook were found. One of another window is found by itself. @param now as for `onMoved` */
  moved(proposal: Proposal, now: ReadonlyMap<string, string>): Proposal;
}

/** What is kept for the next window. */
export interface KeptCells {
  readonly state: Pick<vscode.Memento, 'get' | 'update'>;
  /** Whether there is something in a cell that moves with it. Others are not kept. */
  isFollowed(uri: string): boolean;
  /** The cells of comments and findings as they were stored, also by a window that was killed, or another one. */
  marked?(): NumberedCells;
  readonly log: Pick<Log, 'warn'>;
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
  kept?: KeptCells,
): CellNumbering {
  const numbered = new WeakSet<vscode.NotebookDocument>();
  const closed = createClosedCells(kept);
  /** The IDs of proposals of other windows, of which a cell was not found here yet. */
  const lost = new Set<string>();

  function here(proposal: Proposal, isNew: boolean): Proposal {
    // Others that are opened at the same time follow, and what is in them is found then.
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
      // What is marked takes no cell from what is known here: both can be on the same one, with different URIs.
      const now = new Map([...toCellsNow(marked, cells), ...toCellsNow(known, cells)]);
      // What another window has stored has a place of its own, which isn't known here.
      const isStored = lost.size > 0 || marked.some((one) => now.has(one.uri));
      if (isStored || [...now].some(([from, to]) => from !== to)) onMoved(now);
    },
    rename: closed.rename,
    here,
    moved: (proposal, now) =>
      lost.has(proposal.id) ? here(proposal, false) : withCellsNow(proposal, now, cellLabelOf),
    dispose() {
      closing.dispose();
      // Those that the next window opens again have other URIs there.
      vscode.workspace.notebookDocuments.forEach(closed.put);
    },
  };
}

/** The cells of the notebooks that were closed. */
function createClosedCells(kept: KeptCells | undefined) {
  /** What is kept, by the URI of the notebook. */
  const stored = new Map(
    Object.entries(tryDecode(v.record(v.string(), closedCells), kept?.state.get(KEY)) ?? {}),
  );
  /** All of them: what is on one need not be a hunk. */
  const closed = new Map(stored);

  function keep(): void {
    if (kept === undefined) return;
    const all = Object.fromEntries([...stored].slice(-MAX_NOTEBOOKS));
    inBackground(kept.log, kept.state.update(KEY, all), 'saving where the cells of notebooks are');
  }

  /** Those of a notebook that is open again, which are forgotten. */
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

/** Whether there are some to rename. */
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

/** The URI of a cell after its notebook, or a folder above, was renamed. */
export function renamedCell(address: string, from: vscode.Uri, to: vscode.Uri): vscode.Uri | undefined {
  const cell = vscode.Uri.parse(address);
  const path = isCell(cell) ? renamedUri(cell.path, from.path, to.path) : undefined;
  if (path === undefined) return undefined;
  const scheme = schemeIn(cell);
  const isRemote = scheme === 'vscode-remote' && from.scheme === 'file';
  const isIn = isRemote || (scheme === from.scheme && cell.authority === from.authority);
  return isIn ? cell.with({ path }) : undefined;
}

/** The URI of the file that has a cell; that of what is no cell is the same. */
export function fileAddressOf(address: string): string {
  if (!address.startsWith('vscode-notebook-cell:')) return address;
  const cell = vscode.Uri.parse(address);
  const scheme = schemeIn(cell);
  const place = scheme === 'vscode-remote' ? { scheme: 'file', authority: '' } : { scheme };
  return cell.with({ ...place, fragment: '' }).toString();
}

/** That of the notebook, as the window has it: extensions on another machine get its files as local ones. */
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

/** The name of a cell. */
export const cellLabelOf = (uri: string): string => toPath({ uri: vscode.Uri.parse(uri) });

const hashOf = (text: string): string => createHash('sha1').update(normalizeText(text)).digest('base64');
