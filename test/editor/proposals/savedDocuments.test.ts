/** Untitled documents that are saved: the editor closes them and opens a file, which has what was in them. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { ended, startStream, until, writeDelta } from '../scripted.ts';
import {
  aroundProposals,
  asked,
  CODE,
  document,
  edits,
  propose,
  run,
  scripted,
  sentReview,
  states,
  uriOf,
  use,
} from './proposing.ts';

const file = () => uriOf('saved.txt');
const change = (...pairs: readonly (readonly [string, string])[]) => edits(document.uri.path, ...pairs);
const current = () => vscode.workspace.openTextDocument(file());
const close = () => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');

/** Opens an untitled document with the code, which is saved as `file` without a dialog. */
async function openUntitled(): Promise<void> {
  use(await vscode.workspace.openTextDocument(file().with({ scheme: 'untitled' })));
  const editor = await vscode.window.showTextDocument(document);
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), CODE));
}

async function save(): Promise<void> {
  const untitled = document;
  assert.equal(await untitled.save(), true);
  await until(() => untitled.isClosed);
}

describe('An untitled document that is saved', () => {
  aroundProposals();

  it('takes its hunks and comments along to the file', async () => {
    await openUntitled();
    const proposal = await propose(change(['two', 'TWO'], ['four', 'FOUR']));
    await run('k3.acceptHunk', proposal, '0');
    const thread = { uri: document.uri, range: new vscode.Range(3, 0, 3, 0), dispose: () => undefined };
    await vscode.commands.executeCommand('k3.addRemark', { thread, text: 'Say why.' });
    await save();
    assert.deepEqual(
      scripted.proposals.underReview().map(({ file: { uri, label } }) => [uri, label]),
      [[file().toString(), vscode.workspace.asRelativePath(file())]],
    );
    assert.deepEqual(states(proposal), ['accepted', 'open']);
    assert.match(await sentReview(), /Remark, on .*saved\.txt/);
    await run('k3.acceptAll', proposal);
    assert.equal((await current()).getText(), CODE.replace('two', 'TWO').replace('four', 'FOUR'));
    assert.deepEqual(asked.notes, []);
  });

  it('takes them along when saving it changes its end', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    await settings.update('insertFinalNewline', true, vscode.ConfigurationTarget.Global);
    try {
      await openUntitled();
      const editor = await vscode.window.showTextDocument(document);
      await editor.edit((edit) => edit.insert(new vscode.Position(5, 0), 'six'));
      const proposal = await propose(change(['two', 'TWO'], ['four', 'FOUR']));
      await save();
      assert.deepEqual(states(proposal), ['open', 'open']);
      await run('k3.acceptAll', proposal);
      assert.equal((await current()).getText(), `${CODE.replace('two', 'TWO').replace('four', 'FOUR')}six\n`);
    } finally {
      await settings.update('insertFinalNewline', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('gets the proposal of an answer that was running', async () => {
    await openUntitled();
    let response: ServerResponse | undefined;
    scripted.will((opened) => {
      response = opened;
      startStream(opened);
      writeDelta(opened, { reasoning: 'Hm.' });
    });
    const origin = { uri: document.uri.toString(), startLine: 1, endLine: 3, text: 'two\nthree\nfour\n' };
    const { conversations, proposals } = scripted;
    const question = { text: 'Change it.', images: [], origin, purpose: 'proposal' as const };
    const sent = await conversations.ask(conversations.current().id, question);
    assert.ok(sent.ok);
    const running = await until(() => response);
    const answer = change(['three', 'THREE']);
    await save();
    writeDelta(running, { answer });
    writeDelta(running, { finish: 'stop' });
    running.end('data: [DONE]\n\n');
    const proposal = await until(() => proposals.ofTurn(sent.turnId)[0]);
    assert.deepEqual(proposal.files[0]?.unplaced, []);
    assert.equal(proposal.files[0]?.uri, file().toString());
    await run('k3.acceptAll', proposal);
    assert.equal((await current()).getText(), CODE.replace('three', 'THREE'));
  });

  it('takes an edit in the code along', async () => {
    await openUntitled();
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(3, 0, 3, 4);
    await vscode.commands.executeCommand('k3.editHere');
    await save();
    const [edit] = scripted.inPlace.list();
    assert.equal(edit?.uri.toString(), file().toString());
    assert.deepEqual(edit?.lines, { startLine: 3, endLine: 3 });
    if (edit !== undefined) scripted.inPlace.end(edit);
  });
});

describe('An untitled document that is closed', () => {
  aroundProposals();

  it('is said to be gone, and none is opened in its place', async () => {
    use(await vscode.workspace.openTextDocument({ content: CODE }));
    await vscode.window.showTextDocument(document);
    const proposal = await propose(change(['two', 'TWO']));
    await vscode.window.showTextDocument(document);
    await close();
    await until(() => document.isClosed);
    await vscode.commands.executeCommand('k3.nextHunk');
    await run('k3.acceptAll', proposal);
    assert.deepEqual(
      vscode.workspace.textDocuments.filter(({ isUntitled, isClosed }) => isUntitled && !isClosed),
      [],
    );
    assert.deepEqual(
      asked.notes.map((note) => / no longer exists/.test(note)),
      [true, true],
    );
  });

  it('ends its edit in the code and stops the answer, and stays closed', async () => {
    use(await vscode.workspace.openTextDocument({ content: CODE }));
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('k3.editHere');
    const [edit] = scripted.inPlace.list();
    assert.ok(edit);
    scripted.will((response) => startStream(response));
    void vscode.commands.executeCommand('k3.sendEdit', {
      thread: scripted.inPlace.threads.of(edit),
      text: 'Louder.',
    });
    const turn = await until(() => scripted.conversations.current().exchanges[0]?.attempts[0]);
    await vscode.window.showTextDocument(document);
    await close();
    await until(() => document.isClosed);
    assert.equal((await ended(scripted.conversations, turn.id)).outcome, 'stopped');
    assert.deepEqual(scripted.inPlace.list(), []);
    assert.deepEqual(
      vscode.workspace.textDocuments.filter(({ isUntitled, isClosed }) => isUntitled && !isClosed),
      [],
    );
  });

  it('keeps its edit in the code when it gets another language', async () => {
    use(await vscode.workspace.openTextDocument({ content: CODE }));
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('k3.editHere');
    use(await vscode.languages.setTextDocumentLanguage(document, 'javascript'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const [edit] = scripted.inPlace.list();
    assert.ok(edit);
    scripted.inPlace.end(edit);
    await close();
  });
});
