import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Conversation } from '../../../../src/chat/turn.ts';
import type { AttemptCommandsDeps } from '../../../../src/editor/chatView/attemptCommands.ts';
import { registered, window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, conversationOf, exchangeOf } from '../../chat/turns.ts';

const { registerAttemptCommands } = await withEditorStub(
  () => import('../../../../src/editor/chatView/attemptCommands.ts'),
);

const { showQuickPick } = window;

describe('Ask Again With…', () => {
  const turn = completeTurn();
  const exchange = exchangeOf('Why?', turn);
  const conversation: Conversation = conversationOf(exchange);
  let asked: string[];
  beforeEach(() => {
    asked = [];
    window.showQuickPick = async () => ({ options: { effort: 'low' } }) as never;
    const deps = {
      conversations: {
        front: () => conversation,
        find: (id: string) => (id === turn.id ? { conversation, exchange, turn } : undefined),
        onDidChange: () => ({ dispose: () => undefined }),
      },
      routes: { active: () => undefined },
      again: async (id: string) => void asked.push(id),
    };
    registerAttemptCommands(deps as unknown as AttemptCommandsDeps);
  });
  afterEach(() => {
    window.showQuickPick = showQuickPick;
  });
  const run = (...target: unknown[]) => registered.get('k3.askElsewhere')?.(...(target as never[]));

  it('asks the last question by default, and that of a message', async () => {
    await run();
    await run({ webviewSection: 'message', turnId: turn.id });
    assert.deepEqual(asked, [turn.id, turn.id]);
  });

  it('asks no other question when that of a message is gone, for example on another branch', async () => {
    await run({ webviewSection: 'message', turnId: 'gone' });
    assert.deepEqual(asked, []);
  });
});
