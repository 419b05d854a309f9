/** Restore Deleted Conversation, with the database of the editor. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { type Scripted, startScripted, startStream, streamOf, until, writeDelta } from '../scripted.ts';

interface Offered extends vscode.QuickPickItem {
  readonly conversation: { readonly id: string };
}

describe('A deleted conversation', () => {
  let scripted: Scripted;
  let offered: readonly Offered[];
  const { showQuickPick } = vscode.window;
  beforeEach(async () => {
    scripted = await startScripted();
    offered = [];
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showQuickPick });
    await scripted.close();
  });

  /** Runs the command, and selects a conversation. */
  async function restore(id: string | undefined): Promise<void> {
    // Without any, no list is shown.
    offered = [];
    Object.assign(vscode.window, {
      async showQuickPick(items: readonly Offered[]) {
        offered = items;
        return items.find(({ conversation }) => conversation.id === id);
      },
    });
    await vscode.commands.executeCommand('k3.restoreConversation');
  }
  const idsOf = () => offered.map(({ conversation }) => conversation.id);

  it('is listed as the last one, and opens as it was when it is selected', async () => {
    const { conversations } = scripted;
    scripted.will(streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]));
    await scripted.ask('Is it there?');
    const { id } = conversations.current();
    void vscode.commands.executeCommand('k3.deleteConversation', id);
    await until(() => conversations.get(id) === undefined);
    conversations.create();
    await restore(undefined);
    assert.equal(idsOf()[0], id);
    assert.match(offered[0]?.description ?? '', /^deleted .* · 1 message$/);
    assert.equal(conversations.get(id), undefined, 'nothing was selected');
    await restore(id);
    assert.equal(conversations.current().id, id);
    assert.equal(conversations.current().exchanges[0]?.attempts[0]?.answer, 'Yes.');
    await restore(undefined);
    assert.ok(!idsOf().includes(id));
  });

  it('whose answer was running is restored with what has arrived', async () => {
    const { conversations } = scripted;
    scripted.will((response) => {
      startStream(response);
      writeDelta(response, { answer: 'Half' });
    });
    const { id } = conversations.current();
    const asked = await conversations.ask(id, { text: 'And?', images: [], origin: undefined });
    assert.ok(asked.ok);
    await until(() => conversations.find(asked.turnId)?.turn.answer === 'Half');
    conversations.delete(id);
    await restore(id);
    const turn = await until(() => {
      const found = conversations.get(id)?.exchanges[0]?.attempts[0];
      return found?.outcome !== undefined && found;
    });
    assert.deepEqual([turn.answer, turn.outcome], ['Half', 'stopped']);
    assert.ok(!conversations.isRunning(id));
  });
});
