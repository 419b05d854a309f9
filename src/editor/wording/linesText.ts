/** Lines of a file in words. */
import * as vscode from 'vscode';

/** The path and the lines, as in “src/fares.ts, lines 2–4”. The lines count from 0. */
export const linesText = (path: string, startLine: number, endLine: number): string =>
  startLine === endLine
    ? vscode.l10n.t('{0}, line {1}', path, startLine + 1)
    : vscode.l10n.t('{0}, lines {1}–{2}', path, startLine + 1, endLine + 1);
