/** Reads the current text of a file or document: from the editor if it is open, otherwise from the disk. */
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
 * Reads the text from the disk, unless the document has unsaved changes. After another program has changed a file, the
 * editor reports this some time before it reads the file again.
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

/**
 * Whether a file isn't text, judged by its beginning. For other file systems than the disk this isn't known, because they
 * would have to read the whole file.
 */
const isBinaryOnDisk = async ({ scheme, fsPath }: vscode.Uri): Promise<boolean> =>
  scheme === 'file' && isBinaryFile(fsPath);

function toRead(document: vscode.TextDocument): ReadText {
  if (isBinaryDocument(document)) return { ok: false, why: 'binary' };
  return { ok: true, text: normalizeText(document.getText()) };
}

/** The length of the beginning by which a text is judged, in characters. */
const JUDGED = 512;

const isBinaryText = (text: string): boolean => isBinaryFileSync(Buffer.from(text.slice(0, JUDGED)));

/** Whether an open document shows a file that has become binary: the editor reads the file again, and shows what it can of it. */
export const isBinaryDocument = (document: Pick<vscode.TextDocument, 'getText'>): boolean =>
  isBinaryText(document.getText());

/**
 * The lines of the text. The lines of an open document are not joined. They are those of its latest version, so they change
 * while it is edited, which `isOutdated` tells. Undefined if the text can't be read.
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

/** The beginning of the text that is enough to judge it. */
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

/** Reads a virtual document of another extension, which has no file system. Opening it in this way doesn't show it. */
async function readVirtual(uri: vscode.Uri): Promise<ReadText> {
  // For an untitled document that was closed, the editor would open a new one.
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

/** The changes in reverse order, so that no change moves the lines of the next one. */
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

/**
 * The path of a document for the user and the model. The path of a cell is the same in all languages, and can be passed to
 * the tools.
 */
export function labelOf(uri: vscode.Uri): string {
  // Documents of this extension, such as reasoning, are in no folder.
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
 * The path relative to the workspace. For the editor, cells whose notebook is closed and documents with other schemes, such
 * as the earlier side of a diff, are in no workspace folder. So it would return their complete path on this machine, which
 * would be shown and sent.
 */
export function relativePathOf(uri: vscode.Uri): string {
  const { workspaceFolders = [], asRelativePath, getWorkspaceFolder } = vscode.workspace;
  // For example of a search editor.
  if (uri.path === '') return uri.scheme;
  if (uri.scheme === 'untitled') return asRelativePath(uri.path);
  const own = getWorkspaceFolder(uri);
  // For a workspace folder itself, the editor would return the complete path.
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

/** The file of a document: for a cell, its notebook; otherwise, the URI itself. */
export const fileOf = (uri: vscode.Uri): vscode.Uri => notebookOf(uri)?.uri ?? uri;

/**
 * The info string of a code fence: the file name extension, which doesn't depend on whether the file is open, or the
 * language ID of a document that is not a file.
 */
export function fenceLanguageOf(uri: vscode.Uri): { readonly language?: string } {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  const end = /[^.]\.(\w{1,12})$/.exec(name)?.[1]?.toLowerCase();
  const language = uri.scheme === 'file' ? end : (findDocument(uri)?.languageId ?? end);
  return language === undefined ? {} : { language };
}
