import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatPanel } from '../../../../src/editor/chatView/chatPanel.ts';
import type { OpenPanelsDeps } from '../../../../src/editor/chatView/openPanels.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { conversation } from '../../history/support.ts';

const { createOpenPanels } = await withEditorStub(
  () => import('../../../../src/editor/chatView/openPanels.ts'),
);

describe('The open chats', () => {
  it('tell which conversations they show, also hidden, and which one is in front', () => {
    let shown: () => readonly (string | undefined)[] = assert.fail;
    let inFront: () => string | undefined = assert.fail;
    const conversations: OpenPanelsDeps['conversations'] = {
      front: () => conversation('side', []),
      isRunning: () => false,
      useFront(front, _, all) {
        [inFront, shown] = [front, all];
        return { dispose: () => undefined };
      },
    };
    const panels = createOpenPanels({
      conversations,
      composers: { all: () => new Map() },
      log: { warn: assert.fail },
    });
    const toPanel = (id: string, visible: boolean) =>
      ({ id: () => id, visibleId: () => (visible ? id : undefined) }) as ChatPanel;
    for (const panel of [toPanel('hidden', false), toPanel('tab', true)]) panels.add(panel);
    assert.deepEqual([shown(), inFront()], [['hidden', 'tab'], 'tab']);
  });
});
