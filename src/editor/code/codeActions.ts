/** Code actions: fix problems, refactor, document, and write tests. */
import * as vscode from 'vscode';
import type { CodeTask } from '../../conversation/prompts/codePrompts.ts';
import { isReadOnlyKind } from '../workspace/fileKinds.ts';
import { type CodeActionTarget, toDiagnosticLine } from './codeQuestions.ts';

const t = vscode.l10n.t;

const KINDS = [vscode.CodeActionKind.QuickFix, vscode.CodeActionKind.Refactor];

export function registerCodeActions(): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    '*',
    { provideCodeActions },
    { providedCodeActionKinds: KINDS },
  );
}

function provideCodeActions(
  document: vscode.TextDocument,
  range: vscode.Range,
  context: vscode.CodeActionContext,
): vscode.CodeAction[] {
  // Documents of K3 are read-only.
  if (document.uri.scheme.startsWith('k3-')) return [];
  const problems = context.diagnostics.filter(({ source }) => source !== 'K3' && source !== 'K3 review');
  const wants = (kind: vscode.CodeActionKind) => context.only === undefined || context.only.contains(kind);
  // Commands that change code refuse read-only documents: earlier revisions, and documents that extensions provide without a file
  // system.
  const isReadOnly = isReadOnlyKind(document.uri);
  const fixes = problems.length > 0 && wants(vscode.CodeActionKind.QuickFix);
  return [
    ...(fixes && !isReadOnly ? [toFix(document, problems)] : []),
    ...(range.isEmpty || !wants(vscode.CodeActionKind.Refactor)
      ? []
      : [
          ...(isReadOnly
            ? []
            : [
                toRefactoring(t('Refactor with K3…'), 'k3.refactor', document, range),
                toRefactoring(t('Document with K3'), 'k3.document', document, range),
              ]),
          toRefactoring(t('Write Tests with K3'), 'k3.test', document, range),
        ]),
  ];
}

function toFix(document: vscode.TextDocument, problems: readonly vscode.Diagnostic[]): vscode.CodeAction {
  const action = new vscode.CodeAction(t('Fix with K3'), vscode.CodeActionKind.QuickFix);
  const [first, ...rest] = problems.map(({ range }) => range);
  const target: CodeActionTarget = {
    uri: document.uri,
    range: rest.reduce((all, one) => all.union(one), first ?? new vscode.Range(0, 0, 0, 0)),
    diagnostics: problems.map(toDiagnosticLine),
  };
  const task: CodeTask = 'fix';
  action.command = { command: 'k3.editHere', title: action.title, arguments: [target, task] };
  action.diagnostics = [...problems];
  return action;
}

function toRefactoring(
  title: string,
  command: string,
  document: vscode.TextDocument,
  range: vscode.Range,
): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.RefactorRewrite);
  const target: CodeActionTarget = { uri: document.uri, range, diagnostics: [] };
  action.command = { command, title, arguments: [target] };
  return action;
}
