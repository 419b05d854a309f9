/**
 * Shows the CodeLens “Resolve with K3” above each merge conflict. A conflict with a hunk under review has none, because the hunk has
 * its own CodeLenses there.
 */
import * as vscode from 'vscode';
import { type Conflict, findConflicts } from '../../text/conflicts.ts';
import { linesOfHunk } from '../proposals/hunkLines.ts';
import type { Proposals } from '../proposals/proposalList.ts';
import { isReadOnlyKind } from '../workspace/fileKinds.ts';
import type { ConflictTarget } from './editTargets.ts';

const t = vscode.l10n.t;

/** Has no change event: when hunks come and go, the CodeLenses of the hunks change, and the editor asks for all CodeLenses again. */
export function registerConflictLenses(proposals: Pick<Proposals, 'ofFile'>): vscode.Disposable {
  return vscode.languages.registerCodeLensProvider('*', {
    provideCodeLenses: (document) => (isReadOnlyKind(document.uri) ? [] : toLenses(document, proposals)),
  });
}

function toLenses(document: vscode.TextDocument, proposals: Pick<Proposals, 'ofFile'>): vscode.CodeLens[] {
  const conflicts = findConflicts(document.getText());
  if (conflicts.length === 0) return [];
  const reviewed = proposals
    .ofFile(document.uri.toString())
    .flatMap(({ file }) => file.hunks.filter(({ state }) => state === 'open'))
    .map((one) => linesOfHunk(document, one));
  const isFree = ({ startLine, endLine }: Conflict) =>
    !reviewed.some(({ start, end }) => start <= endLine && startLine <= end);
  return conflicts.filter(isFree).map(({ startLine }) => {
    const target: ConflictTarget = { uri: document.uri, line: startLine };
    const command = { command: 'k3.resolveConflict', title: t('Resolve with K3'), arguments: [target] };
    return new vscode.CodeLens(new vscode.Range(startLine, 0, startLine, 0), command);
  });
}
