import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Turn } from '../../../../src/conversation/turn.ts';
import type { ContextKeysDeps } from '../../../../src/editor/chatView/contextKeys.ts';
import { EventEmitter } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, failedBy, turnOf } from '../../conversation/turns.ts';

const { registerContextKeys } = await withEditorStub(
  () => import('../../../../src/editor/chatView/contextKeys.ts'),
);

describe('The walkthrough', () => {
  const stepsAfter = (turn: Turn | undefined): ReadonlySet<string> => {
    const changes = new EventEmitter<unknown>();
    const done = new Set<string>();
    const registered = registerContextKeys({
      conversations: {
        isRunning: () => false,
        current: () => ({ id: 'c1' }),
        onDidChange: changes.event,
      },
      proposals: { underReview: () => [], onDidChange: new EventEmitter<void>().event },
      walkthrough: { done: (step: string) => void done.add(step) },
      log: { warn: assert.fail },
    } as unknown as ContextKeysDeps);
    changes.fire(turn === undefined ? { type: 'listed' } : { type: 'turn', conversationId: 'c2', turn });
    registered.dispose();
    return done;
  };

  it('has the question and the key checked off by an answer, in whatever conversation', () => {
    assert.deepEqual(stepsAfter(completeTurn()), new Set(['ask', 'key']));
    assert.deepEqual(stepsAfter(undefined), new Set());
  });

  it('has only the question checked off by the demo, which needs no key, and by a question that fails', () => {
    assert.deepEqual(stepsAfter(completeTurn('Demo.', { demo: true })), new Set(['ask']));
    assert.deepEqual(stepsAfter(turnOf([failedBy('bad-key')])), new Set(['ask']));
  });
});
