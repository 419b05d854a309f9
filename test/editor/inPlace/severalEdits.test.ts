/** Several edits in one file: the hunks of each stand in it until they are decided. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { linesOfDocument } from '../../../src/editor/workspace/selectedCode.ts';
import type { AnchoredHunk } from '../../../src/review/hunks/anchors.ts';
import { runCommand } from '../actions.ts';
import {
  aroundProposals,
  asked,
  CODE,
  comment,
  document,
  edits,
  openHidden,
  pathOf,
  scripted,
  sentReview,
} from '../proposals/proposing.ts';
import { streamOf, until } from '../scripted.ts';

const TWO_CONFLICTS = ['first', 'second'].map(
  (name) => `<<<<<<< HEAD\nmine of the ${name}\n=======\ntheirs of the ${name}\n>>>>>>> feature\n`,
);
const CONFLICTS = TWO_CONFLICTS.join('between\n');
const RESOLVED = 'both of the first\nbetween\nboth of the second\n';

const underReview = (uri = document.uri) => scripted.proposals.ofFile(uri.toString());

const openIn = (uri = document.uri): readonly AnchoredHunk[] =>
  underReview(uri).flatMap(({ file }) => file.hunks.filter(({ state }) => state === 'open'));

/** Opens an edit of a line of the file, counted from 0. The command leaves the one that is open in it, too. */
async function beginEdit(line: number): Promise<void> {
  const known = scripted.inPlace.ofFile(document.uri);
  if (known !== undefined) scripted.inPlace.leave(known);
  const code = linesOfDocument(document, line, line);
  await scripted.inPlace.open({ ...code, selected: true }, Math.max(line - 1, 0));
}

async function editByCommand(line: number): Promise<void> {
  const editor = await vscode.window.showTextDocument(document);
  editor.selection = new vscode.Selection(line, 0, line, document.lineAt(line).text.length);
  await vscode.commands.executeCommand('k3.editHere');
}

/** Asks for a change of a line, as the box does. Without an editor, which costs more than all else, if it isn't by the command. */
async function editLine(line: number, from: string, to: string, begin = beginEdit): Promise<void> {
  const before = scripted.requests.length;
  await begin(line);
  const edit = scripted.inPlace.ofFile(document.uri);
  assert.ok(edit);
  scripted.will(streamOf([{ answer: edits(pathOf('code.txt'), [from, to]) }, { finish: 'stop' }]));
  const box = scripted.inPlace.threads.of(edit)?.comments[0];
  await vscode.commands.executeCommand('k3.sendEdit', Object.assign(box ?? {}, { body: 'Louder.' }));
  await until(() => edit.steps.at(-1)?.state.kind === 'not-sent' || scripted.requests.length > before);
}

async function editTwoLines(begin = beginEdit): Promise<void> {
  await editLine(1, 'two', 'TWO', begin);
  await until(() => openIn().length === 1);
  await editLine(3, 'four', 'FOUR', begin);
  await until(() => openIn().length === 2);
}

const accept = (index: number) => {
  const found = underReview()[index];
  assert.ok(found);
  const { proposal, file } = found;
  return vscode.commands.executeCommand('k3.acceptAll', { proposalId: proposal.id, uri: file.uri });
};

/** Resolves both conflicts of a document with their CodeLenses, one after the other. */
async function resolveBoth(merged: vscode.TextDocument): Promise<void> {
  const lenses = async () => {
    const all = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      merged.uri,
    );
    return all.flatMap(({ command }) => (command?.command === 'k3.resolveConflict' ? [command] : []));
  };
  for (const [index, name] of ['first', 'second'].entries()) {
    scripted.will(streamOf([{ answer: `\`\`\`\nboth of the ${name}\n\`\`\`\n` }, { finish: 'stop' }]));
    // A conflict with an open hunk has no such CodeLens.
    const command = await until(async () => {
      const [next, ...others] = await lenses();
      return others.length === 1 - index ? next : undefined;
    });
    await runCommand(command);
    await until(() => openIn(merged.uri).length === index + 1);
  }
}

describe('Several edits in a file', () => {
  aroundProposals();
  afterEach(() => {
    for (const edit of scripted.inPlace.list()) scripted.inPlace.end(edit);
  });

  it('resolve two merge conflicts, each of which is accepted and undone on its own', async () => {
    const merged = await openHidden('merge.txt', CONFLICTS);
    await resolveBoth(merged);
    assert.deepEqual(asked.notes, ['The edit was ended. 1 of its hunks is still open.']);
    const [first, second] = underReview(merged.uri);
    assert.ok(first && second);
    await vscode.commands.executeCommand('k3.acceptAll', {
      proposalId: second.proposal.id,
      uri: second.file.uri,
    });
    assert.match(merged.getText(), /^<<<<<<< HEAD\nmine of the first.*between\nboth of the second\n$/s);
    await vscode.commands.executeCommand('k3.acceptAll', {
      proposalId: first.proposal.id,
      uri: first.file.uri,
    });
    assert.equal(merged.getText(), RESOLVED);
    await vscode.window.showTextDocument(merged);
    await vscode.commands.executeCommand('undo');
    await until(() => openIn(merged.uri).length === 1);
    await vscode.commands.executeCommand('undo');
    await until(() => openIn(merged.uri).length === 2);
    assert.equal(merged.getText(), CONFLICTS);
    await vscode.commands.executeCommand('redo');
    await vscode.commands.executeCommand('redo');
    assert.equal(merged.getText(), RESOLVED);
    await until(() => underReview(merged.uri).length === 0);
  });

  it('resolve two merge conflicts of which one begins where the other one ends', async () => {
    const merged = await openHidden('merge.txt', TWO_CONFLICTS.join(''));
    await resolveBoth(merged);
    await vscode.window.showTextDocument(merged);
    await vscode.commands.executeCommand('k3.acceptAll');
    assert.equal(merged.getText(), 'both of the first\nboth of the second\n');
  });

  it('have all their CodeLenses, and their hunks accepted and rejected with one command without an argument', async () => {
    await editTwoLines(editByCommand);
    await until(async () => {
      const all = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        document.uri,
      );
      const lines = all
        .filter(({ command }) => command?.title === 'Accept')
        .map(({ range }) => range.start.line);
      return lines.join() === '1,3';
    });
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('k3.acceptAll');
    assert.equal(document.getText(), CODE.replace('two', 'TWO').replace('four', 'FOUR'));
    await vscode.commands.executeCommand('undo');
    await vscode.commands.executeCommand('undo');
    await until(() => openIn().length === 2);
    await vscode.commands.executeCommand('k3.rejectAll');
    assert.deepEqual([underReview(), document.getText()], [[], CODE]);
  });

  it('have their hunks found at the cursor, and in the order of their lines', async () => {
    await editLine(3, 'four', 'FOUR');
    await until(() => openIn().length === 1);
    await editLine(1, 'two', 'TWO');
    await until(() => openIn().length === 2);
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    await vscode.commands.executeCommand('k3.nextHunk');
    assert.equal(editor.selection.active.line, 1);
    await vscode.commands.executeCommand('k3.nextHunk');
    assert.equal(editor.selection.active.line, 3);
    await vscode.commands.executeCommand('k3.acceptHunk');
    assert.equal(document.getText(), CODE.replace('four', 'FOUR'));
  });

  it('have their hunks when the user types between them, which are reverted each on its own', async () => {
    await editTwoLines();
    const [first] = underReview();
    const typing = new vscode.WorkspaceEdit();
    typing.insert(document.uri, new vscode.Position(2, 0), 'typed\n');
    await vscode.workspace.applyEdit(typing);
    await accept(1);
    await accept(0);
    assert.equal(document.getText(), 'one\nTWO\ntyped\nthree\nFOUR\nfive\n');
    const { showQuickPick } = vscode.window;
    Object.assign(vscode.window, { showQuickPick: async ([item]: readonly unknown[]) => item });
    await vscode.commands.executeCommand('k3.revertMessage', first?.proposal.turnId);
    Object.assign(vscode.window, { showQuickPick });
    assert.equal(document.getText(), 'one\ntwo\ntyped\nthree\nFOUR\nfive\n');
    await until(
      () =>
        openIn()
          .map(({ hunk }) => hunk.after)
          .join() === 'TWO\n',
    );
  });

  it('ask before the hunks of the first one in the lines of the next one are replaced', async () => {
    await editLine(1, 'two', 'TWO');
    const [first] = await until(() => openIn().length === 1 && underReview());
    scripted.inPlace.list().forEach(scripted.inPlace.end);
    await editLine(1, 'two', 'Two');
    assert.match(asked.titles.join(), /^Replace the proposal for .*code\.txt that you are reviewing\?$/);
    assert.equal(scripted.requests.length, 1);
    scripted.inPlace.list().forEach(scripted.inPlace.end);
    asked.answer = 'Replace';
    await editLine(1, 'two', 'Two');
    const [second] = await until(() => underReview()[0]?.proposal.id !== first?.proposal.id && underReview());
    assert.equal(second?.file.hunks[0]?.hunk.after, 'Two\n');
    assert.equal(scripted.proposals.get(first?.proposal.id ?? '')?.files[0]?.replacedBy, second?.proposal.id);
  });

  it('tell when an answer changes lines of an earlier one that it was not asked about', async () => {
    await editLine(1, 'two', 'TWO');
    const [first] = await until(() => openIn().length === 1 && underReview());
    asked.answer = 'Review Again';
    await editLine(3, 'two', 'Two');
    await until(() =>
      asked.notes.some((note) => /^A new proposal changes the same lines.* 1 hunk /.test(note)),
    );
    await until(() => underReview()[0]?.proposal.id === first?.proposal.id && underReview().length === 1);
  });

  it('are under review again beside each other, when neither has the lines of the other one', async () => {
    await editTwoLines();
    const [first, second] = underReview();
    assert.ok(first && second);
    // A question of which it isn't known what it is about replaces both.
    const { conversations } = scripted;
    scripted.will(streamOf([{ answer: edits(pathOf('code.txt'), ['five', 'FIVE']) }, { finish: 'stop' }]));
    const origin = { uri: document.uri.toString(), startLine: 0, endLine: 4 };
    const question = { text: 'Change it.', images: [], origin, purpose: 'proposal' as const };
    assert.ok((await conversations.ask(conversations.create().id, question)).ok);
    await until(() => underReview().length === 1 && openIn()[0]?.hunk.after === 'FIVE\n');
    assert.deepEqual(
      underReview()[0]?.file.displaced,
      [first, second].map(({ proposal: { id } }) => ({ id, open: 1 })),
    );
    for (const { proposal, file } of [first, second])
      await vscode.commands.executeCommand('k3.reopenProposal', { proposalId: proposal.id, uri: file.uri });
    assert.deepEqual(
      openIn().map(({ hunk }) => hunk.after),
      ['TWO\n', 'FOUR\n', 'FIVE\n'],
    );
  });

  it('are revised together by a review that is sent', async () => {
    await editTwoLines();
    await comment('code.txt', 'Not that loud.');
    const question = await sentReview(edits(pathOf('code.txt'), ['two', 'Two'], ['four', 'Four']));
    assert.match(question, /\+TWO.*\+FOUR|\+FOUR.*\+TWO/s);
    await until(() => openIn().some(({ hunk }) => hunk.after === 'Two\n'));
    assert.deepEqual(
      [underReview().length, openIn().map(({ hunk }) => hunk.after)],
      [1, ['Two\n', 'Four\n']],
    );
  });

  it('are replaced each by its own further question, and only those of the ended one are rejected from its notification', async () => {
    await editTwoLines();
    scripted.will(streamOf([{ answer: edits(pathOf('code.txt'), ['four', 'Four']) }, { finish: 'stop' }]));
    const [edit] = scripted.inPlace.list();
    assert.ok(edit);
    const thread = scripted.inPlace.threads.of(edit);
    await vscode.commands.executeCommand('k3.sendEdit', { thread, text: 'Not that loud.' });
    await until(() => openIn().some(({ hunk }) => hunk.after === 'Four\n'));
    assert.deepEqual(
      openIn().map(({ hunk }) => hunk.after),
      ['TWO\n', 'Four\n'],
    );
    assert.deepEqual(asked.titles, []);
    asked.answer = 'Reject all';
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('k3.closeEdit');
    await until(() => openIn().length === 1);
    assert.equal(openIn()[0]?.hunk.after, 'TWO\n');
  });
});
