/** The comment box of a hunk on lines that have a finding. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import {
  aroundProposals,
  document,
  edits,
  latest,
  pathOf,
  propose,
  run,
  scripted,
} from '../proposals/proposing.ts';
import { ended, streamOf, until } from '../scripted.ts';

describe('A comment on a hunk', () => {
  aroundProposals();

  /**
   * A comment box is a document. Those of replies have the name of their controller before the number. In VS Code 1.103,
   * the number is followed by `.md?{…}`, all of it in the path.
   */
  const boxes = () =>
    vscode.workspace.textDocuments.filter(
      ({ uri }) => uri.authority === 'k3.proposal' && /-\d+\.md(?:\?|$)/.test(uri.path),
    ).length;
  const findings = () =>
    vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'K3 review').length;

  async function review(): Promise<void> {
    const place = { file: pathOf('code.txt'), startLine: 3, endLine: 3, evidence: 'three', edit: null };
    const answer = JSON.stringify({ summary: '', findings: [{ ...place, severity: 'error', claim: 'No.' }] });
    scripted.will(streamOf([{ answer }, { finish: 'stop' }]));
    await vscode.commands.executeCommand('k3.reviewFile');
    const turn = await until(() => scripted.conversations.current().exchanges.at(-1)?.attempts.at(-1)?.id);
    await ended(scripted.conversations, turn);
    await until(() => findings() === 1 || undefined);
  }

  for (const [name, before] of [
    ['on lines without a finding', async () => undefined],
    ['on the line of a finding, which is shown again', review],
  ] as const) {
    it(`opens a box ${name}`, async () => {
      await before();
      const proposal = await propose(edits(pathOf('code.txt'), ['three', 'THREE']));
      await vscode.window.showTextDocument(document);
      const open = boxes();
      await run('k3.commentHunk', proposal, latest(proposal).hunks[0]?.hunk.id);
      await until(() => boxes() > open || undefined);
      assert.equal(findings(), before === review ? 1 : 0);
    });
  }
});
