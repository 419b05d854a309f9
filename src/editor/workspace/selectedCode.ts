/** The code that a command is about: what is selected, or what encloses the cursor. */
import * as vscode from 'vscode';
import { notebookOf } from './textSources.ts';

export interface SelectedCode {
  readonly document: vscode.TextDocument;
  /** The file as the reader knows it: relative to the workspace, or a notebook with its cell. */
  readonly path: string;
  readonly language: string;
  /** Whole lines, counted from 0, the last one included. */
  readonly startLine: number;
  readonly endLine: number;
  /** These lines, with the end of the last one if it has one. */
  readonly text: string;
}

/** A file of so many lines goes whole when nothing is selected and no symbol encloses the cursor. */
const WHOLE_FILE_LINES = 400;
/** Of a longer one, so many lines on each side of the cursor. */
const LINES_AROUND = 60;

/** What an editor's selection stands for; undefined in an empty document. */
export async function toSelectedCode(editor: vscode.TextEditor): Promise<SelectedCode | undefined> {
  const { document, selection } = editor;
  if (document.getText().trim() === '') return undefined;
  const lines = selection.isEmpty ? await enclosingLines(document, selection.active) : linesOf(selection);
  return linesOfDocument(document, lines.start, lines.end);
}

/** Whole lines of a document, counted from 0. */
export function linesOfDocument(document: vscode.TextDocument, start: number, end: number): SelectedCode {
  const last = Math.min(end, document.lineCount - 1);
  const range = document.lineAt(last).rangeIncludingLineBreak.with(new vscode.Position(start, 0));
  return {
    document,
    path: toPath(document),
    language: document.languageId,
    startLine: start,
    endLine: last,
    text: document.getText(range),
  };
}

export interface Lines {
  readonly start: number;
  readonly end: number;
}

/** A selection that ends at the beginning of a line does not mean that line. */
export function linesOf({ start, end }: vscode.Range): Lines {
  return { start: start.line, end: end.character === 0 && end.line > start.line ? end.line - 1 : end.line };
}

async function enclosingLines(document: vscode.TextDocument, position: vscode.Position): Promise<Lines> {
  const symbols = await vscode.commands
    .executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined>(
      'vscode.executeDocumentSymbolProvider',
      document.uri,
    )
    .then(
      (found) => found ?? [],
      // Without symbols the lines around the cursor are taken.
      () => [],
    );
  const range = innermost(symbols, position);
  if (range !== undefined) return { start: range.start.line, end: range.end.line };
  if (document.lineCount <= WHOLE_FILE_LINES) return { start: 0, end: document.lineCount - 1 };
  return {
    start: Math.max(0, position.line - LINES_AROUND),
    end: Math.min(document.lineCount - 1, position.line + LINES_AROUND),
  };
}

/** What one would name when asked where the cursor is. A variable or a property is part of something. */
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

function innermost(
  symbols: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[],
  position: vscode.Position,
): vscode.Range | undefined {
  let found: vscode.Range | undefined;
  const look = (symbol: vscode.DocumentSymbol | vscode.SymbolInformation) => {
    const range = 'range' in symbol ? symbol.range : symbol.location.range;
    if (!range.contains(position)) return;
    if (ENCLOSING.has(symbol.kind) && (found === undefined || found.contains(range))) found = range;
    if ('children' in symbol) symbol.children.forEach(look);
  };
  symbols.forEach(look);
  return found;
}

/** A document's name for people and for the model: a cell is its notebook and its number. */
export function toPath(document: Pick<vscode.TextDocument, 'uri'>): string {
  const { uri } = document;
  const notebook = notebookOf(uri);
  if (notebook === undefined) return vscode.workspace.asRelativePath(uri);
  const cell = notebook.getCells().findIndex((one) => one.document.uri.toString() === uri.toString());
  return `${vscode.workspace.asRelativePath(notebook.uri)}#${cell + 1}`;
}
