/** The diagnostics of the editor, as text for the model. */
import * as vscode from 'vscode';
import { isAtOrBelow } from '../../review/proposals/fileChanges.ts';
import { fileOf, labelOf } from './textSources.ts';

const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;

/**
 * The diagnostics of a file, of a notebook, of everything below a folder, or by default of the workspace, most severe
 * first. The diagnostics of K3 about answers are left out.
 */
export function findProblems(uri?: vscode.Uri): readonly (readonly [vscode.Uri, vscode.Diagnostic])[] {
  return vscode.languages
    .getDiagnostics()
    .filter(([place]) =>
      uri === undefined
        ? vscode.workspace.getWorkspaceFolder(fileOf(place)) !== undefined
        : [place, fileOf(place)].some((one) => isAtOrBelow(one.toString(), uri.toString())),
    )
    .flatMap(([place, problems]) => problems.map((problem) => [place, problem] as const))
    .filter(([, { source }]) => source !== 'K3')
    .toSorted(
      ([a, one], [b, other]) =>
        one.severity - other.severity ||
        (a.path < b.path ? -1 : a.path > b.path ? 1 : one.range.start.compareTo(other.range.start)),
    );
}

/** A diagnostic on one line, such as `src/a.ts:3:5: error TS2304 (ts): Cannot find name 'b'.` */
export function toProblemLine(
  uri: vscode.Uri,
  { range, severity, code, source, message }: vscode.Diagnostic,
): string {
  const { line, character } = range.start;
  const id = typeof code === 'object' ? code.value : code;
  const what = [SEVERITIES[severity], ...(id === undefined ? [] : [id]), ...(source ? [`(${source})`] : [])];
  return `${labelOf(uri)}:${line + 1}:${character + 1}: ${what.join(' ')}: ${message.replace(/\s+/g, (run) => (run.includes('\n') ? ' ' : run))}`;
}
