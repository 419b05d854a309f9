/** The CodeLens “Resolve with K3” above each merge conflict. */
import * as vscode from 'vscode';
import { findConflicts } from '../../text/conflicts.ts';
import { isReadOnlyKind } from '../workspace/fileKinds.ts';
import type { ConflictTarget } from './editTargets.ts';

const t = vscode.l10n.t;

export function registerConflictLenses(): vscode.Disposable {
  return vscode.languages.registerCodeLensProvider('*', {
    provideCodeLenses: (document) => (isReadOnlyKind(document.uri) ? [] : toLenses(document)),
  });
}

function toLenses(document: vscode.TextDocument): vscode.CodeLens[] {
  return findConflicts(document.getText()).map(({ startLine }) => {
    const target: ConflictTarget = { uri: document.uri, line: startLine };
    const command = { command: 'k3.resolveConflict', title: t('Resolve with K3'), arguments: [target] };
    return new vscode.CodeLens(new vscode.Range(startLine, 0, startLine, 0), command);
  });
}
