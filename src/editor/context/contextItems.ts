/** Reads the context of a question for the first time and again: the current text of files, symbols, and selections. */

import * as vscode from 'vscode';
import {
  type ContextItem,
  type ContextPart,
  hasLines,
  isSameContext,
  type OmittedPart,
} from '../../conversation/context/context.ts';
import { relocatePart } from '../../conversation/context/relocation.ts';
import { cutLines, cutTextLines } from '../../conversation/cutText.ts';
import { type LineRange, toRangeLabel } from '../../text/lineRange.ts';
import { runInSlices } from '../base/timeSlices.ts';
import { findNotebook } from '../workspace/notebookTexts.ts';
import {
  beginsBinary,
  fenceLanguageOf,
  fileOf,
  findDocument,
  labelOf,
  normalizeText,
  readLines,
  readText,
  textLinesOf,
} from '../workspace/textSources.ts';
import { isInsideWorkspace, isStillThere } from '../workspace/workspaceBoundary.ts';
import { readFolderContext } from './contextFolders.ts';
import { readChangesContext, readProblemsContext } from './contextReports.ts';
import type { Allows, ContextResult, HeldSelection } from './contextResult.ts';
import { describeReadFailure } from './contextWords.ts';

const t = vscode.l10n.t;

/** The maximum length of a text, which is cut off after it. In characters; about 100,000 tokens of code. */
const MAX_CHARACTERS = 400_000;

export async function readFileContext(uri: vscode.Uri): Promise<ContextResult> {
  const notebook = await openNotebook(uri);
  if (notebook !== undefined) return toNotebookContext(notebook);
  // An open file is read again whenever it is edited, so only the part that is sent is read.
  const open = findDocument(uri);
  const lines = open && textLinesOf(open);
  if (lines && !beginsBinary(lines)) return toFileContext(uri, cutTextLines(lines, MAX_CHARACTERS));
  const read = await readText(uri);
  if (!read.ok) return { ok: false, why: describeReadFailure(labelOf(uri), read.why) };
  return toFileContext(uri, cutLines(read.text, MAX_CHARACTERS));
}

function toFileContext(uri: vscode.Uri, beginning: Pick<ContextPart, 'text' | 'linesInAll'>): ContextResult {
  const label = labelOf(uri);
  const part = { label, ...fenceLanguageOf(uri), ...beginning };
  return { ok: true, item: { kind: 'file', label, uri: uri.toString(), parts: [part] } };
}

/** Opens a notebook. Its cells are attached instead of its file, because the file also contains the outputs. */
async function openNotebook(uri: vscode.Uri): Promise<vscode.NotebookDocument | undefined> {
  const open = findNotebook(uri);
  if (open !== undefined || !uri.path.endsWith('.ipynb')) return open;
  // Without an extension for this type of notebook, it is read as text, so nothing is logged.
  return vscode.workspace.openNotebookDocument(uri).then(undefined, () => undefined);
}

/** The context of a notebook. All cells together have the same maximum length as a file. */
function toNotebookContext(notebook: vscode.NotebookDocument): ContextResult {
  const parts: ContextPart[] = [];
  const omitted: OmittedPart[] = [];
  let left = MAX_CHARACTERS;
  for (const { document } of notebook.getCells()) {
    const text = normalizeText(document.getText());
    if (text.trim() === '') continue;
    const label = labelOf(document.uri);
    if (left > 0) parts.push({ label, language: document.languageId, ...cutLines(text, left) });
    else omitted.push({ label, why: 'too-large' });
    left -= text.length;
  }
  const label = labelOf(notebook.uri);
  if (parts.length === 0) return { ok: false, why: t('{0} is empty.', label) };
  const item = { kind: 'file' as const, label, uri: notebook.uri.toString(), parts };
  return { ok: true, item: { ...item, ...(omitted.length > 0 && { omitted }) } };
}

/** The selected lines of an editor. For a selection within one line, only the selected text. */
export function toSelectionContext(editor: vscode.TextEditor): ContextResult {
  const { document, selections } = editor;
  const label = labelOf(document.uri);
  const parts = selections
    .filter(({ isEmpty }) => !isEmpty)
    .toSorted((a, b) => a.start.compareTo(b.start))
    .map((selection) => toPart(document, selection));
  const ranges = rangesOf(parts);
  if (ranges.length === 0) return { ok: false, why: t('Nothing is selected in {0}.', label) };
  const { uri } = document;
  return {
    ok: true,
    item: { kind: 'selection', label: toRangeLabel(label, ranges), uri: uri.toString(), parts },
  };
}

/** The current selection of an editor, as a reference. */
export const toHeldSelection = (editor: vscode.TextEditor): HeldSelection => ({
  kind: 'selection',
  uri: editor.document.uri.toString(),
  read: toSelectionContext(editor),
});

/** Reads lines of a file. Rejects if the document can't be opened. */
export async function readLinesContext(
  uri: vscode.Uri,
  { start, end }: vscode.Range,
): Promise<ContextResult> {
  const document = await vscode.workspace.openTextDocument(uri);
  // A range of complete lines ends at the start of the next line.
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  const part = toLinesPart(document, { startLine: start.line, endLine: last });
  const label = toRangeLabel(part.label, [part.range ?? { startLine: start.line, endLine: last }]);
  return { ok: true, item: { kind: 'selection', label, uri: uri.toString(), parts: [part] } };
}

function toPart(document: vscode.TextDocument, selection: vscode.Range): ContextPart {
  const { start, end } = selection;
  const label = labelOf(document.uri);
  if (start.line === end.line) {
    const range = { startLine: start.line, endLine: end.line };
    const beginning = cutLines(normalizeText(document.getText(selection)), MAX_CHARACTERS);
    return { label, range, ...fenceLanguageOf(document.uri), ...beginning };
  }
  // A selection of complete lines ends at the start of the next line.
  const last = end.character === 0 ? end.line - 1 : end.line;
  return toLinesPart(document, { startLine: start.line, endLine: last });
}

/** Lines of a document as a part of context. The last line is included. */
export function toLinesPart(document: vscode.TextDocument, range: LineRange): ContextPart {
  const last = Math.min(range.endLine, document.lineCount - 1);
  const first = Math.min(range.startLine, last);
  const lines = new vscode.Range(first, 0, last, document.lineAt(last).range.end.character);
  const { text, linesInAll } = cutLines(normalizeText(document.getText(lines)), MAX_CHARACTERS);
  return {
    label: labelOf(document.uri),
    range: { startLine: first, endLine: last },
    ...fenceLanguageOf(document.uri),
    text,
    ...(linesInAll !== undefined && { linesInAll }),
  };
}

const rangesOf = (parts: readonly ContextPart[]) => parts.flatMap(({ range }) => range ?? []);

/**
 * Reads an item again. Selected lines are found even if they have moved. If they have changed, or the file no longer
 * exists, the earlier text is kept and marked as older.
 */
export async function refreshContext(item: ContextItem, allows: Allows): Promise<ContextItem> {
  const uri = item.uri === undefined ? undefined : vscode.Uri.parse(item.uri);
  const file = uri && fileOf(uri);
  const place = file && { uri: file, realPath: (await isInsideWorkspace(file)).realPath };
  // The path may lead to another file now, or may have done so while it was read.
  if (file !== undefined && !(await allows(file, extentOf(item)))) return { ...item, older: true };
  const taken = await rereadContext(item, uri, allows);
  if (taken === undefined || (place && !(await isStillThere(place)))) return { ...item, older: true };
  // The same object for the same text, so that callers can compare by identity.
  return isSameContext(taken, item) ? item : taken;
}

/** Of a file, only the part that the user selected and sees is needed. A folder omits files that need an approval. */
const extentOf = ({ kind }: ContextItem): 'part' | 'text' =>
  kind === 'selection' || kind === 'folder' ? 'part' : 'text';

async function rereadContext(
  item: ContextItem,
  uri: vscode.Uri | undefined,
  allows: Allows,
): Promise<ContextItem | undefined> {
  switch (item.kind) {
    case 'file':
      return uri && unlessEmptied(item, uri, itemOf(await readFileContext(uri)));
    case 'folder':
      return uri && itemOf(await readFolderContext(uri, allows));
    case 'symbol':
    case 'selection':
      return uri && relocateLines(item, uri);
    case 'problems':
      return itemOf(await readProblemsContext(uri));
    case 'instructions':
      // The instructions of a question are read separately when it is sent.
      return item;
    case 'changes':
      return itemOf(await readChangesContext(allows));
    case 'terminal':
      // The output that the user has allowed is sent, not that of a later command.
      return item;
  }
}

/** Undefined if an untitled document is being closed: the editor empties it, and closes it a moment later. */
function unlessEmptied(
  { parts }: ContextItem,
  { scheme }: vscode.Uri,
  newest: ContextItem | undefined,
): ContextItem | undefined {
  const isEmpty = newest?.parts.every(({ text }) => text === '') === true;
  return scheme === 'untitled' && isEmpty && parts.some(({ text }) => text !== '') ? undefined : newest;
}

const itemOf = (taken: ContextResult) => (taken.ok ? taken.item : undefined);

async function relocateLines(item: ContextItem, uri: vscode.Uri): Promise<ContextItem | undefined> {
  const read = await readLines(uri);
  if (read === undefined) return undefined;
  const found: ContextPart[] = [];
  for (const part of item.parts) {
    const relocated = await runInSlices(relocatePart(read, part));
    // The document has changed meanwhile, so lines of two versions were compared.
    if (read.isOutdated()) return relocateLines(item, uri);
    if (relocated === undefined) return undefined;
    found.push(relocated);
  }
  const ranges = rangesOf(found);
  if (ranges.length === 0) return undefined;
  const { older, ...rest } = item;
  const label = item.kind === 'selection' ? toRangeLabel(labelOf(uri), ranges) : item.label;
  return { ...rest, label, parts: found };
}

/** Reads the same line range of a selection again, even if its text has changed. */
export async function rereadLines(item: ContextItem): Promise<ContextItem> {
  if (item.uri === undefined) return item;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(item.uri));
  const { older, ...rest } = item;
  return {
    ...rest,
    parts: item.parts.map((part) => (part.range ? toLinesPart(document, part.range) : part)),
  };
}

/** Whether the file of a selection or symbol may still be read and can be opened. If not, the earlier text is kept. */
export async function canReopen(item: ContextItem, allows: Allows): Promise<boolean> {
  const { uri } = item;
  if (uri === undefined || !hasLines(item)) return false;
  const place = vscode.Uri.parse(uri);
  if (!(await allows(fileOf(place), extentOf(item)))) return false;
  return vscode.workspace.openTextDocument(place).then(
    () => true,
    () => false,
  );
}
