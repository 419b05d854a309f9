/** The comment box of a hunk on lines that have a finding. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { aroundProposals, document, edits, latest, pathOf, propose, run } from '../proposals/proposing.ts';
import { until } from '../scripted.ts';
import { reviewCode } from './reviewed.ts';

describe('A comment on a hunk', () => {
  aroundProposals({ shown: true });

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
    await reviewCode();
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
