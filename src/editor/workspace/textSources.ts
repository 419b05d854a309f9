/** The current text of a file or document: from the editor when it is open, else from the disk. */
import { isBinaryFile, isBinaryFileSync } from 'isbinaryfile';
import * as vscode from 'vscode';
import { type TextLines, toTextLines } from '../../conversation/context/relocation.ts';
import { isAtOrBelow } from '../../review/proposals/fileChanges.ts';

/** Larger files are not read. In bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

export type ReadText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: 'binary' | 'too-large' | 'unreadable' };

/**
 * Reads the text, with `\n` as line ending, so that it is the same from the editor and from the disk.
 *
 * @param maxBytes larger files are not read
 */
export async function readText(uri: vscode.Uri, maxBytes = MAX_BYTES): Promise<ReadText> {
  const open = findDocument(uri);
  return open === undefined ? readSaved(uri, maxBytes) : toRead(open);
}

/**
 * The same from the disk, unless there are unsaved changes. The editor reads a file that another program has changed some time after it
 * has reported that.
 */
export async function readLatest(uri: vscode.Uri): Promise<ReadText> {
  const open = findDocument(uri);
  return open?.isDirty === true ? toRead(open) : readSaved(uri, MAX_BYTES);
}

async function readSaved(uri: vscode.Uri, maxBytes: number): Promise<ReadText> {
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0) return { ok: false, why: 'unreadable' };
    if (size > maxBytes) return { ok: false, why: (await isBinaryOnDisk(uri)) ? 'binary' : 'too-large' };
    const bytes = await vscode.workspace.fs.readFile(uri);
    if (isBinaryFileSync(Buffer.from(bytes))) return { ok: false, why: 'binary' };
    return { ok: true, text: normalizeText(await vscode.workspace.decode(bytes, { uri })) };
  } catch {
    // No file system for this scheme, or the file can't be read.
    return readVirtual(uri);
  }
}

/** Whether a file isn't text, by its beginning. Other file systems would read all of it, so it isn't known of theirs. */
const isBinaryOnDisk = async ({ scheme, fsPath }: vscode.Uri): Promise<boolean> =>
  scheme === 'file' && isBinaryFile(fsPath);

function toRead(document: vscode.TextDocument): ReadText {
  if (isBinaryDocument(document)) return { ok: false, why: 'binary' };
  return { ok: true, text: normalizeText(document.getText()) };
}

/** The length of the beginning by which a file is judged, in characters. */
const JUDGED = 512;

const isBinaryText = (text: string): boolean => isBinaryFileSync(Buffer.from(text.slice(0, JUDGED)));

/** Whether an open document is that of a file that is no text any more: the editor reads it again, and shows what it can. */
export const isBinaryDocument = (document: Pick<vscode.TextDocument, 'getText'>): boolean =>
  isBinaryText(document.getText());

/**
 * The lines of the text, without joining those of an open document. Its lines are those of the latest version, so they
 * change while it is edited: `isOutdated` tells so. Undefined if the text can't be read.
 */
export async function readLines(
  uri: vscode.Uri,
): Promise<(TextLines & { readonly isOutdated: () => boolean }) | undefined> {
  const open = findDocument(uri);
  if (open !== undefined) {
    const { version } = open;
    const lines = textLinesOf(open);
    if (beginsBinary(lines)) return undefined;
    return { ...lines, isOutdated: () => open.version !== version };
  }
  const read = await readText(uri);
  return read.ok ? { ...toTextLines(read.text), isOutdated: () => false } : undefined;
}

/** The same as {@link isBinaryDocument}, without joining all lines. */
export const beginsBinary = (lines: TextLines): boolean => isBinaryText(startOf(lines));

/** Enough of the text to judge it. */
function startOf({ count, at }: TextLines): string {
  let start = '';
  for (let line = 0; line < count && start.length < JUDGED; line++) start += `${at(line)}\n`;
  return start;
}

/** The lines of a document, which have no line endings. */
export function textLinesOf(document: vscode.TextDocument): TextLines {
  const at = (line: number) => (line < document.lineCount ? document.lineAt(line).text : '');
  return { count: document.lineCount, at };
}

/** Virtual documents of other extensions have no file system. Opening one this way doesn't show it. */
async function readVirtual(uri: vscode.Uri): Promise<ReadText> {
  // The editor would open a new document in place of an untitled one that was closed.
  if (uri.scheme === 'file' || uri.scheme === 'untitled') return { ok: false, why: 'unreadable' };
  try {
    return toRead(await vscode.workspace.openTextDocument(uri));
  } catch {
    // The caller reports it with the name of the file.
    return { ok: false, why: 'unreadable' };
  }
}

export function findDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const address = uri.toString();
  return vscode.workspace.textDocuments.find(
    (document) => !document.isClosed && document.uri.toString() === address,
  );
}

/** From the last change to the first, so that no change moves the lines of the next one. */
export const fromLast = (changes: readonly vscode.TextDocumentContentChangeEvent[]) =>
  [...changes]
    .sort((one, other) => other.rangeOffset - one.rangeOffset)
    .map(({ range: { start, end }, text }) => ({
      startLine: start.line,
      startCharacter: start.character,
      endLine: end.line,
      endCharacter: end.character,
      text,
    }));

export function normalizeText(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

/** The path of a document for the user and the model. That of a cell is the same in all languages, and one that the tools take. */
export function labelOf(uri: vscode.Uri): string {
  // Documents of the extension, such as reasoning, are in no folder.
  if (uri.scheme.startsWith('k3-')) return uri.path.replace(/^\//, '');
  return cellPathOf(uri) ?? relativePathOf(uri);
}

/** The notebook and the number of a cell, from 1; undefined for other documents. */
export function cellPathOf(uri: vscode.Uri): string | undefined {
  const notebook = notebookOf(uri);
  if (notebook === undefined) return undefined;
  const at = notebook.getCells().findIndex((cell) => cell.document.uri.toString() === uri.toString());
  return `${relativePathOf(notebook.uri)}#${at + 1}`;
}

/**
 * The path in the workspace. Documents of other schemes, such as the earlier side of a diff, and cells whose notebook is closed,
 * are in no workspace folder for the editor, so all of the path on this machine would be shown and sent.
 */
export function relativePathOf(uri: vscode.Uri): string {
  const { workspaceFolders = [], asRelativePath, getWorkspaceFolder } = vscode.workspace;
  // As of a search editor.
  if (uri.path === '') return uri.scheme;
  if (uri.scheme === 'untitled') return asRelativePath(uri.path);
  const own = getWorkspaceFolder(uri);
  // The editor gives the whole path of a folder of the workspace.
  if (own !== undefined) return own.uri.path === uri.path ? own.name : asRelativePath(uri);
  const folder = workspaceFolders.find((one) => isAtOrBelow(uri.path, one.uri.path));
  return asRelativePath(folder === undefined ? uri : folder.uri.with({ path: uri.path }));
}

export const isCell = ({ scheme }: vscode.Uri): boolean => scheme === 'vscode-notebook-cell';

/** The notebook that contains a cell; undefined for other documents. */
export function notebookOf(uri: vscode.Uri): vscode.NotebookDocument | undefined {
  const address = uri.toString();
  return vscode.workspace.notebookDocuments.find((notebook) =>
    notebook.getCells().some((cell) => cell.document.uri.toString() === address),
  );
}

/** The file that has a document: the notebook of a cell; otherwise, that of the document. */
export const fileOf = (uri: vscode.Uri): vscode.Uri => notebookOf(uri)?.uri ?? uri;

/**
 * The info string of a code fence: the file name extension, which is the same whether the file is open or not, or the
 * language ID of a document that is not a file.
 */
export function fenceLanguageOf(uri: vscode.Uri): { readonly language?: string } {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  const end = /[^.]\.(\w{1,12})$/.exec(name)?.[1]?.toLowerCase();
  const language = uri.scheme === 'file' ? end : (findDocument(uri)?.languageId ?? end);
  return language === undefined ? {} : { language };
}
