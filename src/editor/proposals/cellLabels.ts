/**
 * Updates the labels of cells: their numbers change when cells are added or deleted above them, and they have none before their
 * notebook is open.
 */
import * as vscode from 'vscode';
import { toPath } from '../workspace/selectedCode.ts';
import { isCell, notebookOf } from '../workspace/textSources.ts';
import type { Proposals } from './proposalList.ts';

export function registerCellLabels(proposals: Pick<Proposals, 'underReview' | 'change'>): vscode.Disposable {
  function number(notebook: vscode.NotebookDocument): void {
    for (const { proposal, file } of proposals.underReview()) {
      const uri = vscode.Uri.parse(file.uri);
      if (!isCell(uri) || notebookOf(uri) !== notebook) continue;
      const label = toPath({ uri });
      if (file.label !== label) proposals.change(proposal.id, file.uri, (one) => ({ ...one, label }));
    }
  }

  vscode.workspace.notebookDocuments.forEach(number);
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenNotebookDocument(number),
    vscode.workspace.onDidChangeNotebookDocument(({ notebook, contentChanges }) => {
      if (contentChanges.length > 0) number(notebook);
    }),
  );
}
