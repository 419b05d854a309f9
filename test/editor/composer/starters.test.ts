/** The suggestions in an empty conversation. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createStarters } from '../../../src/editor/composer/starters.ts';
import { removeFolderSync } from '../../support/removeFolder.ts';
import { openRepository } from '../repositories.ts';
import { until } from '../scripted.ts';

describe('The suggestion to explain the changes', () => {
  let folder: string;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder });
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'k3-starters-')));
    git('init', '-q');
  });
  after(() => removeFolderSync(folder));

  it('is there as long as a repository has changes', async () => {
    const starters = createStarters({ get: () => undefined }, { warn: assert.fail });
    const offered = () => starters.list().some(({ reference }) => reference.kind === 'changes');
    assert.ok(!offered(), 'the workspace of the tests is no repository');
    await openRepository(folder);
    assert.ok(!offered(), 'the repository is empty');
    let told = 0;
    const listening = starters.onDidChange(() => told++);
    writeFileSync(join(folder, 'new.txt'), 'new\n');
    await vscode.commands.executeCommand('git.refresh', vscode.Uri.file(folder));
    await until(() => (offered() && told > 0) || undefined);
    rmSync(join(folder, 'new.txt'));
    await vscode.commands.executeCommand('git.refresh', vscode.Uri.file(folder));
    await until(() => !offered() || undefined);
    listening.dispose();
    starters.dispose();
    await vscode.commands.executeCommand('git.close', vscode.Uri.file(folder));
  });
});

describe('The suggestion to explain the problems', () => {
  it('is about those of the open file, not of another one', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const [open, other] = ['starters.txt', 'other.txt'].map((name) =>
      vscode.Uri.joinPath(folder.uri, name),
    ) as [vscode.Uri, vscode.Uri];
    await vscode.workspace.fs.writeFile(open, Buffer.from('a\n'));
    const editor = await vscode.window.showTextDocument(open);
    const starters = createStarters({ get: () => editor }, { warn: assert.fail });
    const offered = () => starters.list().filter(({ reference }) => reference.kind === 'problems');
    const problems = vscode.languages.createDiagnosticCollection('starters');
    const problem = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), 'Wrong');
    problems.set(other, [problem, problem]);
    assert.deepEqual(offered(), []);
    problems.set(open, [problem]);
    assert.deepEqual(
      offered().map(({ label, reference }) => [label, reference]),
      [['Explain the problems (1)', { kind: 'problems', uri: open.toString() }]],
    );
    problems.dispose();
    starters.dispose();
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await vscode.workspace.fs.delete(open);
  });
});

describe('The suggestion to explain the open file', () => {
  it('is not there for a document of K3, which has what is in a conversation', async () => {
    const uri = vscode.Uri.from({ scheme: 'k3-report', path: '/Next Request.md' });
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    const starters = createStarters({ get: () => editor }, { warn: assert.fail });
    assert.deepEqual(
      starters.list().filter(({ reference }) => reference.kind === 'file'),
      [],
    );
    starters.dispose();
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });
});
