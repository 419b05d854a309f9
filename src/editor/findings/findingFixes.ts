/** The actions of a finding as quick fixes in Problems. */
import * as vscode from 'vscode';
import type { Findings } from './findingList.ts';
import { REVIEW_SOURCE } from './findingThreads.ts';

const t = vscode.l10n.t;

export function registerFindingFixes(findings: Pick<Findings, 'find'>): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    { pattern: '**' },
    { provideCodeActions: (_, _range, { diagnostics }) => toFixes(diagnostics, findings) },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
}

function toFixes(
  diagnostics: readonly vscode.Diagnostic[],
  findings: Pick<Findings, 'find'>,
): vscode.CodeAction[] {
  return diagnostics
    .filter(({ source }) => source === REVIEW_SOURCE)
    .flatMap((diagnostic) => {
      const id = String(diagnostic.code);
      const edit = findings.find(id)?.finding.edit;
      const toFix = (title: string, command: string) => {
        const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
        action.command = { command, title, arguments: [id] };
        action.diagnostics = [diagnostic];
        return action;
      };
      return [
        ...(edit === undefined ? [] : [toFix(t('Create Proposal'), 'k3.proposeFinding')]),
        toFix(t('Discuss Finding…'), 'k3.discussFinding'),
        toFix(t('Dismiss Finding'), 'k3.dismissFinding'),
      ];
    });
}
