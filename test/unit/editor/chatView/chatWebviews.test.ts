import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { ChatWebviewsDeps } from '../../../../src/editor/chatView/chatWebviews.ts';
import { commands, EventEmitter, registered, window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { halfTurn } from '../../history/support.ts';

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

describe('Show Answer of a notification', () => {
  const [inWindow, inCommands] = [{ ...window }, { ...commands }];
  afterEach(() => {
    Object.assign(window, inWindow);
    Object.assign(commands, inCommands);
  });

  it('opens the conversation with the command that says why it can’t, such as when it was deleted meanwhile', async () => {
    const nothing = { dispose: () => undefined };
    const ran: unknown[][] = [];
    Object.assign(window, {
      registerWebviewViewProvider: () => nothing,
      registerWebviewPanelSerializer: () => nothing,
      showInformationMessage: async (_: string, button: string) => button,
      state: { focused: false },
    });
    Object.assign(commands, { executeCommand: async (...command: unknown[]) => ran.push(command) });
    const changes = new EventEmitter<unknown>();
    const { event } = new EventEmitter<never>();
    const conversations = {
      front: () => ({ id: 'front' }),
      useFront: () => nothing,
      isRunning: () => false,
      isSeen: () => false,
      list: () => [{ id: 'c1', title: 'Why?' }],
      open: () => undefined,
      onDidChange: changes.event,
    };
    const rooms = registerChatWebviews({
      conversations,
      onDidReveal: event,
      log: { warn: () => assert.fail() },
    } as unknown as ChatWebviewsDeps);
    const turn = { ...completeTurn(), id: halfTurn().id };
    for (const step of [halfTurn(), turn])
      changes.fire({ type: 'turn', conversationId: 'c1', exchangeId: 'e1', before: halfTurn(), turn: step });
    await new Promise(setImmediate);
    assert.deepEqual(
      ran.filter(([id]) => id !== 'setContext'),
      [['_k3.openConversation', 'c1']],
    );
    rooms.dispose();
  });
});
