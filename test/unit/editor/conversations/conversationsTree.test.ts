import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, it } from 'mocha';
import { EventEmitter, window } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createConversationsTree } = await withEditorStub(
  () => import('../../../../src/editor/conversations/conversationsTree.ts'),
);

describe('The view of conversations in a window that is left open over midnight', () => {
  restoreAfterEach(window);
  afterEach(() => mock.timers.reset());

  it('has those of the day before under it when the user comes back', async () => {
    const focus = new EventEmitter<{ readonly focused: boolean }>();
    Object.assign(window, { onDidChangeWindowState: focus.event });
    const evening = new Date(2026, 10, 20, 22).getTime();
    mock.timers.enable({ apis: ['Date'], now: evening });
    const summary = { id: 'c1', changedAt: evening, title: 'Why?', pinned: false, routes: [], cost: 0 };
    const tree = createConversationsTree({
      conversations: {
        list: () => [{ ...summary, unreported: 0, workspace: undefined }],
        current: () => ({ id: 'c1' }) as never,
        isRunning: () => false,
        onDidChange: new EventEmitter<never>().event as never,
      },
      workspace: undefined,
      isVisible: () => true,
    });
    const groups = () => tree.getChildren().map(({ group }) => group);
    for (const { group } of tree.getChildren())
      for (const row of tree.getChildren({ group } as never)) tree.getTreeItem(row);
    let changes = 0;
    tree.onDidChangeTreeData?.(() => changes++);
    focus.fire({ focused: true });
    assert.deepEqual([changes, groups()], [0, ['today']]);
    await sleep(250);
    mock.timers.setTime(evening + 10 * 60 * 60 * 1000);
    focus.fire({ focused: false });
    assert.equal(changes, 0);
    focus.fire({ focused: true });
    assert.deepEqual([changes, groups()], [1, ['yesterday']]);
    tree.dispose();
  });
});
