import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatWebviewsDeps } from '../../../../src/editor/chatView/chatWebviews.ts';
import { EventEmitter, registered, window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { registerChatWebviews } = await withEditorStub(
  () => import('../../../../src/editor/chatView/chatWebviews.ts'),
);

describe('The command K3: Stop', () => {
  it('does what the button of the page does, which keeps queued messages waiting as well', async () => {
    const nothing = { dispose: () => undefined };
    Object.assign(window, {
      registerWebviewViewProvider: () => nothing,
      registerWebviewPanelSerializer: () => nothing,
    });
    const told: unknown[] = [];
    const stop = (...given: string[]) => registered.get('k3.stop')?.(...(given as never[]));
    const { event } = new EventEmitter<never>();
    const conversations = {
      front: () => ({ id: 'front' }),
      current: () => ({ id: 'side' }),
      useFront: () => nothing,
      isRunning: () => true,
      onDidChange: event,
      stop: () => undefined,
    };
    const rooms = registerChatWebviews({
      conversations,
      composers: { of: (id: string) => ({ id }) },
      intents: { receive: async (...intent: unknown[]) => told.push(intent) },
      onDidReveal: event,
      log: { warn: () => assert.fail() },
    } as unknown as ChatWebviewsDeps);
    await stop();
    await stop('other');
    assert.deepEqual(told, [
      [{ type: 'stop' }, 'front', { id: 'front' }],
      [{ type: 'stop' }, 'other', { id: 'other' }],
    ]);
    rooms.dispose();
  });
});
