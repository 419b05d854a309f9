/** Offers the actions of a finding as quick fixes in the Problems view. */
import * as vscode from 'vscode';
import type { Findings } from './findingList.ts';
import { findingOf, REVIEW_SOURCE } from './findingThreads.ts';

const t = vscode.l10n.t;

export function registerFindingFixes(findings: Pick<Findings, 'list'>): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    { pattern: '**' },
    { provideCodeActions: ({ uri }, _range, { diagnostics }) => toFixes(uri, diagnostics, findings) },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
}

function toFixes(
  uri: vscode.Uri,
  diagnostics: readonly vscode.Diagnostic[],
  findings: Pick<Findings, 'list'>,
): vscode.CodeAction[] {
  return diagnostics
    .filter(({ source }) => source === REVIEW_SOURCE)
    .flatMap((diagnostic) => {
      const found = findingOf(uri, diagnostic, findings.list());
      if (found === undefined) return [];
      const { id, finding } = found;
      const toFix = (title: string, command: string) => {
        const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
        action.command = { command, title, arguments: [id] };
        action.diagnostics = [diagnostic];
        return action;
      };
      return [
        ...(finding.edit === undefined ? [] : [toFix(t('Create Proposal'), 'k3.proposeFinding')]),
        toFix(t('Discuss Finding…'), 'k3.discussFinding'),
        toFix(t('Dismiss Finding'), 'k3.dismissFinding'),
      ];
    });
}
