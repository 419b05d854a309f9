import assert from 'node:assert/strict';
import { symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { toQuestion } from '../../../src/editor/code/codeQuestions.ts';
import { linesOfDocument } from '../../../src/editor/workspace/selectedCode.ts';
import type { Proposal } from '../../../src/review/proposals/proposal.ts';
import { streamOf, until } from '../scripted.ts';
import {
  aroundProposals,
  asked,
  CODE,
  document,
  edits,
  folder,
  latest,
  open,
  openHidden,
  outside,
  pathOf,
  propose,
  run,
  scripted,
  states,
  uriOf,
} from './proposing.ts';

async function type(line: number, character: number, text: string): Promise<void> {
  const typing = new vscode.WorkspaceEdit();
  typing.insert(document.uri, new vscode.Position(line, character), text);
  await vscode.workspace.applyEdit(typing);
}

/** Changes line 4, and a file outside the workspace, which the user is asked about. */
function inTwoFiles(): string {
  const file = join(outside, 'a.txt');
  writeFileSync(file, 'a\n');
  return JSON.stringify({
    explanation: '',
    files: [
      { path: pathOf('code.txt'), edits: [{ find: 'four', replace: 'FOUR' }] },
      { path: file, edits: [{ find: 'a', replace: 'b' }] },
    ],
  });
}

/** What the preview would show, which waits for the user. */
async function preview(proposal: Proposal | undefined): Promise<vscode.WorkspaceEdit | undefined> {
  const { applyEdit } = vscode.workspace;
  let previewed: vscode.WorkspaceEdit | undefined;
  const show = async (edit: vscode.WorkspaceEdit, metadata?: vscode.WorkspaceEditMetadata) => {
    if (metadata?.isRefactoring !== true) return applyEdit(edit, metadata);
    previewed = edit;
    return false;
  };
  Object.assign(vscode.workspace, { applyEdit: show });
  await vscode.commands
    .executeCommand('k3.previewProposal', { proposalId: proposal?.id })
    .then(undefined, (error: unknown) => assert.fail(String(error)));
  Object.assign(vscode.workspace, { applyEdit });
  return previewed;
}

describe('A file that changes while a proposal is created', () => {
  aroundProposals();

  it('gets the hunks at the lines where they belong now', async () => {
    asked.answer = 'Allow Once';
    asked.meanwhile = () => type(0, 0, 'zero\nnought\n');
    const proposal = await propose(inTwoFiles());
    asked.meanwhile = undefined;
    assert.deepEqual(states(proposal), ['open']);
    await run('k3.acceptHunk', proposal, '0');
    assert.equal(document.getText(), 'zero\nnought\none\ntwo\nthree\nFOUR\nfive\n');
  });

  it('gets them also when a new line is right above', async () => {
    asked.meanwhile = () => type(3, 0, 'more\n');
    const proposal = await propose(inTwoFiles());
    await run('k3.acceptHunk', proposal, '0');
    assert.equal(document.getText(), 'one\ntwo\nthree\nmore\nFOUR\nfive\n');
  });
});

describe('Lines in question that change while the answer runs', () => {
  aroundProposals();
  const TWICE = 'a() {\n  one\n  return x\n}\nb() {\n  two\n  return x\n}\n';

  /** Asks about lines of a file, counted from 0, and types into one of them meanwhile. */
  async function proposeAbout(start: number, end: number, typed: number, answer: string) {
    const { conversations, proposals } = scripted;
    const twice = await openHidden('twice.txt', TWICE);
    scripted.will(async (response, body) => {
      const typing = new vscode.WorkspaceEdit();
      typing.insert(twice.uri, twice.lineAt(typed).range.end, 'y');
      await vscode.workspace.applyEdit(typing);
      await streamOf([{ answer }, { finish: 'stop' }])(response, body);
    });
    const code = linesOfDocument(twice, start, end);
    const question = toQuestion({ task: 'edit', code, instruction: 'Change it.', diagnostics: [] });
    const sent = await conversations.ask(conversations.current().id, question);
    assert.ok(sent.ok);
    const proposal = await until(() => proposals.ofTurn(sent.turnId)[0]);
    return {
      hunks: proposal.files.flatMap(({ hunks }) => hunks.map(({ hunk }) => [hunk.line, hunk.after.trim()])),
      unplaced: proposal.files.flatMap((file) => file.unplaced.map(({ reason }) => reason)),
      trouble: proposal.trouble?.kind,
    };
  }

  const answer = () => edits(pathOf('twice.txt'), ['  return x', '  return z']);

  it('are not taken for equal ones elsewhere', async () => {
    assert.deepEqual(await proposeAbout(0, 3, 2, answer()), {
      hunks: [],
      unplaced: ['unclear'],
      trouble: undefined,
    });
  });

  it('are not taken for equal ones elsewhere, also if it is all of them, and the answer is code', async () => {
    const code = '```\n  return z\n```\n';
    assert.deepEqual(await proposeAbout(2, 2, 2, code), {
      hunks: [],
      unplaced: [],
      trouble: 'lines-changed',
    });
  });

  it('get the changes of those that are still there', async () => {
    assert.deepEqual(await proposeAbout(4, 7, 5, answer()), {
      hunks: [[6, 'return z']],
      unplaced: [],
      trouble: undefined,
    });
  });
});

describe('A file that changes before a hunk is accepted', () => {
  aroundProposals();

  it('has the hunks of the preview at the lines where they belong now', async () => {
    asked.answer = 'Allow Once';
    const proposal = await propose(inTwoFiles());
    asked.meanwhile = () => type(0, 0, 'zero\nnought\n');
    const previewed = await preview(proposal);
    const [replaced] = previewed?.get(document.uri) ?? [];
    assert.deepEqual([replaced?.range.start.line, replaced?.newText], [5, 'FOUR\n']);
  });

  it('is not in the preview if a later proposal has replaced its hunks, also while the user is asked', async () => {
    asked.answer = 'Allow Once';
    const replace = async () => void (await propose(edits(pathOf('code.txt'), ['four', '4'])));
    const outsideOnly = [vscode.Uri.file(join(outside, 'a.txt')).toString()];
    const filesOf = (edit: vscode.WorkspaceEdit | undefined) =>
      edit?.entries().map(([uri]) => uri.toString());
    const proposal = await propose(inTwoFiles());
    await replace();
    assert.deepEqual(filesOf(await preview(proposal)), outsideOnly);
    const second = await propose(inTwoFiles());
    asked.meanwhile = replace;
    assert.deepEqual(filesOf(await preview(second)), outsideOnly);
    assert.doesNotMatch(asked.notes.join('\n'), /nothing was changed/);
  });

  it('is not in the preview if its path leads to another one since it was allowed, and the user is told', async () => {
    const link = uriOf('linked').fsPath;
    for (const name of ['real', 'other']) await openHidden(`${name}/b.txt`, 'b\n');
    symlinkSync(uriOf('real').fsPath, link);
    const both = JSON.parse(inTwoFiles());
    const [, last] = both.files;
    const files = [{ path: pathOf('linked/b.txt'), edits: [{ find: 'b', replace: 'B' }] }, last];
    asked.answer = 'Allow Once';
    const proposal = await propose(JSON.stringify({ ...both, files }));
    asked.meanwhile = async () => {
      unlinkSync(link);
      symlinkSync(uriOf('other').fsPath, link);
    };
    const previewed = await preview(proposal);
    assert.deepEqual(
      previewed?.entries().map(([uri]) => uri.toString()),
      [vscode.Uri.file(join(outside, 'a.txt')).toString()],
    );
    assert.match(
      asked.notes.join('\n'),
      /b\.txt was not changed because its path now leads to a different file/,
    );
  });

  it('is not in the preview if it is the only one and was replaced, and the user is told', async () => {
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO']));
    await propose(edits(pathOf('code.txt'), ['two', '2']));
    assert.equal(await preview(proposal), undefined);
    assert.match(asked.notes.join('\n'), /A later proposal replaced this one, so nothing was changed/);
  });

  it('is changed in the preview if it was proposed as new and others have created it, which would fail', async () => {
    const proposal = await propose(edits(pathOf('fresh.txt'), ['', 'of the model\n']));
    writeFileSync(uriOf('fresh.txt').fsPath, 'of the user\n');
    const previewed = await preview(proposal);
    assert.deepEqual(
      previewed?.get(uriOf('fresh.txt')).map(({ newText }) => newText),
      ['of the model\n'],
    );
    assert.equal(latest(proposal).created, false);
  });

  it('keeps what someone else wrote into the new file, until the user has seen both', async () => {
    const proposal = await propose(edits(pathOf('fresh.txt'), ['', 'of the model\n']));
    const uri = vscode.Uri.joinPath(folder, 'fresh.txt');
    writeFileSync(uri.fsPath, 'of the user\n');
    await run('k3.acceptAll', proposal);
    const fresh = await vscode.workspace.openTextDocument(uri);
    assert.equal(fresh.getText(), 'of the user\n');
    assert.deepEqual(states(proposal), ['open']);
    assert.match(asked.notes.join('\n'), /fresh\.txt exists now/);
    await run('k3.acceptAll', proposal);
    assert.equal(fresh.getText(), 'of the model\n');
  });

  it('gets the hunk where it belongs when it changes in that moment, and the editor refuses the edit', async () => {
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO']));
    const { applyEdit } = vscode.workspace;
    const restore = () => void Object.assign(vscode.workspace, { applyEdit });
    Object.assign(vscode.workspace, {
      async applyEdit() {
        restore();
        await type(0, 0, 'zero\n');
        return false;
      },
    });
    await run('k3.acceptAll', proposal);
    restore();
    assert.equal(document.getText(), `zero\n${CODE.replace('two', 'TWO')}`);
    assert.deepEqual(asked.notes, []);
  });

  it('keeps lines that changed, and the user is told why nothing happens', async () => {
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO']));
    await type(1, 0, 'x');
    await run('k3.acceptAll', proposal);
    assert.equal(document.getText(), 'one\nxtwo\nthree\nfour\nfive\n');
    assert.match(asked.notes.join('\n'), /lines have changed/);
  });
});

describe('Two hunks of a file that are accepted before the editor has changed it', () => {
  aroundProposals();

  it('are both applied, and one that is accepted twice is applied once', async () => {
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO'], ['four', 'FOUR']));
    const { workspace } = vscode;
    const { applyEdit } = workspace;
    const waiting: (() => void)[] = [];
    Object.assign(workspace, {
      async applyEdit(edit: vscode.WorkspaceEdit) {
        // All that come within this time reach the editor at once.
        setTimeout(() => {
          for (const go of waiting.splice(0)) go();
        }, 300);
        await new Promise<void>((resolve) => void waiting.push(resolve));
        return applyEdit.call(workspace, edit);
      },
    });
    await Promise.all(['0', '1', '0'].map((id) => run('k3.acceptHunk', proposal, id))).finally(() =>
      Object.assign(workspace, { applyEdit }),
    );
    assert.equal(document.getText(), 'one\nTWO\nthree\nFOUR\nfive\n');
    assert.deepEqual(asked.notes, []);
  });
});

describe('A change that isn’t placed', () => {
  aroundProposals();

  it('is offered as a hunk when undo brings its lines back', async () => {
    await vscode.window.showTextDocument(document);
    await type(3, 0, 'x');
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO'], ['four\n', 'FOUR\n']));
    assert.deepEqual(states(proposal), ['open']);
    assert.equal(latest(proposal).unplaced.length, 1);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    await until(() => document.getText() === CODE && states(proposal).length === 2);
    assert.deepEqual(states(proposal), ['open', 'open']);
    assert.deepEqual(latest(proposal).unplaced, []);
    await run('k3.acceptAll', proposal);
    assert.equal(document.getText(), 'one\nTWO\nthree\nFOUR\nfive\n');
  });

  it('is not said to be gone if the file is renamed while the user is asked: its hunks have moved along', async () => {
    await vscode.workspace.fs.createDirectory(uriOf('.vscode'));
    await open('.vscode/tasks.json', '{\n "a": 1\n}\n');
    asked.answer = 'Allow Once';
    const edits = [{ find: ' "a": 1', replace: ' "a": 2' }];
    const files = [{ path: pathOf('.vscode/tasks.json'), edits }];
    const proposal = await propose(JSON.stringify({ explanation: '', files }));
    asked.meanwhile = async () => {
      asked.meanwhile = undefined;
      const edit = new vscode.WorkspaceEdit();
      edit.renameFile(uriOf('.vscode/tasks.json'), uriOf('.vscode/other.json'));
      await vscode.workspace.applyEdit(edit);
      asked.answer = 'Allow Once';
    };
    await run('k3.acceptAll', proposal);
    assert.match(
      asked.notes.join('\n'),
      /tasks\.json was not changed because its path now leads to a different file/,
    );
  });
});
