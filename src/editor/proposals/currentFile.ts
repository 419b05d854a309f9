/**
 * Finds a file of a proposal again after a dialog, or after it was opened. When a cell is opened, its notebook is opened as well, and
 * the editor numbers all cells anew: the cell gets another URI, and its previous one can be that of another cell.
 */
import * as vscode from 'vscode';
import { withTextNow } from '../../review/proposals/fileChanges.ts';
import type { FileProposal } from '../../review/proposals/proposal.ts';
import { isSameNotebook } from '../../review/proposals/renumberedCells.ts';
import { isOpenAsNotebook } from '../workspace/notebookTexts.ts';
import { isCell } from '../workspace/textSources.ts';
import { openText } from './fileDocuments.ts';
import { lineEndIn } from './proposalFiles.ts';
import type { Proposals } from './proposalList.ts';

/** Returns a file of a proposal as it is now; undefined if the proposal no longer has it, or if it was renamed. */
export type CurrentFile = () => FileProposal | undefined;

/**
 * Remembers a file of a proposal. A cell is found again by its index in the proposal, any other file by its URI.
 *
 * @param uri the current URI of the file
 */
export function currentFile(proposals: Pick<Proposals, 'get'>, proposalId: string, uri: string): CurrentFile {
  const files = () => proposals.get(proposalId)?.files ?? [];
  const known = files();
  const index = known.findIndex((file) => file.uri === uri);
  return () => {
    const now = files();
    // Files are only removed from a proposal when others are renamed to their names.
    const cell = now.length === known.length ? now[index] : undefined;
    if (isSameNotebook(cell?.uri, uri)) return cell;
    // After its notebook was renamed, no other cell of the proposal has the URI.
    return now.find((file) => file.uri === uri);
  };
}

interface OpenedFile {
  readonly file: FileProposal;
  readonly document: vscode.TextDocument;
}

/** Opens the document of a file. Undefined if it can't be opened as text, or if the file was renamed meanwhile. */
export async function openCurrent(current: CurrentFile): Promise<OpenedFile | undefined> {
  const known = current();
  const first = known && (await openText(vscode.Uri.parse(known.uri)));
  const file = current();
  if (known === undefined || file === undefined) return undefined;
  // If its notebook was opened just now, the first document is that of another cell, or there is none.
  const document = file.uri === known.uri ? first : await openText(vscode.Uri.parse(file.uri));
  const now = current();
  return document && now?.uri === file.uri ? { file: now, document } : undefined;
}

/** The URI at which a file is shown. A cell is opened first, because it can get another URI then. Undefined if it can't be opened. */
export async function placeToShow(current: CurrentFile): Promise<vscode.Uri | undefined> {
  const file = current();
  const place = file && vscode.Uri.parse(file.uri);
  return place && isCell(place) ? (await openCurrent(current))?.document.uri : place;
}

/**
 * Opens a file that is to be changed, and brings its hunks up to date. Undefined also if it is open as a notebook, which can have other
 * changes.
 */
export async function openUpdated(
  proposals: Pick<Proposals, 'change'>,
  proposalId: string,
  current: CurrentFile,
): Promise<OpenedFile | undefined> {
  const opened = await openCurrent(current);
  if (opened === undefined || isOpenAsNotebook(opened.file.uri)) return undefined;
  const { document } = opened;
  const update = (one: FileProposal) => withTextNow(one, document.getText(), lineEndIn(document));
  proposals.change(proposalId, opened.file.uri, update);
  const file = current();
  return file && { file, document };
}
