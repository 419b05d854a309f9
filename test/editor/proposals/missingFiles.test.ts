import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Proposal } from '../../../src/review/proposals/proposal.ts';
import { openNotebook } from '../notebooks.ts';
import { renameOnDisk } from '../renameOnDisk.ts';
import { until } from '../scripted.ts';
import {
  aroundProposals,
  asked,
  CODE,
  comment,
  edits,
  open,
  openHidden,
  pathOf,
  propose,
  proposeIn,
  run,
  scripted,
  sentReview,
  uriOf,
  use,
  writeClosed,
} from './proposing.ts';

const acceptAll = ({ id }: Proposal) => vscode.commands.executeCommand('k3.acceptAll', { proposalId: id });

const statesIn = ({ id }: Proposal) =>
  scripted.proposals.get(id)?.files.map(({ hunks }) => hunks.map(({ state }) => state).join());

describe('A file under review that was deleted on the disk', () => {
  aroundProposals();

  it('is left out and named when all hunks are accepted, and the others are accepted', async () => {
    const proposal = await proposeIn(['a.txt', 'b.txt', 'c.txt'], writeClosed);
    rmSync(uriOf('b.txt').fsPath);
    await acceptAll(proposal);
    assert.deepEqual(statesIn(proposal), ['accepted', 'open', 'accepted']);
    assert.match(asked.notes.join('\n'), /b\.txt no longer exists/);
    assert.equal(scripted.proposals.get(proposal.id)?.files[1]?.missing, true);
    await vscode.workspace.saveAll();
    assert.equal(existsSync(uriOf('b.txt').fsPath), false);
  });

  it('gets nothing written into its tab', async () => {
    const proposal = await proposeIn(['a.txt']);
    const tab = await vscode.workspace.openTextDocument(uriOf('a.txt'));
    await vscode.window.showTextDocument(tab, { preview: false });
    rmSync(uriOf('a.txt').fsPath);
    await run('k3.acceptHunk', proposal, '0');
    assert.equal(tab.getText(), 'text of a.txt\n');
    assert.match(asked.notes.join('\n'), /a\.txt no longer exists/);
  });

  it('gets nothing written into its document when a folder has its name', async () => {
    const proposal = await proposeIn(['a.txt']);
    const kept = await vscode.workspace.openTextDocument(uriOf('a.txt'));
    rmSync(uriOf('a.txt').fsPath);
    mkdirSync(uriOf('a.txt').fsPath);
    await run('k3.acceptHunk', proposal, '0');
    assert.deepEqual(
      [statesIn(proposal), kept.getText(), kept.isDirty],
      [['open'], 'text of a.txt\n', false],
    );
    assert.match(asked.notes.join('\n'), /a\.txt no longer exists/);
  });

  it('is skipped by Next Hunk', async () => {
    await proposeIn(['a.txt', 'b.txt', 'c.txt']);
    rmSync(uriOf('b.txt').fsPath);
    await vscode.commands.executeCommand('k3.nextHunk');
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uriOf('a.txt').toString());
    await vscode.commands.executeCommand('k3.nextHunk');
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uriOf('c.txt').toString());
  });

  it('doesn’t keep the review from being sent', async () => {
    await proposeIn(['a.txt', 'b.txt']);
    await comment('a.txt', 'Say why.');
    rmSync(uriOf('b.txt').fsPath);
    const question = await sentReview();
    assert.match(question, /Say why\./);
    assert.doesNotMatch(question, /text of b\.txt/);
  });

  it('is reviewed again when it is back', async () => {
    const proposal = await proposeIn(['a.txt']);
    rmSync(uriOf('a.txt').fsPath);
    await until(() => scripted.proposals.get(proposal.id)?.files[0]?.missing);
    writeFileSync(uriOf('a.txt').fsPath, 'text of a.txt\n');
    await until(() => scripted.proposals.get(proposal.id)?.files[0]?.missing === false);
    await acceptAll(proposal);
    assert.deepEqual(statesIn(proposal), ['accepted']);
  });
});

describe('A file under review that another program renames to another one under review', () => {
  aroundProposals();

  for (const tab of ['a.txt', 'b.txt', undefined])
    it(`has its hunks there, with ${tab ?? 'none of them'} in a tab`, async () => {
      const earlier = await proposeIn(['b.txt']);
      const proposal = await proposeIn(['a.txt']);
      if (tab !== undefined) await vscode.window.showTextDocument(uriOf(tab), { preview: false });
      await renameOnDisk(uriOf('a.txt'), uriOf('b.txt'));
      const shown = () => scripted.proposals.ofFile(uriOf('b.txt').toString()).map((one) => one.proposal.id);
      await until(() => shown().join() === proposal.id);
      assert.deepEqual(scripted.proposals.ofFile(uriOf('a.txt').toString()), []);
      assert.equal(scripted.proposals.get(earlier.id)?.files[0]?.replacedBy, proposal.id);
      const renamed = await vscode.workspace.openTextDocument(uriOf('b.txt'));
      await until(() => renamed.getText() === 'text of a.txt\n');
      await until(() => statesIn(proposal)?.join() === 'open');
      await acceptAll(proposal);
      assert.equal(renamed.getText(), 'new text of a.txt\n');
    });
});

describe('A file that was missing when its edits were proposed', () => {
  aroundProposals();

  it('gets them under review when it is back and opened', async () => {
    const files = ['code.txt', 'gone.txt'].map((name) => ({
      path: pathOf(name),
      edits: [{ find: 'two', replace: 'TWO' }],
    }));
    const proposal = await propose(JSON.stringify({ explanation: '', files }));
    assert.ok(proposal);
    assert.equal(scripted.proposals.get(proposal.id)?.files[1]?.unplaced[0]?.reason, 'file-missing');
    const back = await openHidden('gone.txt', CODE);
    await until(() => statesIn(proposal)?.join() === 'open,open');
    await acceptAll(proposal);
    assert.equal(back.getText(), CODE.replace('two', 'TWO'));
  });
});

describe('A file with unsaved changes that was deleted on the disk', () => {
  aroundProposals();

  it('is still under review, and its hunks are accepted', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    await settings.update('autoSave', 'off', vscode.ConfigurationTarget.Global);
    try {
      const edited = await open('edited.txt', 'one\ntwo\nthree\nfour\n');
      const mine = new vscode.WorkspaceEdit();
      mine.insert(edited.uri, new vscode.Position(0, 0), 'mine\n');
      await vscode.workspace.applyEdit(mine);
      rmSync(edited.uri.fsPath);
      use(edited);
      const proposal = await propose(edits(pathOf('edited.txt'), ['four', 'FOUR']));
      assert.equal(edited.isDirty, true);
      await run('k3.acceptAll', proposal);
      assert.deepEqual(asked.notes, []);
      assert.equal(edited.getText(), 'mine\none\ntwo\nthree\nFOUR\n');
    } finally {
      await settings.update('autoSave', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});

describe('An untitled document under review that is closed', () => {
  aroundProposals();

  it('is gone, and its hunks are not those of another one that gets its name', async () => {
    const untitled = await vscode.workspace.openTextDocument({ content: CODE });
    use(untitled);
    await vscode.window.showTextDocument(untitled);
    const proposal = await propose(edits(vscode.workspace.asRelativePath(untitled.uri), ['two', 'TWO']));
    await vscode.window.showTextDocument(untitled);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await until(() => untitled.isClosed);
    await until(() => !scripted.proposals.ofFile(untitled.uri.toString()).length);
    await vscode.commands.executeCommand('workbench.action.files.newUntitledFile');
    const editor = await until(() => vscode.window.activeTextEditor);
    assert.equal(editor.document.uri.toString(), untitled.uri.toString());
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'a letter\nto somebody\n'));
    assert.deepEqual(scripted.proposals.ofFile(untitled.uri.toString()), []);
    await run('k3.acceptAll', proposal);
    assert.match(asked.notes.join('\n'), /Untitled-\d+ no longer exists/);
    assert.equal(editor.document.getText(), 'a letter\nto somebody\n');
    await vscode.window.showTextDocument(editor.document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});

describe('A notebook cell under review that is deleted', () => {
  aroundProposals();

  it('is said to be gone and skipped, and is reviewed again when that is undone', async () => {
    const notebook = uriOf('n.ipynb');
    const opened = await openNotebook(notebook, 'a = 1', 'b = 2');
    await vscode.window.showNotebookDocument(opened);
    use(opened.cellAt(0).document);
    const proposal = await propose(edits(`${pathOf('n.ipynb')}#1`, ['a = 1', 'a = 3']));
    const edit = new vscode.WorkspaceEdit();
    edit.set(notebook, [vscode.NotebookEdit.deleteCells(new vscode.NotebookRange(0, 1))]);
    await vscode.workspace.applyEdit(edit);
    const isMissing = () => scripted.proposals.get(proposal?.id ?? '')?.files[0]?.missing;
    await until(() => opened.cellCount === 1 && isMissing());
    await run('k3.acceptAll', proposal);
    await vscode.commands.executeCommand('k3.nextHunk');
    assert.deepEqual(
      asked.notes.map((note) => / no longer exists/.test(note)),
      [true, true],
    );
    await vscode.commands.executeCommand('undo');
    await until(() => opened.cellCount === 2 && isMissing() === false);
    await run('k3.acceptAll', proposal);
    assert.equal(opened.cellAt(0).document.getText(), 'a = 3');
  });
});

describe('A folder that is renamed', () => {
  aroundProposals();

  it('takes the hunks and the comments of its files along', async () => {
    const proposal = await proposeIn(['old/a.txt']);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uriOf('old/a.txt')));
    await comment('old/a.txt', 'Say why.');
    const rename = new vscode.WorkspaceEdit();
    rename.renameFile(uriOf('old'), uriOf('new'));
    await vscode.workspace.applyEdit(rename);
    await until(() => scripted.proposals.ofFile(uriOf('new/a.txt').toString()).at(-1));
    const question = await sentReview();
    assert.match(question, /Remark, on .*new\/a\.txt/);
    assert.doesNotMatch(question, /on .*old\/a\.txt/);
    await acceptAll(proposal);
    const moved = await vscode.workspace.openTextDocument(uriOf('new/a.txt'));
    assert.equal(moved.getText(), 'new text of old/a.txt\n');
  });
});

describe('A file under review that another program renames', () => {
  aroundProposals();

  it('takes its hunks and comments along', async () => {
    const proposal = await proposeIn(['a.txt', 'b.txt']);
    await comment('a.txt', 'Say why.');
    await renameOnDisk(uriOf('a.txt'), uriOf('c.txt'));
    const file = await until(() => scripted.proposals.ofFile(uriOf('c.txt').toString()).at(-1)?.file);
    assert.equal(file.missing, false);
    assert.match(await sentReview(), /Remark, on .*c\.txt/);
    await acceptAll(proposal);
    assert.deepEqual(statesIn(proposal), ['accepted', 'accepted']);
    const moved = await vscode.workspace.openTextDocument(uriOf('c.txt'));
    assert.equal(moved.getText(), 'new text of a.txt\n');
  });
});

describe('A review of files of several proposals', () => {
  aroundProposals();

  it('sends the code of all files with comments on their hunks, and renews them with one answer', async () => {
    const both = [await proposeIn(['a.txt']), await proposeIn(['b.txt'])];
    for (const name of ['a.txt', 'b.txt']) {
      await comment(name, 'Say why.');
    }
    const answer = ['a.txt', 'b.txt'].map((name) => ({
      path: pathOf(name),
      edits: [{ find: `text of ${name}`, replace: `better text of ${name}` }],
    }));
    const question = await sentReview(JSON.stringify({ explanation: '', files: answer }));
    for (const name of ['a.txt', 'b.txt']) assert.ok(question.includes(`text of ${name}`), name);
    const fresh = await until(() => {
      const found = scripted.proposals.ofFile(uriOf('a.txt').toString()).at(-1)?.proposal;
      return found?.id === both[0]?.id ? undefined : found;
    });
    for (const { id } of both)
      assert.deepEqual(
        scripted.proposals.get(id)?.files.map(({ replacedBy }) => replacedBy),
        [fresh.id],
      );
  });
});

describe('A new file whose deleted one is still open in the editor', () => {
  aroundProposals();

  it('is created', async () => {
    const tab = await open('new.txt', 'old\n');
    use(await openHidden('other.txt', 'text\n'));
    rmSync(uriOf('new.txt').fsPath);
    const proposal = await propose(edits(pathOf('new.txt'), ['', 'made\n']));
    assert.ok(proposal);
    assert.equal(tab.isClosed, false);
    await acceptAll(proposal);
    assert.deepEqual(statesIn(proposal), ['accepted']);
    assert.equal(readFileSync(uriOf('new.txt').fsPath, 'utf8'), 'made\n');
    await until(() => tab.getText() === 'made\n');
  });
});
