/** Cells whose addresses the editor makes anew: when they are replaced, when their untitled notebook is saved, and when it is opened again. */
import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Question } from '../../../src/conversation/question.ts';
import { toQuestion } from '../../../src/editor/code/codeQuestions.ts';
import { linesOfDocument, toPath } from '../../../src/editor/workspace/selectedCode.ts';
import type { Proposal } from '../../../src/review/proposals/proposal.ts';
import { toNotebook } from '../notebooks.ts';
import { streamOf, until } from '../scripted.ts';
import { aroundProposals, asked, edits, pathOf, run, scripted, sentReview, uriOf } from './proposing.ts';

const { workspace } = vscode;

const toCell = (text: string) => new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, 'python');
const textsOf = (notebook: vscode.NotebookDocument) =>
  notebook.getCells().map(({ document }) => document.getText());

async function insertCells(notebook: vscode.NotebookDocument, ...texts: readonly string[]): Promise<void> {
  const count = notebook.cellCount + texts.length;
  const editing = new vscode.WorkspaceEdit();
  editing.set(notebook.uri, [vscode.NotebookEdit.insertCells(0, texts.map(toCell))]);
  await workspace.applyEdit(editing);
  await until(() => notebook.cellCount === count);
}

/** The proposal of an answer that changes all of a cell. */
async function proposeIn({ document }: vscode.NotebookCell, replace: string): Promise<Proposal> {
  const { conversations, proposals } = scripted;
  const question: Question = toQuestion({
    task: 'edit',
    code: linesOfDocument(document, 0, document.lineCount - 1),
    instruction: 'Change it.',
    diagnostics: [],
  });
  const answer = edits(toPath(document), [document.getText(), replace]);
  scripted.will(streamOf([{ answer }, { finish: 'stop' }]));
  const sent = await conversations.ask(conversations.current().id, question);
  assert.ok(sent.ok);
  return until(() => proposals.ofTurn(sent.turnId)[0]);
}

/** A notebook with these cells, in an editor: one that an extension opens stays open for minutes. */
async function openWith(path: vscode.Uri, ...texts: readonly string[]): Promise<vscode.NotebookDocument> {
  await workspace.fs.writeFile(path, toNotebook(...texts));
  await vscode.commands.executeCommand('vscode.openWith', path, 'jupyter-notebook');
  return until(() => workspace.notebookDocuments.find(({ uri }) => uri.path === path.path));
}

async function commentOn({ document: { uri } }: vscode.NotebookCell, text: string): Promise<void> {
  const thread = { uri, range: new vscode.Range(0, 0, 0, 0), dispose: () => undefined };
  await vscode.commands.executeCommand('k3.addRemark', { thread, text });
}

/** Adds a cell above all others, saves the notebook, and closes it. */
async function closeWithCellAbove(notebook: vscode.NotebookDocument): Promise<void> {
  await insertCells(notebook, 'x = 0');
  await notebook.save();
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await until(() => notebook.isClosed);
}

/** Opens the notebook under its new name, in which the hunk and the comment are on the same cells, which have other numbers. */
async function followsTo(renamed: vscode.Uri, proposal: Proposal): Promise<void> {
  const again = await workspace.openNotebookDocument(renamed);
  await until(() => uriIn(proposal) === again.cellAt(2).document.uri.toString());
  const review = await sentReview();
  assert.ok(review.includes(`${pathOf(renamed.path.slice(renamed.path.lastIndexOf('/') + 1))}#4`), review);
  assert.match(review, /#4[\s\S]*b = 2[\s\S]*Say why\./);
  await run('k3.acceptAll', proposal);
  assert.deepEqual(textsOf(again), ['x = 0', 'a = 1', 'a = 2', 'b = 2']);
  await again.save();
}

const uriIn = ({ id }: Proposal) => scripted.proposals.get(id)?.files[0]?.uri;
const labelOf = ({ id }: Proposal) => scripted.proposals.get(id)?.files[0]?.label;

const isSaved = ({ isUntitled, uri }: vscode.NotebookDocument) =>
  !isUntitled && uri.path.endsWith('/saved.ipynb');

describe('An untitled notebook that is saved', () => {
  aroundProposals();

  it('takes the hunks of its cells along to the file, also of two with the same text', async () => {
    const untitled = uriOf('saved.ipynb').with({ scheme: 'untitled' });
    await vscode.commands.executeCommand('vscode.openWith', untitled, 'jupyter-notebook');
    // Another test may have left one.
    const notebook = await until(() =>
      workspace.notebookDocuments.find(({ isUntitled, uri }) => isUntitled && uri.path === untitled.path),
    );
    await insertCells(notebook, 'a = 1', 'a = 1', 'b = 2');
    const [second, third] = [
      await proposeIn(notebook.cellAt(1), 'a = 2'),
      await proposeIn(notebook.cellAt(2), 'b = 3'),
    ];
    await vscode.window.showNotebookDocument(notebook);
    // The dialog, which is a list in the browser, has the name of the notebook.
    const accepting = setInterval(
      () => void vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem'),
      500,
    );
    try {
      assert.equal(await notebook.save(), true);
      await until(() => notebook.isClosed);
    } finally {
      clearInterval(accepting);
    }
    // The dialog can be in another folder: that of the file which was in an editor last.
    const saved = await until(() => workspace.notebookDocuments.find(isSaved));
    await until(() => uriIn(third) === saved.cellAt(2).document.uri.toString());
    assert.equal(uriIn(second), saved.cellAt(1).document.uri.toString());
    // In a folder outside the workspace, the user is asked before the notebook is changed.
    asked.answer = 'Allow Once';
    for (const one of [second, third]) await run('k3.acceptAll', one);
    assert.deepEqual(textsOf(saved), ['a = 1', 'a = 2', 'b = 3']);
    await saved.save();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await workspace.fs.delete(saved.uri);
  });
});

describe('A notebook that is opened again after a cell was added above others', () => {
  aroundProposals();

  it('has the hunks in the same cells, although these have other addresses, also of two with the same text', async () => {
    const notebook = await openWith(uriOf('again.ipynb'), 'a = 1', 'a = 1', 'b = 2');
    const [second, third] = [
      await proposeIn(notebook.cellAt(1), 'a = 2'),
      await proposeIn(notebook.cellAt(2), 'b = 3'),
    ];
    await commentOn(notebook.cellAt(1), 'Say why.');
    await insertCells(notebook, 'x = 0');
    await until(() => labelOf(third) === `${pathOf('again.ipynb')}#4`);
    await notebook.save();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until(() => notebook.isClosed);
    const again = await workspace.openNotebookDocument(uriOf('again.ipynb'));
    assert.notEqual(again, notebook);
    assert.deepEqual(
      [second, third].map(labelOf),
      [3, 4].map((number) => `${pathOf('again.ipynb')}#${number}`),
    );
    const review = await sentReview();
    assert.match(review, /Remark, on .*again\.ipynb#3/);
    assert.match(review, /-a = 1\n\+a = 2/);
    for (const one of [second, third]) await run('k3.acceptAll', one);
    assert.deepEqual(textsOf(again), ['x = 0', 'a = 1', 'a = 2', 'b = 3']);
    await again.save();
  });
});

describe('A notebook without hunks that is opened again after a cell was added above others', () => {
  aroundProposals();

  it('has the comments on the same cells, although these have other addresses', async () => {
    const path = uriOf('remarked.ipynb');
    const notebook = await openWith(path, 'a = 1', 'b = 2', 'c = 3');
    for (const at of [1, 2]) await commentOn(notebook.cellAt(at), `Say why ${at}.`);
    await closeWithCellAbove(notebook);
    const again = await workspace.openNotebookDocument(path);
    assert.notEqual(again, notebook);
    const review = await sentReview();
    assert.match(
      review,
      /remarked\.ipynb#3[\s\S]*b = 2[\s\S]*Say why 1\.[\s\S]*remarked\.ipynb#4[\s\S]*c = 3[\s\S]*Say why 2\./,
    );
    await again.save();
  });
});

describe('A closed notebook that is renamed', () => {
  aroundProposals();

  it('has its hunks and comments under the new name, on the same cells, although these have other numbers', async () => {
    const [path, renamed] = [uriOf('closed.ipynb'), uriOf('renamed.ipynb')];
    const notebook = await openWith(path, 'a = 1', 'a = 1', 'b = 2');
    const proposal = await proposeIn(notebook.cellAt(1), 'a = 2');
    await commentOn(notebook.cellAt(2), 'Say why.');
    await closeWithCellAbove(notebook);
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(path, renamed);
    assert.ok(await workspace.applyEdit(edit));
    await followsTo(renamed, proposal);
  });
});

describe('A closed notebook that another program renames', () => {
  aroundProposals();

  it('has its hunks and comments under the new name, on the same cells', async () => {
    const [path, renamed] = [uriOf('left.ipynb'), uriOf('found.ipynb')];
    const notebook = await openWith(path, 'a = 1', 'a = 1', 'b = 2');
    const proposal = await proposeIn(notebook.cellAt(1), 'a = 2');
    await commentOn(notebook.cellAt(2), 'Say why.');
    await closeWithCellAbove(notebook);
    // Its file is read when it is closed, which can't be seen from here.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await rename(path.fsPath, renamed.fsPath);
    await until(() => uriIn(proposal)?.includes('found.ipynb'));
    await followsTo(renamed, proposal);
  });
});

describe('An open notebook that another program renames', () => {
  aroundProposals();

  it('has its hunks and comments in the notebook with the new name, on the same cells', async () => {
    const [path, renamed] = [uriOf('shown.ipynb'), uriOf('moved.ipynb')];
    const notebook = await openWith(path, 'x = 0', 'a = 1', 'a = 1', 'b = 2');
    const proposal = await proposeIn(notebook.cellAt(2), 'a = 2');
    await commentOn(notebook.cellAt(3), 'Say why.');
    // Its file is read when it is opened, which can't be seen from here.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await rename(path.fsPath, renamed.fsPath);
    await until(() => uriIn(proposal)?.includes('moved.ipynb'));
    await rename(renamed.fsPath, path.fsPath);
    await until(() => uriIn(proposal) === notebook.cellAt(2).document.uri.toString());
    await rename(path.fsPath, renamed.fsPath);
    await until(() => uriIn(proposal)?.includes('moved.ipynb'));
    await followsTo(renamed, proposal);
  });
});

describe('A cell in whose place another one with its text is put', () => {
  aroundProposals();

  /** A notebook in an editor whose first cell has a hunk, and is selected. */
  async function openWithHunk() {
    const uri = uriOf('replaced.ipynb');
    const notebook = await openWith(uri, 'a = 1', 'b = 2');
    return { notebook, proposal: await proposeIn(notebook.cellAt(0), 'a = 2') };
  }

  /** The editor doesn't notice each of two changes that follow each other while it reads the first one. */
  async function writtenByOther(notebook: vscode.NotebookDocument, ...sources: string[]) {
    for (let tries = 0; tries < 10 && notebook.cellCount !== sources.length; tries++) {
      await workspace.fs.writeFile(notebook.uri, toNotebook(...sources));
      const isRead = () => notebook.cellCount === sources.length;
      await until(isRead, 6000).catch(() => undefined);
    }
    assert.equal(notebook.cellCount, sources.length);
  }

  const follows = (proposal: Proposal, notebook: vscode.NotebookDocument, index: number) =>
    until(() => uriIn(proposal) === notebook.cellAt(index).document.uri.toString());

  it('has its hunks and its edit in the code when it becomes Markdown, and when that is undone', async () => {
    const { notebook, proposal } = await openWithHunk();
    const { inPlace } = scripted;
    const edit = await inPlace.open(linesOfDocument(notebook.cellAt(0).document, 0, 0), 0);
    await vscode.commands.executeCommand('notebook.cell.changeToMarkdown');
    await until(() => notebook.cellAt(0).kind === vscode.NotebookCellKind.Markup);
    await follows(proposal, notebook, 0);
    assert.deepEqual(
      inPlace.list().map(({ id, uri }) => [id, uri.toString()]),
      [[edit.id, uriIn(proposal)]],
    );
    inPlace.end(edit);
    await vscode.commands.executeCommand('undo');
    await until(() => notebook.cellAt(0).kind === vscode.NotebookCellKind.Code);
    await follows(proposal, notebook, 0);
    await run('k3.acceptAll', proposal);
    assert.deepEqual(textsOf(notebook), ['a = 2', 'b = 2']);
    await notebook.save();
  });

  it('has its hunks when it is cut and pasted, and when another program takes it away and brings it back', async () => {
    const { notebook, proposal } = await openWithHunk();
    await vscode.commands.executeCommand('notebook.cell.cut');
    await until(() => notebook.cellCount === 1);
    await vscode.commands.executeCommand('notebook.cell.paste');
    await until(() => notebook.cellCount === 2);
    await follows(proposal, notebook, textsOf(notebook).indexOf('a = 1'));
    await notebook.save();
    await writtenByOther(notebook, 'b = 2');
    await writtenByOther(notebook, 'x = 0', 'b = 2', 'a = 1');
    await follows(proposal, notebook, 2);
    await until(() => labelOf(proposal) === `${pathOf('replaced.ipynb')}#3`);
    await run('k3.acceptAll', proposal);
    assert.deepEqual(textsOf(notebook), ['x = 0', 'b = 2', 'a = 2']);
    await notebook.save();
  });
});
