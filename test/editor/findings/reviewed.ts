/** A review of the open document of tests, which has one finding. */
import * as vscode from 'vscode';
import { document, pathOf, scripted } from '../proposals/proposing.ts';
import { ended, streamOf, until } from '../scripted.ts';

/** Reviews `code.txt`. Resolves when the answer has ended; its finding, in line 3, comes right after that. */
export async function reviewCode(): Promise<void> {
  const place = { file: pathOf('code.txt'), startLine: 3, endLine: 3, evidence: 'three', edit: null };
  const answer = JSON.stringify({ summary: '', findings: [{ ...place, severity: 'error', claim: 'No.' }] });
  scripted.will(streamOf([{ answer }, { finish: 'stop' }]));
  await vscode.commands.executeCommand('k3.reviewFile', document.uri);
  const turn = await until(() => scripted.conversations.current().exchanges.at(-1)?.attempts.at(-1)?.id);
  await ended(scripted.conversations, turn);
}
