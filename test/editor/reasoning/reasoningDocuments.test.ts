import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { ended, type Scripted, startScripted, streamOf, until } from '../scripted.ts';

const GONE = 'This turn no longer exists.';

describe('An open document of reasoning', () => {
  let scripted: Scripted;
  beforeEach(async () => {
    scripted = await startScripted();
    scripted.will(streamOf([{ reasoning: 'A guard is missing.' }, { answer: 'Add it.', finish: 'stop' }]));
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await scripted.close();
  });

  it('is empty after its conversation was deleted, and has its text again when that is restored', async () => {
    const { conversations } = scripted;
    const turn = await scripted.ask('Why?');
    await vscode.commands.executeCommand('k3.openReasoning', turn.id);
    const { document } = vscode.window.activeTextEditor ?? assert.fail('no editor is open');
    assert.ok(document.getText().includes('A guard is missing.'));
    const { id } = conversations.current();
    conversations.delete(id);
    await until(() => document.getText().includes(GONE));
    assert.ok(!document.getText().includes('A guard is missing.'));
    conversations.restore(id);
    await until(() => document.getText().includes('A guard is missing.'));
  });

  it('keeps its text when its question is edited, which starts another branch', async () => {
    const { conversations } = scripted;
    const turn = await scripted.ask('Why?');
    await vscode.commands.executeCommand('k3.openReasoning', turn.id);
    const { document } = vscode.window.activeTextEditor ?? assert.fail('no editor is open');
    const text = document.getText();
    const { id, exchanges } = conversations.current();
    const [first = assert.fail('nothing was asked')] = exchanges;
    scripted.will(streamOf([{ answer: 'No.', finish: 'stop' }]));
    const edited = await conversations.askInstead(id, first.id, first.question);
    assert.ok(edited.ok);
    await ended(conversations, edited.turnId);
    // Reads the text again.
    const again = await vscode.workspace.openTextDocument(document.uri.with({ fragment: 'again' }));
    assert.deepEqual([again.getText(), document.getText()], [text, text]);
  });
});
