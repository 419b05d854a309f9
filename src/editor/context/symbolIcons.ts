/** The icons of symbols in the suggestions for @. */
import * as vscode from 'vscode';

const { SymbolKind } = vscode;

/** The names are written in full, because the icon font of the page contains only icons that the sources name. */
const ICONS: Partial<Record<vscode.SymbolKind, string>> = {
  [SymbolKind.Function]: 'symbol-method',
  [SymbolKind.Method]: 'symbol-method',
  [SymbolKind.Constructor]: 'symbol-method',
  [SymbolKind.Class]: 'symbol-class',
  [SymbolKind.Struct]: 'symbol-class',
  [SymbolKind.Interface]: 'symbol-interface',
  [SymbolKind.Enum]: 'symbol-enum',
  [SymbolKind.Variable]: 'symbol-variable',
  [SymbolKind.Constant]: 'symbol-variable',
};

/** The name of a codicon. */
export const toSymbolIcon = (kind: vscode.SymbolKind): string => ICONS[kind] ?? 'symbol-misc';
