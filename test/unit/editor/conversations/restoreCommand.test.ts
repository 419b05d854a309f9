import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import type { DeletedConversation } from '../../../../src/history/removedRows.ts';
import * as stub from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { conversationOf } from '../../conversation/turns.ts';

const { restoreConversation } = await withEditorStub(
  () => import('../../../../src/editor/conversations/restoreCommand.ts'),
);

const deleted = (id: string, more: Partial<DeletedConversation> = {}): DeletedConversation => ({
  id,
  title: `Title of ${id} $(zap)`,
  named: false,
  workspace: 'project',
  deletedAt: new Date(2026, 10, 25, 13, 20).getTime(),
  questions: 2,
  ...more,
});

interface Item {
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
}

describe('Restore Deleted Conversation', () => {
  const { window, commands } = stub;
  const original = { ...window };
  const { executeCommand } = commands;
  let notes: string[];
  let offered: readonly Item[];
  let ran: unknown[][];
  beforeEach(() => {
    notes = [];
    offered = [];
    ran = [];
    Object.assign(window, {
      showInformationMessage: async (text: string) => void notes.push(text),
      showWarningMessage: async (text: string) => void notes.push(text),
    });
    Object.assign(commands, { executeCommand: async (...call: unknown[]) => void ran.push(call) });
  });
  afterEach(() => {
    Object.assign(window, original);
    Object.assign(commands, { executeCommand });
  });

  /** Runs the command, and selects an item. What is restored is there afterwards, unless it can't be. */
  async function run(
    all: readonly DeletedConversation[],
    {
      select = 0,
      remains = 'there' as 'there' | 'deleted' | 'gone',
      listRemoved = (): readonly DeletedConversation[] => all,
    } = {},
  ): Promise<readonly string[]> {
    const restored: string[] = [];
    const conversation: Conversation = conversationOf();
    Object.assign(window, {
      async showQuickPick(items: readonly Item[]) {
        offered = items;
        return items[select];
      },
    });
    await restoreConversation({
      conversations: {
        listDeleted: () => all,
        restore: (id) => void restored.push(id),
        get: () => (remains === 'there' ? conversation : undefined),
        deleted: () => (remains === 'deleted' ? conversation : undefined),
      },
      history: { listRemoved },
    });
    return restored;
  }

  it('offers each with its title, time, number of messages, and workspace, and opens the selected one', async () => {
    const restored = await run([deleted('c1'), deleted('c2', { questions: 1, workspace: undefined })], {
      select: 1,
    });
    assert.deepEqual(
      offered.map(({ label, description, detail }) => [label, description.replaceAll('\u202f', ' '), detail]),
      [
        ['Title of c1 $ (zap)', 'deleted Nov 25, 2026, 1:20 PM · 2 messages', 'project'],
        ['Title of c2 $ (zap)', 'deleted Nov 25, 2026, 1:20 PM · 1 message', undefined],
      ],
    );
    assert.deepEqual([restored, ran, notes], [['c2'], [['k3.focusChat', 'c2']], []]);
  });

  it('says nothing of messages for one with a draft only', async () => {
    await run([deleted('c1', { questions: 0 })]);
    assert.doesNotMatch(offered[0]?.description ?? '', /message/);
  });

  it('restores nothing when it is canceled', async () => {
    assert.deepEqual([await run([deleted('c1')], { select: 9 }), ran], [[], []]);
  });

  it('says that there is nothing to restore, and how long conversations are kept', async () => {
    // Nobody has seen the conversation of a commit message, which is deleted with its message.
    await run([deleted('commit-message-1', { questions: 1 })]);
    assert.deepEqual(offered, []);
    assert.deepEqual(notes, ['There is nothing to restore. Deleted conversations are kept for 30 days.']);
  });

  it('offers the conversation of a commit message in which the user has asked more, which only the user deletes', async () => {
    assert.deepEqual(await run([deleted('commit-message-1')]), ['commit-message-1']);
  });

  it('offers the conversation of a commit message that the user has deleted, such as one that was cut off', async () => {
    const one = deleted('commit-message-1', { questions: 1, named: true });
    assert.deepEqual(await run([one]), ['commit-message-1']);
  });

  it('says that the database is locked, not that there is nothing, when it can’t be read', async () => {
    await run([], { listRemoved: () => assert.fail(Object.assign(new Error('locked'), { errcode: 5 })) });
    assert.deepEqual(notes, [
      'Another program has locked the conversation database. Try again when it is free.',
    ]);
  });

  it('says that one was deleted permanently while the list was open', async () => {
    await run([deleted('c1')], { remains: 'gone' });
    assert.deepEqual(notes, ['“Title of c1 $(zap)” can’t be restored because it was deleted permanently.']);
    assert.deepEqual(ran, []);
  });

  it('says that one can’t be restored now, because the database can’t be written', async () => {
    await run([deleted('c1')], { remains: 'deleted' });
    assert.deepEqual(notes, ['“Title of c1 $(zap)” can’t be restored now. To see why, run “K3: Show Log”.']);
  });
});
