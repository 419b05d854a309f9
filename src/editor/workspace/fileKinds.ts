/** Whether a URI is a file or a folder, in any file system of the editor. Links are followed. */
import * as vscode from 'vscode';
import { fileOf, findDocument, isCell } from './textSources.ts';

/** The kind of a URI. Undefined when it doesn't exist or can't be accessed. */
export async function fileKindOf(uri: vscode.Uri): Promise<'file' | 'folder' | undefined> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => ((type & vscode.FileType.Directory) === 0 ? 'file' : 'folder'),
    () => undefined,
  );
}

/**
 * Whether the file system of a URI can be written to. That of the earlier side of a diff, or of documents that an extension
 * provides, can't.
 */
export const isWritable = ({ scheme }: vscode.Uri): boolean =>
  vscode.workspace.fs.isWritableFileSystem(scheme) === true;

export const exists = async (uri: vscode.Uri): Promise<boolean> => (await fileKindOf(uri)) !== undefined;

/**
 * Whether a file doesn't exist in its file system, an untitled document was closed, or a cell of a notebook was deleted.
 * Other documents without a file system can't be deleted.
 */
export async function wasDeleted(uri: vscode.Uri): Promise<boolean> {
  const place = fileOf(uri);
  if (place.scheme === 'untitled') return place === uri && findDocument(uri) === undefined;
  if (isCell(place)) return isNotebookOpen(place);
  if (!isWritable(place)) return false;
  return vscode.workspace.fs.stat(place).then(
    // The editor keeps the document of a file even if a folder has its name by now.
    ({ type }) => (type & vscode.FileType.Directory) !== 0,
    (error: unknown) => error instanceof vscode.FileSystemError && error.code === 'FileNotFound',
  );
}

/** Whether a file was deleted, and the editor has no unsaved changes that it would save there again. */
export const isGone = async (uri: vscode.Uri): Promise<boolean> =>
  findDocument(uri)?.isDirty !== true && (await wasDeleted(uri));

/**
 * Whether a notebook is open, given the URI of a cell that is in no open notebook. If it isn't open, its cells are not known. An earlier
 * version has the same path in a diff.
 */
const isNotebookOpen = ({ path }: vscode.Uri): boolean =>
  vscode.workspace.notebookDocuments.some(
    ({ uri, isClosed }) => !isClosed && uri.path === path && !isReadOnlyKind(uri),
  );

/**
 * The schemes of documents that have no file system but can be changed by the user. The last two are code: cells, and the
 * input of an interactive window.
 */
const EDITABLE: ReadonlySet<string> = new Set([
  'untitled',
  'vscode-notebook-cell',
  'vscode-interactive-input',
]);

/**
 * Whether all documents of this kind are read-only: earlier revisions of files, output channels, and documents that
 * extensions such as K3 provide without a file system. The editor would let extensions change them. For a cell, this
 * depends on its notebook.
 */
export function isReadOnlyKind(uri: vscode.Uri): boolean {
  const place = fileOf(uri);
  return !isWritable(place) && !EDITABLE.has(place.scheme);
}

/**
 * Whether a document can't be written because its file or its file system is read-only. The editor would change its text
 * anyway.
 */
export async function isReadOnly(uri: vscode.Uri): Promise<boolean> {
  const place = fileOf(uri);
  // First, because it starts the extension that provides the file system. Before that, the editor knows nothing about the
  // file system.
  const isLocked = await vscode.workspace.fs.stat(place).then(
    ({ permissions = 0 }) => (permissions & vscode.FilePermission.Readonly) !== 0,
    () => false,
  );
  return isLocked || isReadOnlyKind(place);
}
