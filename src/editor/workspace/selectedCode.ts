/** The code for a command: the selected lines, or the symbol at the cursor. */
import * as vscode from 'vscode';
import type { CodeLines } from '../../conversation/prompts/codePrompts.ts';
import type { Span } from '../../review/edits/editPlacement.ts';
import { cellPathOf, normalizeText, relativePathOf } from './textSources.ts';

export interface SelectedCode {
  readonly document: vscode.TextDocument;
  /** The path relative to the workspace; for a cell, the notebook and the number of the cell. */
  readonly path: string;
  readonly language: string;
  /** Line numbers, counted from 0. The last line is included. */
  readonly startLine: number;
  readonly endLine: number;
  /**
   * The text of these lines, with the line break of the last one if there is one. Line breaks are `\n`, as in everything
   * that is sent, even if the file has others.
   */
  readonly text: string;
  /** The user has selected these lines. Otherwise, they are the lines around the cursor, or the whole file. */
  readonly selected?: true;
  /** Other selected lines, below these. */
  readonly more?: readonly SelectedCode[];
  /** The lines before and after these that are sent with them. The user was asked about them, too. */
  readonly around?: readonly CodeLines[];
}

/** Without a selection and a symbol at the cursor, a file of at most this many lines is used completely. */
const WHOLE_FILE_LINES = 400;
/** In a longer file, this many lines before and after the cursor are used. */
const LINES_AROUND = 60;

/** The editor that shows the document of code. If several do, the active one. */
export const editorOf = ({ document }: Pick<SelectedCode, 'document'>): vscode.TextEditor | undefined =>
  [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors].find(
    (one) => one?.document === document,
  );

/** The code for the selection of an editor; undefined in an empty document. */
export async function toSelectedCode(editor: vscode.TextEditor): Promise<SelectedCode | undefined> {
  const { document, selection, selections } = editor;
  if (document.getText().trim() === '') return undefined;
  const [first, ...more] = selectedLines(selections).map(({ start, end }) =>
    linesOfDocument(document, start, end),
  );
  if (first !== undefined) return { ...first, selected: true, ...(more.length > 0 && { more }) };
  const { start, end } = await enclosingLines(document, selection.active);
  return linesOfDocument(document, start, end);
}

/** The selected lines in their order. Selections in the same or in consecutive lines are one part. */
function selectedLines(selections: readonly vscode.Selection[]): readonly Lines[] {
  const parts: Lines[] = [];
  const selected = selections.filter(({ isEmpty }) => !isEmpty).map(linesOfRange);
  for (const { start, end } of selected.toSorted((one, other) => one.start - other.start)) {
    const last = parts.at(-1);
    if (last === undefined || start > last.end + 1) parts.push({ start, end });
    else parts[parts.length - 1] = { start: last.start, end: Math.max(last.end, end) };
  }
  return parts;
}

/** The lines to change for an editor: the selected lines, the lines of the symbol at the cursor, or only the line of the cursor. */
export async function toCodeHere({ document, selection }: vscode.TextEditor): Promise<SelectedCode> {
  if (!selection.isEmpty) {
    const { start, end } = linesOfRange(selection);
    return { ...linesOfDocument(document, start, end), selected: true };
  }
  const { line } = selection.active;
  const symbol = innermost(await symbolsOf(document), selection.active);
  const { start, end } = symbol === undefined ? { start: line, end: line } : linesOfRange(symbol);
  return linesOfDocument(document, start, end);
}

/** Lines of a document, counted from 0. `end` is included. */
export function linesOfDocument(document: vscode.TextDocument, start: number, end: number): SelectedCode {
  const last = Math.min(end, document.lineCount - 1);
  const range = document.lineAt(last).rangeIncludingLineBreak.with(new vscode.Position(start, 0));
  return {
    document,
    path: toPath(document),
    language: document.languageId,
    startLine: start,
    endLine: last,
    text: normalizeText(document.getText(range)),
  };
}

/** The complete lines of a span of the text; undefined if the span is empty. */
export function linesOfSpan(document: vscode.TextDocument, span: Span | undefined): SelectedCode | undefined {
  if (span === undefined || span.from === span.to) return undefined;
  const { start, end } = linesOfRange(
    new vscode.Range(document.positionAt(span.from), document.positionAt(span.to)),
  );
  return linesOfDocument(document, start, end);
}

/** The number of lines, without an empty last line. */
export const countLines = ({ lineCount, lineAt }: vscode.TextDocument) =>
  lineCount - (lineCount > 1 && lineAt(lineCount - 1).text === '' ? 1 : 0);

export interface Lines {
  readonly start: number;
  readonly end: number;
}

/**
 * The lines of a range. If the range ends at the start of a line, that line is not included, because a selection of whole
 * lines ends there.
 */
export function linesOfRange({ start, end }: vscode.Range): Lines {
  return { start: start.line, end: end.character === 0 && end.line > start.line ? end.line - 1 : end.line };
}

type FoundSymbol = vscode.DocumentSymbol | vscode.SymbolInformation;

/** The symbols of a document. Empty if its language has no symbols, or if they can't be found. */
async function symbolsOf(document: vscode.TextDocument): Promise<readonly FoundSymbol[]> {
  return vscode.commands
    .executeCommand<FoundSymbol[] | undefined>('vscode.executeDocumentSymbolProvider', document.uri)
    .then(
      (found) => found ?? [],
      // Without symbols, the lines around the cursor are used.
      () => [],
    );
}

async function enclosingLines(document: vscode.TextDocument, position: vscode.Position): Promise<Lines> {
  const range = innermost(await symbolsOf(document), position);
  if (range !== undefined) return linesOfRange(range);
  const last = countLines(document) - 1;
  if (last < WHOLE_FILE_LINES) return { start: 0, end: last };
  return {
    start: Math.max(0, position.line - LINES_AROUND),
    end: Math.min(last, position.line + LINES_AROUND),
  };
}

/** Kinds of symbols that are used as a unit. Variables and properties are only parts of a unit. */
const ENCLOSING: ReadonlySet<vscode.SymbolKind> = new Set([
  vscode.SymbolKind.Function,
  vscode.SymbolKind.Method,
  vscode.SymbolKind.Constructor,
  vscode.SymbolKind.Class,
  vscode.SymbolKind.Interface,
  vscode.SymbolKind.Enum,
  vscode.SymbolKind.Struct,
  vscode.SymbolKind.Module,
  vscode.SymbolKind.Namespace,
]);

/** How language servers name functions that have no name. Those are parts of the symbol around them. */
const UNNAMED = /^<.*>$|\bcallback$/;

function innermost(symbols: readonly FoundSymbol[], position: vscode.Position): vscode.Range | undefined {
  let found: vscode.Range | undefined;
  const visit = (symbol: FoundSymbol) => {
    const range = 'range' in symbol ? symbol.range : symbol.location.range;
    if (!range.contains(position) || position.line > linesOfRange(range).end) return;
    const isUnit = ENCLOSING.has(symbol.kind) && !UNNAMED.test(symbol.name);
    if (isUnit && (found === undefined || found.contains(range))) found = range;
    if ('children' in symbol) symbol.children.forEach(visit);
  };
  symbols.forEach(visit);
  return found;
}

/** The path of a document for the user and the model: for a cell, that of the notebook with the number of the cell. */
export const toPath = ({ uri }: Pick<vscode.TextDocument, 'uri'>): string =>
  cellPathOf(uri) ?? relativePathOf(uri);
