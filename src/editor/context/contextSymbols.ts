/** Symbols as context, with their bodies if their language provides document symbols. */
import * as vscode from 'vscode';
import type { ContextItem } from '../../conversation/context/context.ts';
import type { LineRange } from '../../text/lineRange.ts';
import { rereadLines, toLinesPart } from './contextItems.ts';
import type { ContextResult } from './contextResult.ts';

/**
 * Reads a symbol with its body.
 *
 * @param range the lines of the symbol, or often only the line of its name
 * @throws if the document can't be opened or its symbols can't be read
 */
export async function readSymbolContext(
  uri: vscode.Uri,
  name: string,
  range: LineRange,
): Promise<ContextResult> {
  const document = await vscode.workspace.openTextDocument(uri);
  const part = toLinesPart(document, findBody(await symbolsOf(uri), range) ?? range);
  return { ok: true, item: { kind: 'symbol', label: name, uri: uri.toString(), parts: [part] } };
}

/** Reads lines again even if their text has changed. For a symbol, these are its current lines. */
export async function rereadChanged(item: ContextItem): Promise<ContextItem> {
  const { kind, label, uri, parts } = item;
  const range = parts[0]?.range;
  if (kind !== 'symbol' || uri === undefined || range === undefined) return rereadLines(item);
  const place = vscode.Uri.parse(uri);
  const now = nearestNamed(await symbolsOf(place), label, range.startLine);
  if (now === undefined) return rereadLines(item);
  const line = now.selectionRange.start.line;
  const read = await readSymbolContext(place, label, { startLine: line, endLine: line });
  return read.ok ? read.item : item;
}

const symbolsOf = async (uri: vscode.Uri): Promise<readonly vscode.DocumentSymbol[]> => {
  const symbols = await vscode.commands.executeCommand<readonly vscode.DocumentSymbol[] | undefined>(
    'vscode.executeDocumentSymbolProvider',
    uri,
  );
  // Older providers return `SymbolInformation`, which has no tree and no ranges of names.
  return (symbols ?? []).filter(({ selectionRange }) => selectionRange !== undefined);
};

/** The lines of the symbol whose name is on the first line of the range. */
function findBody(symbols: readonly vscode.DocumentSymbol[], range: LineRange): LineRange | undefined {
  for (const symbol of symbols) {
    const { start, end } = symbol.range;
    if (symbol.selectionRange.start.line === range.startLine)
      return { startLine: start.line, endLine: Math.max(end.line, range.endLine) };
    if (start.line <= range.startLine && end.line >= range.startLine) {
      const deeper = findBody(symbol.children, range);
      if (deeper !== undefined) return deeper;
    }
  }
  return undefined;
}

/** The symbol with a name that begins nearest to a line. */
function nearestNamed(
  symbols: readonly vscode.DocumentSymbol[],
  name: string,
  line: number,
): vscode.DocumentSymbol | undefined {
  const away = ({ range }: vscode.DocumentSymbol) => Math.abs(range.start.line - line);
  return withChildren(symbols)
    .filter((one) => withoutParameters(one.name) === withoutParameters(name))
    .toSorted((a, b) => away(a) - away(b))[0];
}

const withChildren = (symbols: readonly vscode.DocumentSymbol[]): readonly vscode.DocumentSymbol[] =>
  symbols.flatMap((one) => [one, ...withChildren(one.children)]);

/** A workspace symbol can have parentheses or parameters that the document symbol doesn't have. */
const withoutParameters = (name: string) => name.replace(/\(.*$/s, '');
