/** Findings whose conversation is forked, deleted, renamed, edited, or asked again. */
import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { toEditedQuestion } from '../../../src/conversation/continuingQuestion.ts';
import type { AskResult } from '../../../src/editor/conversations/turnStart.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { ended, type Scripted, startScripted, streamOf, until } from '../scripted.ts';

describe('Findings whose conversation changes', () => {
  let scripted: Scripted;
  let folder: string;
  let document: vscode.TextDocument;
  beforeEach(async () => {
    scripted = await startScripted();
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    // Files outside the workspace may be read if they are in an editor, which costs more than all else.
    folder = await mkdtemp(join(root.uri.fsPath, 'findings-'));
    await writeFile(join(folder, 'sum.js'), 'let total = 0;\nlet rest = 1;\n');
    document = await vscode.workspace.openTextDocument(join(folder, 'sum.js'));
  });
  afterEach(async () => {
    await scripted.close();
    await removeFolder(folder);
  });

  const claims = () =>
    vscode.languages
      .getDiagnostics(document.uri)
      .filter(({ source }) => source === 'K3 review')
      .map(({ message }) => message);
  const last = () => scripted.conversations.current().exchanges.at(-1);

  function will(claim: string, finish = 'stop'): void {
    const file = vscode.workspace.asRelativePath(document.uri);
    const place = { file, startLine: 1, endLine: 1, evidence: 'total = 0', edit: null };
    const answer = JSON.stringify({ summary: '', findings: [{ ...place, severity: 'error', claim }] });
    scripted.will(streamOf([{ answer }, { finish }]));
  }

  async function review(claim: string): Promise<string> {
    will(claim);
    await vscode.commands.executeCommand('k3.reviewFile', document.uri);
    const turnId = await until(() => last()?.attempts.at(-1)?.id);
    await until(() => scripted.findings.placementsOf(turnId));
    return turnId;
  }

  async function placed(asked: AskResult): Promise<string> {
    assert.ok(asked.ok);
    await until(() => scripted.findings.placementsOf(asked.turnId));
    return asked.turnId;
  }

  it('are replaced by those of another attempt, but not by an attempt that was cut off', async () => {
    const first = await review('One.');
    assert.deepEqual(claims(), ['One.']);
    will('Two.');
    const second = await placed(await scripted.conversations.askAgain(first));
    assert.deepEqual(claims(), ['Two.']);
    will('Three.', 'length');
    const third = await scripted.conversations.askAgain(second);
    assert.ok(third.ok);
    assert.equal((await ended(scripted.conversations, third.turnId)).outcome, 'truncated');
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.deepEqual(claims(), ['Two.']);
  });

  it('are replaced by those of an edited question, and stay so when the original branch is shown', async () => {
    await review('One.');
    const { id } = scripted.conversations.current();
    const original = last() ?? assert.fail();
    const edited = toEditedQuestion(original.question, `Be strict. ${original.question.text}`);
    will('Two.');
    await placed(await scripted.conversations.askInstead(id, original.id, edited));
    assert.deepEqual(claims(), ['Two.']);
    scripted.conversations.showBranch(id, original.id);
    assert.deepEqual(claims(), ['Two.']);
  });

  it('stay when it is renamed, are there once when it is forked, and are hidden with the original only', async () => {
    await review('One.');
    const { conversations } = scripted;
    const { id } = conversations.current();
    conversations.rename(id, 'Renamed');
    assert.deepEqual(claims(), ['One.']);
    const fork = conversations.fork(id);
    assert.deepEqual(claims(), ['One.']);
    conversations.delete(fork?.id ?? '');
    assert.deepEqual(claims(), ['One.']);
    conversations.delete(id);
    assert.deepEqual(claims(), []);
    conversations.restore(id);
    assert.deepEqual(claims(), ['One.']);
  });
});
