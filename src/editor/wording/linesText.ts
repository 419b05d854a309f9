/** Texts that name lines of a file. */
import * as vscode from 'vscode';

/** A path with lines, such as “src/fares.ts, lines 2–4”. The parameters count from 0. */
export const linesText = (path: string, startLine: number, endLine: number): string =>
  startLine === endLine
    ? vscode.l10n.t('{0}, line {1}', path, startLine + 1)
    : vscode.l10n.t('{0}, lines {1}–{2}', path, startLine + 1, endLine + 1);
