import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Turn } from '../../../src/conversation/turn.ts';
import { ended, type Scripted, startScripted, streamOf, until } from '../scripted.ts';

const GONE = 'This result no longer exists.';

describe('The result of a tool call as a document', () => {
  let scripted: Scripted;
  let turn: Turn;
  beforeEach(async () => {
    scripted = await startScripted();
    const call = {
      index: 0,
      id: 'a',
      type: 'function',
      function: { name: 'get_diagnostics', arguments: '{}' },
    };
    scripted.will(
      streamOf([{ calls: [call] }, { finish: 'tool_calls' }]),
      streamOf([{ answer: 'None.', finish: 'stop' }]),
    );
    scripted.conversations.create();
    turn = await scripted.ask('Are there problems?');
    await scripted.tools.openResult({ turnId: turn.id, round: 0, index: 0 });
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await scripted.close();
  });

  const shown = () => vscode.window.activeTextEditor?.document ?? assert.fail('no editor is open');
  const result = () => turn.rounds[0]?.toolCalls[0]?.result?.text ?? assert.fail('there is no result');

  it('has its whole text, and a name and a language that fit', () => {
    const { uri, languageId } = shown();
    assert.equal(shown().getText(), result());
    assert.match(uri.path, /\/Result of get_diagnostics\.(txt|json)$/);
    assert.equal(languageId, uri.path.endsWith('.json') ? 'json' : 'plaintext');
  });

  it('is not there after its conversation was deleted, and is again when that is restored', async () => {
    const { id } = scripted.conversations.current();
    const document = shown();
    scripted.conversations.delete(id);
    await until(() => document.getText() === GONE);
    scripted.conversations.restore(id);
    await until(() => document.getText() === result());
  });

  it('is there when the question is edited, which starts another branch', async () => {
    const { conversations } = scripted;
    const { id, exchanges } = conversations.current();
    const [first = assert.fail('nothing was asked')] = exchanges;
    const document = shown();
    scripted.will(streamOf([{ answer: 'No.', finish: 'stop' }]));
    const edited = await conversations.askInstead(id, first.id, first.question);
    assert.ok(edited.ok);
    await ended(conversations, edited.turnId);
    // Reads the text again.
    const again = await vscode.workspace.openTextDocument(document.uri.with({ fragment: 'again' }));
    assert.deepEqual([again.getText(), document.getText()], [result(), result()]);
  });
});
