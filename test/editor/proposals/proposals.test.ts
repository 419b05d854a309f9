import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { toProposalViews, toTroubleCards } from '../../../src/editor/proposals/proposalViews.ts';
import type { Proposal } from '../../../src/review/proposals/proposal.ts';
import { findCodeLens } from '../actions.ts';
import { openNotebook } from '../notebooks.ts';
import { until } from '../scripted.ts';
import {
  aroundProposals,
  asked,
  CODE,
  document,
  edits,
  folder,
  latest,
  missShown,
  open,
  openHidden,
  outside,
  pathOf,
  propose,
  run,
  scripted,
  sentReview,
  shownBy,
  states,
  use,
} from './proposing.ts';

describe('A proposal in the requested format', () => {
  aroundProposals();

  it('shows hunks in the file, which are accepted one by one, each as one undo step', async () => {
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO'], ['four', 'FOUR']));
    assert.deepEqual(states(proposal), ['open', 'open']);
    assert.equal(document.getText(), CODE);
    await run('k3.acceptHunk', proposal, '1');
    assert.equal(document.getText(), 'one\ntwo\nthree\nFOUR\nfive\n');
    assert.deepEqual(states(proposal), ['open', 'accepted']);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), CODE);
    assert.deepEqual(states(proposal), ['open', 'open']);
    await vscode.commands.executeCommand('redo');
    assert.deepEqual(states(proposal), ['open', 'accepted']);
  });

  it('is left alone by the button of a thread that the editor has just removed, also at the cursor', async () => {
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO'], ['four', 'FOUR']));
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('k3.nextHunk');
    // What the editor passes then.
    const removed = { commentControlHandle: 0, commentThreadHandle: 99 };
    for (const command of ['k3.acceptHunk', 'k3.rejectHunk', 'k3.acceptAll'])
      await vscode.commands.executeCommand(command, removed);
    assert.deepEqual([states(proposal), document.getText()], [['open', 'open'], CODE]);
    assert.match(asked.notes.join('\n'), /There is no proposal to review/);
  });

  it('moves with the text while the user types elsewhere, and isn’t applied to changed lines', async () => {
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO'], ['four', 'FOUR']));
    const typing = new vscode.WorkspaceEdit();
    typing.insert(document.uri, new vscode.Position(0, 0), 'zero\n');
    typing.insert(document.uri, new vscode.Position(0, 3), 'x');
    await vscode.workspace.applyEdit(typing);
    assert.deepEqual(states(proposal), ['open', 'open']);
    const under = new vscode.WorkspaceEdit();
    under.insert(document.uri, new vscode.Position(2, 0), 'y');
    await vscode.workspace.applyEdit(under);
    assert.deepEqual(states(proposal), ['stale', 'open']);
    // The editor drops a usual space behind an icon.
    await findCodeLens(document.uri, '$(warning)\u00a0Lines changed: can’t be applied');
    await run('k3.acceptAll', proposal);
    assert.equal(document.getText(), 'zero\nonex\nytwo\nthree\nFOUR\nfive\n');
    assert.deepEqual(states(proposal), ['stale', 'accepted']);
  });

  it('is accepted completely in one undo step', async () => {
    const proposal = await propose(
      edits(pathOf('code.txt'), ['one', 'ONE'], ['three', 'THREE'], ['five', 'FIVE']),
    );
    await run('k3.acceptAll', proposal);
    assert.equal(document.getText(), 'ONE\ntwo\nTHREE\nfour\nFIVE\n');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), CODE);
  });

  it('shows edits without an exact place, and doesn’t guess one', async () => {
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO'], ['six', 'SIX'], ['e', 'E']));
    assert.deepEqual(states(proposal), ['open']);
    assert.deepEqual(
      latest(proposal).unplaced.map(({ reason }) => reason),
      ['not-there', 'part-of-line'],
    );
  });

  it('creates a new file only when it is accepted', async () => {
    const proposal = await propose(edits(pathOf('new.txt'), ['', 'all\nnew\n']));
    const uri = vscode.Uri.joinPath(folder, 'new.txt');
    await assert.rejects(Promise.resolve(vscode.workspace.fs.stat(uri)));
    assert.deepEqual(await shownBy(() => run('k3.acceptAll', proposal)), ['new.txt']);
    assert.equal(Buffer.from(await vscode.workspace.fs.readFile(uri)).toString(), 'all\nnew\n');
    assert.deepEqual(states(proposal), ['accepted']);
  });

  it('is gone through by Next Hunk past the diff of a new file, and past the second of two hunks on a line', async () => {
    const toFile = (name: string, ...pairs: readonly (readonly [string, string])[]) => ({
      path: pathOf(name),
      edits: pairs.map(([find, replace]) => ({ find, replace })),
    });
    const files = [
      toFile('new.txt', ['', 'new\n']),
      toFile('code.txt', ['one', 'one\nmore'], ['three', '3']),
    ];
    const proposal = await propose(JSON.stringify({ explanation: '', files }));
    const typing = new vscode.WorkspaceEdit();
    typing.delete(document.uri, new vscode.Range(1, 0, 2, 0));
    await vscode.workspace.applyEdit(typing);
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(0, 0, 0, 0) });
    const shown: unknown[] = [];
    for (let times = 0; times < 4; times++) {
      await vscode.commands.executeCommand('k3.nextHunk');
      const { document: there, selection } = vscode.window.activeTextEditor ?? assert.fail('no editor');
      shown.push([there.uri.path.split('/').at(-1), selection.active.line]);
    }
    assert.deepEqual(shown, [
      ['code.txt', 1],
      ['code.txt', 1],
      ['new.txt', 0],
      ['code.txt', 1],
    ]);
    await vscode.commands.executeCommand('k3.nextHunk');
    await vscode.commands.executeCommand('k3.acceptHunk');
    assert.equal(document.getText(), 'one\n3\nfour\nfive\n');
    assert.deepEqual(states(proposal), ['open']);
  });

  it('is only shown by Accept All and Reject All in no file of it, and decided when it is in front', async () => {
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO']));
    for (const command of ['k3.rejectAll', 'k3.acceptAll']) {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.commands.executeCommand(command);
      assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), document.uri.toString());
      assert.deepEqual([states(proposal), document.getText()], [['open'], CODE]);
    }
    await vscode.commands.executeCommand('k3.acceptAll');
    assert.equal(document.getText(), CODE.replace('two', 'TWO'));
  });

  it('is left alone by Accept All and Reject All with another file in front, which say where its next hunk is', async () => {
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO']));
    const other = await open('other.txt', 'other\n');
    await vscode.window.showTextDocument(other);
    const { showInformationMessage } = vscode.window;
    const said: unknown[] = [];
    let choice: string | undefined;
    const answering = async (...shown: unknown[]) => {
      said.push(shown);
      return choice;
    };
    Object.assign(vscode.window, { showInformationMessage: answering });
    const inFront = () => vscode.window.activeTextEditor?.document.uri.path;
    try {
      for (const command of ['k3.acceptAll', 'k3.rejectAll']) {
        await vscode.commands.executeCommand(command);
        assert.deepEqual([inFront(), states(proposal), document.getText()], [other.uri.path, ['open'], CODE]);
      }
      choice = 'Next Hunk';
      await vscode.commands.executeCommand('k3.acceptAll');
      await until(() => inFront() === document.uri.path);
    } finally {
      Object.assign(vscode.window, { showInformationMessage });
    }
    const where = `There are no open hunks in this file. The next one is in ${proposal?.files[0]?.label}.`;
    assert.deepEqual(said, Array(3).fill([where, 'Next Hunk']));
    assert.deepEqual(states(proposal), ['open']);
  });

  it('is left alone also when they are selected in the title of another editor, which gives them its file', async () => {
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO']));
    const other = await open('other.txt', 'other\n');
    for (const command of ['k3.rejectAll', 'k3.acceptAll']) {
      await vscode.commands.executeCommand(command, other.uri, { groupId: 0 });
      assert.deepEqual([states(proposal), document.getText()], [['open'], CODE], command);
    }
    assert.match(asked.notes.join('\n'), /There are no open hunks in this file/);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('k3.acceptAll', document.uri, { groupId: 0 });
    assert.equal(document.getText(), CODE.replace('two', 'TWO'));
  });

  it('of a new file is shown in a diff by Accept All, and created when that is in front', async () => {
    const proposal = await propose(edits(pathOf('new.txt'), ['', 'new\n']));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('k3.acceptAll');
    await until(() => vscode.window.activeTextEditor?.document.uri.scheme === 'k3-proposal');
    assert.deepEqual(states(proposal), ['open']);
    await vscode.commands.executeCommand('k3.acceptAll');
    assert.deepEqual(states(proposal), ['accepted']);
  });

  it('creates no new file that was rejected', async () => {
    const proposal = await propose(edits(pathOf('new.txt'), ['', 'all\nnew\n']));
    await run('k3.rejectAll', proposal);
    await run('k3.acceptAll', proposal);
    await assert.rejects(Promise.resolve(vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, 'new.txt'))));
    assert.deepEqual(states(proposal), ['rejected']);
  });

  it('names the wrong field when it is malformed', async () => {
    const proposal = await propose('{"explanation": "", "files": [{"path": "code.txt", "edits": "none"}]}');
    assert.deepEqual(proposal?.trouble, {
      kind: 'malformed',
      malformed: { field: 'files[0].edits', expected: 'a list' },
    });
  });

  it('isn’t created from an answer that was cut off, even if it is valid', async () => {
    assert.equal(await propose(edits(pathOf('code.txt'), ['two', 'TWO']), 'length'), undefined);
  });

  it('is replaced by a later one for the same file, and can’t be accepted any more', async () => {
    const first = await propose(edits(pathOf('code.txt'), ['two', 'TWO']));
    const second = await propose(edits(pathOf('code.txt'), ['two', 'Two']));
    await run('k3.acceptHunk', first, '0');
    assert.equal(document.getText(), CODE);
    await run('k3.acceptHunk', second, '0');
    assert.equal(document.getText(), 'one\nTwo\nthree\nfour\nfive\n');
  });

  describe('is taken up again', () => {
    const underReview = () => scripted.proposals.ofFile(document.uri.toString()).at(-1)?.proposal.id;
    const type = async (line: number, text: string) => {
      const change = new vscode.WorkspaceEdit();
      change.insert(document.uri, new vscode.Position(line, 0), text);
      await vscode.workspace.applyEdit(change);
    };

    it('with its hunks in the text as it is now, and takes the place of the later one, as often as wanted', async () => {
      const first = await propose(edits(pathOf('code.txt'), ['two', 'TWO']));
      const second = await propose(edits(pathOf('code.txt'), ['two', 'Two']));
      await type(0, 'zero\n');
      await run('k3.reopenProposal', first);
      assert.deepEqual([underReview(), states(first)], [first?.id, ['open']]);
      assert.equal(latest(second).replacedBy, first?.id);
      await run('k3.reopenProposal', second);
      assert.equal(underReview(), second?.id);
      await run('k3.reopenProposal', first);
      // It is under review, so there is nothing to take up.
      await run('k3.reopenProposal', first);
      await run('k3.acceptAll', first);
      assert.equal(document.getText(), `zero\n${CODE.replace('two', 'TWO')}`);
    });

    it('also when another editor is opened before its file is shown', async () => {
      const first = await propose(edits(pathOf('code.txt'), ['two', 'TWO']));
      await propose(edits(pathOf('code.txt'), ['two', 'Two']));
      const restore = missShown();
      await run('k3.reopenProposal', first);
      restore();
      assert.deepEqual([underReview(), states(first), asked.notes], [first?.id, ['open'], []]);
      await run('k3.acceptAll', first);
      assert.equal(document.getText(), CODE.replace('two', 'TWO'));
    });

    it('without its hunks that no longer fit, which are outdated', async () => {
      const first = await propose(edits(pathOf('code.txt'), ['two', 'TWO'], ['four', 'FOUR']));
      const second = await propose(edits(pathOf('code.txt'), ['two', 'Two']));
      await run('k3.acceptAll', second);
      await run('k3.reopenProposal', first);
      assert.deepEqual([underReview(), states(first)], [first?.id, ['stale', 'open']]);
      assert.match(asked.notes.at(-1) ?? '', /^1 hunk of .*code\.txt can’t be applied/);
      await run('k3.acceptAll', first);
      assert.equal(document.getText(), 'one\nTwo\nthree\nFOUR\nfive\n');
    });

    it('when its file was renamed, and says so when it was deleted', async () => {
      await vscode.window.showTextDocument(document, { preview: false });
      const first = await propose(edits(pathOf('code.txt'), ['two', 'TWO']));
      await propose(edits(pathOf('code.txt'), ['two', 'Two']));
      const renaming = new vscode.WorkspaceEdit();
      const other = vscode.Uri.joinPath(folder, 'other.txt');
      renaming.renameFile(document.uri, other);
      await vscode.workspace.applyEdit(renaming);
      await run('k3.reopenProposal', first);
      assert.equal(scripted.proposals.ofFile(other.toString()).at(-1)?.proposal.id, first?.id);
      await propose(edits(pathOf('other.txt'), ['two', '2']));
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.workspace.fs.delete(other);
      await run('k3.reopenProposal', first);
      assert.match(asked.notes.at(-1) ?? '', /other\.txt no longer exists/);
    });
  });
});

describe('Rejected hunks', () => {
  aroundProposals();

  const stateOf = (proposal: Proposal | undefined) => toProposalViews([latestOf(proposal)])[0];
  const latestOf = (proposal: Proposal | undefined) =>
    scripted.proposals.get(proposal?.id ?? '') ?? assert.fail('no proposal');

  it('are restored from the chat in the text as it is now, and accepted', async () => {
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO'], ['four', 'FOUR']));
    assert.equal(stateOf(proposal)?.restorable, false);
    await run('k3.rejectAll', proposal);
    assert.deepEqual([stateOf(proposal)?.state, stateOf(proposal)?.restorable], ['decided', true]);
    const typing = new vscode.WorkspaceEdit();
    typing.insert(document.uri, new vscode.Position(0, 0), 'zero\n');
    await vscode.workspace.applyEdit(typing);
    await run('k3.restoreRejected', proposal);
    assert.deepEqual(states(proposal), ['open', 'open']);
    assert.equal(stateOf(proposal)?.restorable, false);
    await run('k3.acceptAll', proposal);
    assert.equal(document.getText(), `zero\n${CODE.replace('two', 'TWO').replace('four', 'FOUR')}`);
  });

  it('replace another proposal under review only after the user agreed, from the chat as from the command', async () => {
    const rejected = await propose(edits(pathOf('code.txt'), ['two', 'TWO']));
    await run('k3.rejectAll', rejected);
    const open = await propose(edits(pathOf('code.txt'), ['two', '2']));
    await vscode.window.showTextDocument(document);
    asked.answer = undefined;
    await vscode.commands.executeCommand('k3.restoreRejected');
    await run('k3.restoreRejected', rejected);
    assert.deepEqual([states(rejected), states(open)], [['rejected'], ['open']]);
    assert.equal(latestOf(open).files[0]?.replacedBy, undefined);
    assert.equal(asked.titles.length, 2);
    for (const title of asked.titles) assert.match(title, /^Replace the proposal for/);
    asked.answer = 'Replace';
    await vscode.commands.executeCommand('k3.restoreRejected');
    assert.deepEqual([states(rejected), latestOf(open).files[0]?.replacedBy], [['open'], rejected?.id]);
  });

  it('are restored beside another proposal without a question', async () => {
    const rejected = await propose(edits(pathOf('code.txt'), ['two', 'TWO']));
    await run('k3.rejectAll', rejected);
    const other = await propose(edits(pathOf('code.txt'), ['four', 'FOUR']));
    await vscode.window.showTextDocument(document);
    const typing = new vscode.WorkspaceEdit();
    typing.insert(document.uri, new vscode.Position(0, 0), 'zero\n');
    await vscode.workspace.applyEdit(typing);
    await vscode.commands.executeCommand('k3.restoreRejected');
    assert.deepEqual([states(rejected), states(other)], [['open'], ['open']]);
    assert.equal(latestOf(other).files[0]?.replacedBy, undefined);
    assert.deepEqual(asked.titles, []);
  });

  it('are restored beside accepted ones by the command in their file, which says when there are none', async () => {
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO'], ['four', 'FOUR']));
    await run('k3.acceptHunk', proposal, '0');
    await run('k3.rejectHunk', proposal, '1');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('k3.restoreRejected');
    assert.deepEqual(states(proposal), ['accepted', 'open']);
    await vscode.commands.executeCommand('k3.restoreRejected');
    assert.match(asked.notes.at(-1) ?? '', /^There are no rejected hunks/);
    assert.deepEqual(states(proposal), ['accepted', 'open']);
  });

  it('take the place of later ones that they meet, and stay beside others', async () => {
    const first = await propose(edits(pathOf('code.txt'), ['two', 'TWO'], ['five', 'FIVE']));
    await run('k3.rejectAll', first);
    const second = await propose(edits(pathOf('code.txt'), ['two', 'Two']));
    asked.answer = 'Replace';
    await run('k3.restoreRejected', first);
    assert.deepEqual([states(first), latest(second).replacedBy], [['open', 'open'], first?.id]);
    await run('k3.reopenProposal', second);
    assert.deepEqual([states(second), latest(first).replacedBy], [['open'], second?.id]);
  });

  it('that no longer fit are outdated, and said', async () => {
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO'], ['four', 'FOUR']));
    await run('k3.rejectAll', proposal);
    const typing = new vscode.WorkspaceEdit();
    typing.insert(document.uri, new vscode.Position(1, 1), 'x');
    await vscode.workspace.applyEdit(typing);
    await run('k3.restoreRejected', proposal);
    assert.deepEqual(states(proposal), ['stale', 'open']);
    assert.match(asked.notes.at(-1) ?? '', /^1 hunk of .*code\.txt can’t be applied/);
  });

  it('of a new file are restored, and create it', async () => {
    const proposal = await propose(edits(pathOf('made.txt'), ['', 'Made.\n']));
    await run('k3.rejectAll', proposal);
    await run('k3.restoreRejected', proposal);
    assert.deepEqual(await shownBy(() => run('k3.acceptAll', proposal)), ['made.txt']);
    const made = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, 'made.txt'));
    assert.equal(made.getText(), 'Made.\n');
  });
});

describe('Two proposals', () => {
  aroundProposals();

  it('for different files are under review at the same time', async () => {
    await openHidden('b.txt', 'bee\n');
    const both = JSON.stringify({
      explanation: '',
      files: [
        { path: pathOf('code.txt'), edits: [{ find: 'two', replace: 'TWO' }] },
        { path: pathOf('b.txt'), edits: [{ find: 'bee', replace: 'BEE' }] },
      ],
    });
    const first = await propose(both);
    await propose(edits(pathOf('code.txt'), ['two', 'Two']));
    const files = scripted.proposals.get(first?.id ?? '')?.files ?? [];
    assert.deepEqual(
      files.map(({ replacedBy }) => replacedBy !== undefined),
      [true, false],
    );
    const b = vscode.Uri.joinPath(folder, 'b.txt').toString();
    assert.equal(scripted.proposals.ofFile(b).at(-1)?.proposal.id, first?.id);
  });

  it('leave the first one under review when the later one proposes nothing', async () => {
    const first = await propose(edits(pathOf('code.txt'), ['two', 'TWO']));
    await propose('I would leave it as it is.');
    await propose(edits(pathOf('code.txt'), ['not there', 'x']));
    assert.equal(scripted.proposals.ofFile(document.uri.toString()).at(-1)?.proposal.id, first?.id);
    await run('k3.acceptHunk', first, '0');
    assert.equal(document.getText(), 'one\nTWO\nthree\nfour\nfive\n');
  });

  it('in sequence keep the hunks that were accepted', async () => {
    const first = await propose(edits(pathOf('code.txt'), ['two', 'TWO']));
    await run('k3.acceptAll', first);
    const second = await propose(edits(pathOf('code.txt'), ['TWO', 'Two']));
    await run('k3.acceptAll', second);
    assert.deepEqual(states(first), ['accepted']);
    assert.deepEqual(scripted.proposals.underReview(), []);
  });
});

describe('A file under review', () => {
  aroundProposals();

  it('keeps its review when its line endings are changed', async () => {
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO'], ['four', 'FOUR']));
    await run('k3.acceptHunk', proposal, '0');
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.setEndOfLine(vscode.EndOfLine.CRLF));
    await until(() => document.eol === vscode.EndOfLine.CRLF);
    assert.deepEqual(states(proposal), ['accepted', 'open']);
    await run('k3.acceptHunk', proposal, '1');
    assert.equal(document.getText(), 'one\r\nTWO\r\nthree\r\nFOUR\r\nfive\r\n');
  });

  it('keeps its review when it is renamed', async () => {
    await vscode.window.showTextDocument(document, { preview: false });
    const proposal = await propose(edits(pathOf('code.txt'), ['two', 'TWO']));
    const to = vscode.Uri.joinPath(folder, 'renamed.txt');
    const rename = new vscode.WorkspaceEdit();
    rename.renameFile(document.uri, to);
    await vscode.workspace.applyEdit(rename);
    const found = await until(() => scripted.proposals.ofFile(to.toString()).at(-1));
    assert.equal(found.proposal.id, proposal?.id);
    await run('k3.acceptAll', proposal);
    assert.equal((await vscode.workspace.openTextDocument(to)).getText(), 'one\nTWO\nthree\nfour\nfive\n');
  });

  it('keeps its review when it is renamed to that of a file with hunks, whose own can be reviewed again', async () => {
    await vscode.window.showTextDocument(document, { preview: false });
    const first = await propose(edits(pathOf('code.txt'), ['two', 'TWO']));
    const [from, to] = [document.uri, (await open('other.txt', 'other\n')).uri];
    use(await vscode.workspace.openTextDocument(to));
    const second = await propose(edits(pathOf('other.txt'), ['other', 'another']));
    const rename = new vscode.WorkspaceEdit();
    rename.renameFile(from, to, { overwrite: true });
    await vscode.workspace.applyEdit(rename);
    await until(() => scripted.proposals.ofFile(to.toString()).at(-1)?.proposal.id === first?.id);
    assert.equal(latest(second).replacedBy, first?.id);
    await run('k3.acceptAll', first);
    assert.equal((await vscode.workspace.openTextDocument(to)).getText(), 'one\nTWO\nthree\nfour\nfive\n');
  });

  it('that the proposal creates can also be created by someone else', async () => {
    const proposal = await propose(edits(pathOf('made.txt'), ['', 'all\n']));
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, 'made.txt'), Buffer.from('all\n'));
    await run('k3.acceptAll', proposal);
    assert.deepEqual(states(proposal), ['accepted']);
  });

  it('can be outside the workspace, and is shown in a diff then, also if it is new', async () => {
    writeFileSync(join(outside, 'a.txt'), 'a\n');
    asked.answer = 'Allow Once';
    for (const [name, find] of [
      ['a.txt', 'a'],
      ['new.txt', ''],
    ] as const) {
      const proposal = await propose(edits(join(outside, name), [find, 'b']));
      await run('k3.openProposalDiff', proposal);
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      assert.ok(input instanceof vscode.TabInputTextDiff, name);
      assert.match((await vscode.workspace.openTextDocument(input.modified)).getText(), /^b\n?$/);
    }
  });

  it('can be an untitled document', async () => {
    use(await vscode.workspace.openTextDocument({ content: CODE }));
    const proposal = await propose('```\ntwo\n3\nfour\n```');
    await run('k3.acceptAll', proposal);
    assert.deepEqual(asked.details, []);
    assert.equal(document.getText(), 'one\ntwo\n3\nfour\nfive\n');
    const tests = await propose('```\na test\n```', 'stop', 'tests');
    await run('k3.acceptAll', tests);
    assert.equal(vscode.window.activeTextEditor?.document.getText(), 'a test\n');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('can be a notebook cell', async () => {
    const notebook = vscode.Uri.joinPath(folder, 'n.ipynb');
    const opened = await openNotebook(notebook, 'a = 1\nb = 2');
    use(opened.cellAt(0).document);
    const proposal = await propose(edits(`${pathOf('n.ipynb')}#1`, ['b = 2', 'b = 3']));
    assert.deepEqual(latest(proposal).unplaced, []);
    assert.equal(
      latest(proposal).label,
      `${pathOf('n.ipynb')}#1`,
      'as the model knows it, and told from other cells',
    );
    assert.deepEqual(states(proposal), ['open']);
    const thread = { uri: document.uri, range: new vscode.Range(0, 0, 0, 0), dispose: () => undefined };
    await vscode.commands.executeCommand('k3.addRemark', { thread, text: 'Why a?' });
    const review = await sentReview();
    assert.ok(review.includes(`Remark, on ${pathOf('n.ipynb')}#1, line 1`), review);
    assert.ok(!review.includes(folder.path), 'no path of this machine is sent');
    await run('k3.acceptAll', proposal);
    assert.deepEqual(asked.details, []);
    assert.deepEqual(states(proposal), ['accepted']);
    assert.equal(document.getText(), 'a = 1\nb = 3');
  });

  it('can be a notebook cell, and goes with its notebook when that is renamed', async () => {
    const [before, after] = ['o.ipynb', 'p.ipynb'].map((name) => vscode.Uri.joinPath(folder, name));
    assert.ok(before && after);
    const opened = await openNotebook(before, 'a = 1', 'b = 2');
    await vscode.window.showNotebookDocument(opened);
    use(opened.cellAt(1).document);
    const proposal = await propose(edits(`${pathOf('o.ipynb')}#2`, ['b = 2', 'b = 3']));
    const moving = new vscode.WorkspaceEdit();
    moving.renameFile(before, after);
    await vscode.workspace.applyEdit(moving);
    await until(() => latest(proposal).label === `${pathOf('p.ipynb')}#2`);
    await run('k3.acceptAll', proposal);
    assert.deepEqual(states(proposal), ['accepted']);
    const renamed = await vscode.workspace.openNotebookDocument(after);
    assert.deepEqual(
      renamed.getCells().map((cell) => cell.document.getText()),
      ['a = 1', 'b = 3'],
    );
  });

  it('that can’t be read as text is reported, and the others are still proposed', async () => {
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, 'x.bin'), Buffer.from([0, 1, 2, 255]));
    const answer = JSON.stringify({
      explanation: '',
      files: [
        { path: pathOf('x.bin'), edits: [{ find: 'a', replace: 'b' }] },
        { path: pathOf('code.txt'), edits: [{ find: 'two', replace: 'TWO' }] },
      ],
    });
    const proposal = await propose(answer);
    assert.equal(proposal?.files[0]?.unplaced.length, 1);
    assert.equal(proposal?.files[1]?.hunks.length, 1);
  });
});

describe('A file that a proposal names', () => {
  aroundProposals();

  for (const path of [
    'file:////server/x.txt',
    'file:///%2Fserver/x.txt',
    'file:///%5Cserver/x.txt',
    'file:///%5C%5Cserver/x.txt',
    'file://server/x.txt',
  ])
    it(`isn’t read if it can be on another machine: ${path}`, async () => {
      const answer = JSON.stringify({
        explanation: '',
        files: [
          { path, edits: [{ find: '', replace: 'x' }] },
          { path: pathOf('code.txt'), edits: [{ find: 'two', replace: 'TWO' }] },
        ],
      });
      const proposal = await propose(answer);
      const files = proposal?.files.map(({ label, hunks, unplaced }) => [
        label,
        hunks.length,
        unplaced[0]?.reason,
      ]);
      assert.deepEqual(files, [
        [path, 0, 'unreadable'],
        [pathOf('code.txt'), 1, undefined],
      ]);
      assert.deepEqual([proposal?.trouble, asked.details], [undefined, []]);
    });
});

describe('A file whose folder an answer leaves out', () => {
  aroundProposals();

  it('is changed if the question is about it, also at other lines, and doesn’t hide one that would be new', async () => {
    const proposal = await propose(edits('code.txt', ['five', 'FIVE']));
    await run('k3.acceptAll', proposal);
    assert.equal(document.getText(), CODE.replace('five', 'FIVE'));
    const fresh = await propose(edits('code.txt', ['', 'new\n']));
    assert.deepEqual([latest(fresh).isNew, latest(fresh).label], [true, 'code.txt']);
  });
});

describe('A fenced code block', () => {
  aroundProposals();

  it('creates a proposal for the lines that were sent', async () => {
    const proposal = await propose('Like this:\n\n```txt\ntwo\n3\nfour\n```\n');
    await run('k3.acceptAll', proposal);
    assert.equal(document.getText(), 'one\ntwo\n3\nfour\nfive\n');
  });

  it('is placed where these lines are now', async () => {
    const typing = new vscode.WorkspaceEdit();
    typing.insert(document.uri, new vscode.Position(0, 0), 'zero\n');
    await vscode.workspace.applyEdit(typing);
    const proposal = await propose('```\ntwo\n3\nfour\n```');
    await run('k3.acceptAll', proposal);
    assert.equal(document.getText(), 'zero\none\ntwo\n3\nfour\nfive\n');
  });

  it('has no place when these lines have changed', async () => {
    const typing = new vscode.WorkspaceEdit();
    typing.insert(document.uri, new vscode.Position(2, 0), 'x');
    await vscode.workspace.applyEdit(typing);
    const trouble = { kind: 'lines-changed', label: pathOf('code.txt') };
    const named = `\`\`\`txt ${pathOf('code.txt')}\ntwo\n3\nfour\n\`\`\``;
    for (const block of ['```\ntwo\n3\nfour\n```', named]) {
      const proposal = await propose(block);
      assert.deepEqual([proposal?.files, proposal?.trouble], [[], trouble]);
    }
    const proposal = await propose(`${named}\n\n\`\`\`txt ${pathOf('fresh.txt')}\na\n\`\`\``);
    assert.deepEqual([latest(proposal).label, proposal?.trouble], [pathOf('fresh.txt'), trouble]);
    const [card] = toTroubleCards(proposal === undefined ? [] : [proposal]);
    assert.equal(card?.title, 'The proposal has only part of this answer');
  });

  it('with lines to search for and lines that replace them changes these lines', async () => {
    const block = '<<<<<<< SEARCH\nthree\n=======\n3\n>>>>>>> REPLACE\n';
    for (const answer of [
      `\`\`\`txt ${pathOf('code.txt')}\n${block}\`\`\``,
      `\`\`\`txt\n${pathOf('code.txt')}\n${block}\`\`\``,
      `\`\`\`\n${block}\`\`\``,
    ]) {
      const proposal = await propose(answer);
      assert.deepEqual(
        [latest(proposal).after, latest(proposal).unplaced],
        ['one\ntwo\n3\nfour\nfive\n', []],
        answer,
      );
    }
  });

  it('beside JSON without edits is used', async () => {
    const proposal = await propose('{"explanation":"So.","files":[]}\n\n```js\ntwo\n3\nfour\n```\n');
    assert.equal(latest(proposal).after, 'one\ntwo\n3\nfour\nfive\n');
  });

  it('fills a file that is empty', async () => {
    await openHidden('empty.txt', '');
    const proposal = await propose(`\`\`\`txt ${pathOf('empty.txt')}\na\n\`\`\``);
    assert.deepEqual([latest(proposal).isNew, latest(proposal).after], [false, 'a\n']);
  });

  it('says of a new file without text that it can’t be proposed, unless it is there', async () => {
    const name = pathOf('__init__.py');
    const other = `\`\`\`txt ${pathOf('fresh.txt')}\na\n\`\`\`\n`;
    const answers = [
      edits(name, ['', '']),
      `\`\`\`py ${name}\n\`\`\`\n`,
      `\`\`\`diff\ndiff --git a/${name} b/${name}\nnew file mode 100644\nindex 0000000..e69de29\n\`\`\`\n`,
    ];
    const filesOf = (proposal: Proposal | undefined) =>
      proposal?.files.map(({ label, unplaced }) => [label, ...unplaced.map(({ reason }) => reason)]);
    for (const answer of answers)
      assert.deepEqual(filesOf(await propose(answer)), [[name, 'no-text']], answer);
    assert.deepEqual(filesOf(await propose(`${answers[1]}\n${other}`)), [
      [name, 'no-text'],
      [pathOf('fresh.txt')],
    ]);
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, '__init__.py'), Buffer.from(''));
    for (const answer of answers) assert.deepEqual(filesOf(await propose(answer)), [], answer);
  });

  it('isn’t placed when there are several', async () => {
    const proposal = await propose('```\na\n```\nor\n```\nb\n```');
    assert.deepEqual(proposal?.trouble, { kind: 'several-blocks', count: 2 });
  });

  it('of tests creates a new file beside the tested file', async () => {
    const proposal = await propose('```txt\na test\n```', 'stop', 'tests');
    assert.equal(latest(proposal).label, pathOf('code.test.txt'));
    assert.equal(latest(proposal).isNew, true);
  });

  it('of tests creates a further file if the first one isn’t text', async () => {
    await vscode.workspace.fs.writeFile(
      vscode.Uri.joinPath(folder, 'code.test.txt'),
      Buffer.from([0, 1, 2, 255]),
    );
    const proposal = await propose('```txt\na test\n```', 'stop', 'tests');
    assert.deepEqual([latest(proposal).label, latest(proposal).isNew], [pathOf('code.test2.txt'), true]);
  });

  it('that is a diff and doesn’t match isn’t used as code', async () => {
    const proposal = await propose('```diff\n-twoo\n+TWO\n three\n```');
    assert.deepEqual(states(proposal), []);
    assert.equal(latest(proposal).unplaced[0]?.reason, 'not-there');
  });

  it('is the last one of several for a new file, which lists the others', async () => {
    const [name, other] = [pathOf('fresh.txt'), pathOf('other.txt')];
    const block = (path: string, code: string, language = 'txt') =>
      `\`\`\`${language} ${path}\n${code}\`\`\`\n\n`;
    const proposal = await propose(
      block(name, 'a\n') + block(name, 'b\n') + block(name, '-b\n+B\n', 'diff') + block(other, 'c\n'),
    );
    assert.deepEqual(
      proposal?.files.map(({ label, after, unplaced }) => [
        label,
        after,
        ...unplaced.map(({ edit, reason }) => [edit.replace, reason]),
      ]),
      [
        [name, 'B\n', ['a\n', 'overlaps']],
        [other, 'c\n'],
      ],
    );
    assert.equal(proposal?.trouble, undefined);
  });

  it('is the one with the lines in question of several for their file, and none of them leaves out another file', async () => {
    const [name, other] = [pathOf('code.txt'), pathOf('other.txt')];
    const block = (path: string, code: string) => `\`\`\`txt ${path}\n${code}\`\`\`\n\n`;
    const files = (proposal: Proposal | undefined) =>
      proposal?.files.map(({ label, after, unplaced }) => [
        label,
        after,
        ...unplaced.map(({ reason }) => reason),
      ]);
    const proposal = await propose(block(name, 'two\nTHREE\nfour\n') + block(name, 'usage\n'));
    assert.deepEqual(files(proposal), [[name, CODE.replace('three', 'THREE'), 'overlaps']]);
    const none = await propose(block(name, 'x\n') + block(name, 'y\n') + block(other, 'c\n'));
    assert.deepEqual(files(none), [[other, 'c\n']]);
    assert.deepEqual(none?.trouble, { kind: 'several-blocks', count: 2 });
    await openHidden('there.txt', 'there\n');
    const there = await propose(block(pathOf('there.txt'), 'x\n') + block(pathOf('there.txt'), 'y\n'));
    assert.deepEqual(files(there), [[pathOf('there.txt'), 'there\n', 'file-exists', 'file-exists']]);
  });

  it('that names no file isn’t left out beside one that does without a word, unless it has commands', async () => {
    const name = pathOf('[id] größe.txt');
    const proposal = await propose(
      `\`\`\`txt "${name}"\na\n\`\`\`\n\n\`\`\`ts\nlet b;\n\`\`\`\n\n\`\`\`sh\nnpm test\n\`\`\``,
    );
    assert.deepEqual(
      [latest(proposal).label, latest(proposal).isNew, proposal?.trouble],
      [name, true, { kind: 'unnamed-blocks', count: 1 }],
    );
    const [card] = toTroubleCards(proposal === undefined ? [] : [proposal]);
    assert.equal(card?.title, 'The proposal has only part of this answer');
    assert.match(
      card.body.join(),
      /^1 code block doesn’t say which file it belongs to\. To choose a location,/,
    );
    const commands = await propose(`\`\`\`txt "${name}"\na\n\`\`\`\n\n\`\`\`sh\nnpm test\n\`\`\``);
    assert.equal(commands?.trouble, undefined);
    const tree = await propose(`\`\`\`txt "${name}"\na\n\`\`\`\n\n\`\`\`\nsrc/\n  a.ts\n\`\`\``);
    assert.equal(tree?.trouble, undefined);
    const code = await propose(`\`\`\`txt "${name}"\na\n\`\`\`\n\n\`\`\`\nexport const b = 1;\n\`\`\``);
    assert.deepEqual(code?.trouble, { kind: 'unnamed-blocks', count: 1 });
  });

  it('can name a file with spaces that is there without quotation marks', async () => {
    const name = pathOf('my file.txt');
    const spaced = await openHidden('my file.txt', 'a\n');
    const proposal = await propose(`\`\`\`diff ${name}\n-a\n+b\n\`\`\``);
    await run('k3.acceptAll', proposal);
    assert.deepEqual([latest(proposal).label, spaced.getText()], [name, 'b\n']);
    const whole = latest(await propose(`\`\`\`txt ${name}\nc\n\`\`\``));
    assert.deepEqual([whole.label, whole.unplaced[0]?.reason], [name, 'file-exists']);
    const shorter = latest(await propose(`\`\`\`txt client/server ${pathOf('fresh.txt')}\nc\n\`\`\``));
    assert.deepEqual([shorter.label, shorter.isNew], [pathOf('fresh.txt'), true]);
  });

  it('that names a cell that no open notebook has creates no file of that name', async () => {
    const name = pathOf('closed.ipynb#6');
    for (const answer of [`\`\`\`py file="${name}"\na = 1\n\`\`\``, edits(name, ['', 'a = 1\n'])]) {
      const file = latest(await propose(answer));
      assert.deepEqual([file.hunks, file.unplaced.map(({ reason }) => reason)], [[], ['file-missing']]);
    }
  });

  it('that is a diff with a file to rename or to delete says that the user does that', async () => {
    const [from, to] = [pathOf('old.txt'), pathOf('new.txt')];
    await openHidden('old.txt', 'a\n');
    const proposal = await propose(
      `\`\`\`diff\ndiff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n--- a/${pathOf('code.txt')}\n+++ b/${pathOf('code.txt')}\n@@ -2,2 +2,2 @@\n-two\n+TWO\n three\n\`\`\``,
    );
    const [old, code] = proposal?.files ?? [];
    assert.deepEqual(
      [old?.label, old?.hunks, old?.unplaced],
      [from, [], [{ edit: { find: from, replace: to }, reason: 'whole-file' }]],
    );
    assert.deepEqual([code?.hunks.length, code?.unplaced, proposal?.trouble], [1, [], undefined]);
  });

  it('that is a diff which deletes a file without its lines and creates it again has the new text', async () => {
    await openHidden('whole.txt', 'a\r\nb\r\n');
    const name = pathOf('whole.txt');
    const proposal = await propose(
      `\`\`\`diff\ndiff --git a/${name} b/${name}\ndeleted file mode 100644\ndiff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,2 @@\n+a\n+B\n\`\`\``,
    );
    const [file] = proposal?.files ?? [];
    assert.deepEqual([file?.after, file?.unplaced], ['a\r\nB\r\n', []]);
  });

  it('that is a diff says which modes, copies, and files that aren’t text it leaves out', async () => {
    const name = pathOf('run.sh');
    await openHidden('run.sh', 'a\n');
    const proposal = await propose(
      `\`\`\`diff\ndiff --git a/${name} b/${name}\nold mode 100644\nnew mode 100755\n\`\`\``,
    );
    assert.deepEqual(proposal?.files[0]?.unplaced, [
      { edit: { find: 'old mode 100644', replace: 'new mode 100755' }, reason: 'whole-file' },
    ]);
  });

  it('that is a diff changes the file in question under another name, also beside a file to rename', async () => {
    const proposal = await propose(
      '```diff\ndiff --git a/gone.txt b/new.txt\nrename from gone.txt\nrename to new.txt\n--- a/file.txt\n+++ b/file.txt\n@@ -2,2 +2,2 @@\n-two\n+TWO\n three\n```',
    );
    const [gone, code] = proposal?.files ?? [];
    assert.deepEqual([gone?.hunks, gone?.unplaced[0]?.reason], [[], 'whole-file']);
    assert.deepEqual([code?.label, code?.hunks.length, code?.unplaced], [pathOf('code.txt'), 1, []]);
  });

  it('that is a diff has a note under the file that it renames or deletes, also if none is there', async () => {
    const rename = 'diff --git a/gone.txt b/new.txt\nrename from gone.txt\nrename to new.txt\n';
    const remove = 'diff --git a/away.txt b/away.txt\ndeleted file mode 100644\n';
    for (const [diff, labels] of [
      [rename, ['gone.txt']],
      [rename + remove, ['gone.txt', 'away.txt']],
    ] as const) {
      const proposal = await propose(`\`\`\`diff\n${diff}\`\`\``);
      assert.deepEqual(
        proposal?.files.map(({ label, hunks, unplaced }) => [label, hunks, unplaced[0]?.reason]),
        labels.map((label) => [label, [], 'whole-file']),
      );
    }
  });

  it('that is a diff gives a file new text that another one deletes, if all of its lines are there', async () => {
    const [name, head] = [pathOf('code.txt'), '@@ -1,5 +0,0 @@\n'];
    const created = `\`\`\`diff\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+NEW\n\`\`\``;
    const deleting = (lines: string) =>
      `\`\`\`diff\n--- a/${name}\n+++ /dev/null\n${head}${lines}\`\`\`\n\n${created}`;
    const some = latest(await propose(deleting('-one\n')));
    assert.deepEqual(
      [some.hunks, some.unplaced.map(({ reason }) => reason)],
      [[], ['file-exists', 'whole-file']],
    );
    const proposal = await propose(deleting(CODE.replace(/^/gm, '-').slice(0, -1)));
    assert.deepEqual(latest(proposal).unplaced, []);
    await run('k3.acceptAll', proposal);
    assert.equal(document.getText(), 'NEW\n');
  });

  it('that is a diff is applied as a diff', async () => {
    const proposal = await propose('```diff\n--- a\n+++ b\n@@ -2,3 +2,3 @@\n two\n-three\n+3\n four\n```');
    await run('k3.acceptAll', proposal);
    assert.equal(document.getText(), 'one\ntwo\n3\nfour\nfive\n');
  });
});

describe('The confirmation before every edit', () => {
  aroundProposals();

  async function tryToTake(answer: string): Promise<Proposal | undefined> {
    const proposal = await propose(answer);
    await run('k3.acceptAll', proposal);
    return proposal;
  }

  it('asks before a protected file is created, and shows its resolved path', async () => {
    const proposal = await tryToTake(edits(pathOf('.vscode/settings.json'), ['', '{}\n']));
    assert.equal(asked.details.length, 1);
    assert.ok(asked.details[0]?.includes(vscode.Uri.joinPath(folder, '.vscode/settings.json').fsPath));
    assert.deepEqual(states(proposal), ['open'], 'refused, and not lost');
  });

  it('asks before a protected file is changed, ignoring the case of its name', async () => {
    await mkdir(vscode.Uri.joinPath(folder, '.VSCode').fsPath);
    const settings = await openHidden('.VSCode/tasks.json', '{}\n');
    await tryToTake(edits(pathOf('.VSCode/tasks.json'), ['{}', '{"tasks": []}']));
    assert.equal(asked.details.length, 1);
    assert.equal(settings.getText(), '{}\n');
  });

  it('asks before a file outside the workspace is read, by an absolute path and by `..`', async () => {
    const file = join(outside, 'a.txt');
    writeFileSync(file, 'a\n');
    const proposal = await propose(edits(file, ['a', 'b']));
    assert.ok(asked.details[0]?.includes(file));
    assert.equal(latest(proposal).unplaced[0]?.reason, 'refused');
    await propose(edits(`${'../'.repeat(20)}${file.slice(1)}`, ['a', 'b']));
    assert.equal(asked.details.length, 2);
    assert.ok(asked.details[1]?.includes(file));
  });

  it('asks again before a file outside the workspace is written', async () => {
    const file = join(outside, 'a.txt');
    writeFileSync(file, 'a\n');
    asked.answer = 'Allow Once';
    const proposal = await propose(edits(file, ['a', 'b']));
    asked.answer = undefined;
    await run('k3.acceptAll', proposal);
    assert.equal(asked.details.length, 2);
    assert.ok(asked.details[1]?.includes(file));
    assert.deepEqual(states(proposal), ['open']);
    assert.equal((await vscode.workspace.openTextDocument(file)).getText(), 'a\n');
  });

  it('asks when a link leads out of the workspace, and shows the resolved path', async () => {
    const file = join(outside, 'b.txt');
    writeFileSync(file, 'b\n');
    symlinkSync(outside, vscode.Uri.joinPath(folder, 'link').fsPath);
    await propose(edits(pathOf('link/b.txt'), ['b', 'c']));
    await propose(edits(pathOf('link/new.txt'), ['', 'c']));
    assert.equal(asked.details.length, 2);
    assert.ok(asked.details[0]?.includes(file));
    assert.ok(asked.details[1]?.includes(join(outside, 'new.txt')));
  });

  it('sends no request to another computer', async () => {
    const proposal = await propose(edits('//host/share/a.txt', ['a', 'b']));
    assert.deepEqual(asked.details, []);
    assert.equal(latest(proposal).unplaced[0]?.reason, 'file-missing');
  });

  it('asks about a file name with invisible characters', async () => {
    await tryToTake(edits(pathOf('in\u200bdex.txt'), ['', 'x']));
    assert.ok(asked.details[0]?.includes('⟦U+200B⟧'));
  });

  it('asks about invisible characters, and names them', async () => {
    const proposal = await tryToTake(edits(pathOf('code.txt'), ['two', 'tw\u202eo\u200b']));
    assert.equal(asked.details.length, 1);
    assert.match(asked.details[0] ?? '', /U\+202E, U\+200B/);
    assert.equal(document.getText(), CODE);
    asked.answer = 'Allow Once';
    await run('k3.acceptAll', proposal);
    assert.equal(document.getText(), 'one\ntw\u202eo\u200b\nthree\nfour\nfive\n');
  });

  it('does not ask about anything else', async () => {
    await tryToTake(edits(pathOf('code.txt'), ['two', 'zwei 👩‍👩‍👧 e\u0301']));
    assert.deepEqual(asked.details, []);
    assert.equal(document.getText(), 'one\nzwei 👩‍👩‍👧 e\u0301\nthree\nfour\nfive\n');
  });
});
