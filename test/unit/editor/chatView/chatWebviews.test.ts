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
      composers: { of: (id: string) => ({ id }), all: () => [], onDidChange: event },
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

describe('The command K3: Stop, while a message waits for a file', () => {
  const { executeCommand } = commands;
  afterEach(() => void Object.assign(commands, { executeCommand }));

  it('is offered, as the button of the page is', () => {
    const nothing = { dispose: () => undefined };
    Object.assign(window, {
      registerWebviewViewProvider: () => nothing,
      registerWebviewPanelSerializer: () => nothing,
    });
    let canStop: unknown;
    Object.assign(commands, {
      executeCommand: async (_: string, key: string, value: unknown) => {
        if (key === 'k3.canStop') canStop = value;
      },
    });
    const composer = { waiting: false };
    const changed = new EventEmitter<unknown>();
    const { event } = new EventEmitter<never>();
    const rooms = registerChatWebviews({
      conversations: {
        front: () => ({ id: 'front' }),
        useFront: () => nothing,
        isRunning: () => false,
        onDidChange: event,
      },
      composers: { all: () => [['front', composer]], onDidChange: changed.event },
      onDidReveal: event,
      log: { warn: () => assert.fail() },
    } as unknown as ChatWebviewsDeps);
    for (const waiting of [true, false]) {
      composer.waiting = waiting;
      changed.fire({});
      assert.equal(canStop, waiting);
    }
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
      composers: { all: () => [], onDidChange: event },
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
