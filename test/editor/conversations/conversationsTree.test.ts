import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { ConversationChange } from '../../../src/editor/conversations/conversationChange.ts';
import {
  type ConversationNode,
  createConversationsTree,
} from '../../../src/editor/conversations/conversationsTree.ts';
import { type Scripted, startScripted, streamOf, until } from '../scripted.ts';

/** More than the time after which the rows are looked at again. */
const INTERVAL_MS = 250;

describe('The list of conversations', () => {
  let scripted: Scripted;
  beforeEach(async () => {
    scripted = await startScripted();
  });
  afterEach(() => scripted.close());

  it('shows the newest first, with cost and route', async () => {
    const tree = createConversationsTree({
      conversations: scripted.conversations,
      workspace: undefined,
      isVisible: () => true,
    });
    scripted.will(
      streamOf([{ answer: 'One.', finish: 'stop' }]),
      streamOf([{ answer: 'Two.', finish: 'stop' }]),
    );
    await scripted.ask('First question');
    scripted.conversations.create();
    const rows = () => tree.getChildren(tree.getChildren().find(({ group }) => group === 'today'));
    assert.deepEqual(
      rows()
        .map(tree.getTreeItem)
        .map(({ label }) => label)
        .slice(0, 1),
      ['First question'],
      'an empty one is no entry',
    );
    await scripted.ask('Second question');
    const items = rows().map(tree.getTreeItem).slice(0, 2);
    assert.deepEqual(
      items.map(({ label }) => label),
      ['Second question', 'First question'],
    );
    assert.equal(items[0]?.description, '$0.011 · scripted');
    assert.equal(items[0]?.contextValue, 'conversation');
    // The editor forgets arguments when a row is drawn again, and would run nothing for a click in that moment.
    assert.deepEqual(items[0]?.command, { command: '_k3.selectConversationRow', title: 'Open Conversation' });
    tree.dispose();
  });

  it('says which conversations wait for an approval', async () => {
    const changes = new vscode.EventEmitter<ConversationChange>();
    const { conversations } = scripted;
    const { id } = conversations.create();
    const summary = {
      id,
      title: 'Ferries',
      changedAt: Date.now(),
      pinned: false,
      workspace: undefined,
      cost: 0,
      unreported: 0,
      routes: ['scripted'],
    };
    const tree = createConversationsTree({
      conversations: {
        ...conversations,
        list: () => [summary],
        isRunning: () => true,
        onDidChange: changes.event,
      },
      workspace: undefined,
      isVisible: () => true,
    });
    let drawn = 0;
    tree.onDidChangeTreeData?.(() => {
      drawn += 1;
    });
    const item = () => {
      const [group] = tree.getChildren();
      const [row] = tree.getChildren(group);
      return tree.getTreeItem(row ?? assert.fail());
    };
    const step = (state: string) => {
      const turn = { phase: 'calling', rounds: [{ toolCalls: [{ state }] }] };
      changes.fire({ type: 'turn', conversationId: id, exchangeId: 'e', turn } as never);
    };
    assert.equal(item().description, 'scripted');
    step('waiting');
    step('waiting');
    assert.equal(drawn, 1);
    assert.equal(item().description, 'Waiting for approval · scripted');
    assert.equal(item().accessibilityInformation?.label, 'Ferries, Waiting for approval · scripted');
    step('running');
    await until(() => drawn === 2);
    assert.equal(item().description, 'scripted');
    // Deleted, which stops its turn, and restored.
    step('waiting');
    for (let times = 0; times < 2; times++) changes.fire({ type: 'replaced', conversationId: id } as never);
    assert.equal(item().description, 'scripted');
    tree.dispose();
  });

  it('opens a conversation when it is selected', async () => {
    scripted.will(
      streamOf([{ answer: 'One.', finish: 'stop' }]),
      streamOf([{ answer: 'Two.', finish: 'stop' }]),
    );
    await scripted.ask('First question');
    const first = scripted.conversations.current().id;
    scripted.conversations.create();
    await scripted.ask('Second question');
    await vscode.commands.executeCommand('_k3.openConversation', first);
    assert.equal(scripted.conversations.current().id, first);
  });

  it('draws only the rows that have changed, while the others stay where they are', async () => {
    const changes = new vscode.EventEmitter<ConversationChange>();
    const summaryOf = (id: string, changedAt: number) => ({
      id,
      title: id,
      changedAt,
      pinned: false,
      workspace: undefined,
      cost: 0,
      unreported: 0,
      routes: ['scripted'],
    });
    const now = Date.now();
    let list = ['Ferries', 'Trains', 'Trams'].map((id, index) => summaryOf(id, now - index));
    let running = '';
    let visible = true;
    let open = scripted.conversations.current();
    const tree = createConversationsTree({
      conversations: {
        list: () => list,
        current: () => open,
        isRunning: (id) => id === running,
        onDidChange: changes.event,
      },
      workspace: undefined,
      isVisible: () => visible,
    });
    const drawn: unknown[] = [];
    tree.onDidChangeTreeData?.((rows) => drawn.push(rows));
    const rows = () => tree.getChildren(tree.getChildren().find(({ group }) => group === 'today'));
    const drawAll = () => rows().map(tree.getTreeItem);
    const listed = async () => {
      drawn.length = 0;
      changes.fire({ type: 'listed' });
      await sleep(INTERVAL_MS);
      return drawn;
    };
    drawAll();
    const [ferries, trains] = rows();
    drawAll();
    assert.deepEqual(await listed(), [], 'nothing has changed');
    running = 'Ferries';
    const [changed] = (await listed()) as ConversationNode[][];
    assert.equal(changed?.length, 1);
    assert.equal(changed?.[0], ferries, 'the object that the editor knows');
    drawAll();
    open = { ...open, id: 'Trains' };
    assert.deepEqual(await listed(), [[trains]]);
    drawAll();
    list = [summaryOf('Trams', now + 1), ...list.slice(0, 2)];
    assert.deepEqual(await listed(), [undefined], 'one that moves changes the list');
    assert.deepEqual(
      drawAll().map(({ label }) => label),
      ['Trams', 'Ferries', 'Trains'],
    );
    list = [summaryOf('Buses', now + 2), ...list];
    assert.deepEqual(await listed(), [undefined], 'so does a new one');
    drawAll();
    visible = false;
    running = '';
    assert.deepEqual(await listed(), [undefined], 'a hidden view is not read');
    tree.dispose();
  });
});
