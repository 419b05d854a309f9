import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Conversation, Exchange } from '../../../../src/conversation/conversation.ts';
import type { Question } from '../../../../src/conversation/question.ts';
import type { Outcome, Turn } from '../../../../src/conversation/turn.ts';
import {
  type ContinuedMessages,
  createContinuedMessages,
} from '../../../../src/editor/code/continuedMessages.ts';
import type { ConversationChange } from '../../../../src/editor/conversations/conversationChange.ts';
import type { Found } from '../../../../src/editor/conversations/foundTurns.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { conversation, exchange } from '../../history/support.ts';

type Deps = Parameters<typeof createContinuedMessages>[0];
type Continued = Parameters<ContinuedMessages['wait']>[1];

const turnOf = (id: string, answer: string, outcome: Outcome): Turn => ({
  ...completeTurn(answer),
  id,
  outcome,
});

function partOf(turn: Turn, more: Partial<Question>): Exchange {
  const one = exchange(`e-${turn.id}`, 'Write it.', [turn]);
  return { ...one, question: { ...one.question, purpose: 'commit-message', ...more } };
}

let repository: { inputBox: { value: string } };
let put: string[];
let shown: Conversation;
let fire: (change: ConversationChange) => void;
let messages: ContinuedMessages;

/** A turn ends in the conversation. */
function end(turn: Turn, more: Partial<Question> = {}): void {
  const exchanges = [...shown.exchanges, partOf(turn, more)];
  shown = { ...shown, exchanges };
  const step = { turn, appended: undefined } as unknown as { turn: Turn };
  fire({ type: 'turn', conversationId: 'c1', exchangeId: `e-${turn.id}`, ...step } as ConversationChange);
}

function find(turnId: string): Found | undefined {
  const one = shown.exchanges.find(({ attempts }) => attempts.some(({ id }) => id === turnId));
  const turn = one?.attempts.find(({ id }) => id === turnId);
  return one && turn && { conversation: shown, exchange: one, turn };
}

describe('A commit message whose answer was cut off', () => {
  beforeEach(() => {
    put = [];
    shown = conversation('c1', []);
    const onDidChange = ((listener: typeof fire) => {
      fire = listener;
      return { dispose: () => undefined };
    }) as unknown as Deps['conversations']['onDidChange'];
    messages = createContinuedMessages({
      conversations: { find, onDidChange },
      findOpen: (one) => one,
      onPut: (id, message) => put.push(`${id}: ${message}`),
    });
    repository = { inputBox: { value: '' }, ...{ rootUri: { toString: () => 'file:///shop' } } };
    messages.put(repository as unknown as Continued, 'An earlier message');
    repository.inputBox.value = '';
    end(turnOf('t1', 'Ring the bell\n\nIt was', 'truncated'));
    messages.wait('c1', repository as unknown as Continued);
  });

  const rest = () => end(turnOf('t2', ' silent before.', 'complete'), { continues: 't1' });
  const WHOLE = 'Ring the bell\n\nIt was silent before.';

  it('is put into the empty input box when its rest has arrived, once', () => {
    rest();
    assert.equal(repository.inputBox.value, WHOLE);
    assert.deepEqual(put, [`c1: ${WHOLE}`]);
    repository.inputBox.value = '';
    end(turnOf('t3', 'And in German?', 'complete'));
    assert.equal(repository.inputBox.value, '');
  });

  it('replaces an earlier message that was put there, but nothing that the user wrote', () => {
    repository.inputBox.value = 'An earlier message';
    rest();
    assert.equal(repository.inputBox.value, WHOLE);
    messages.wait('c1', repository as unknown as Continued);
    repository.inputBox.value = 'My own';
    end(turnOf('t3', 'Once more', 'complete'));
    assert.equal(repository.inputBox.value, 'My own');
  });

  it('doesn’t replace a message that was requested later', () => {
    messages.put(repository as unknown as Continued, 'A later message');
    rest();
    assert.equal(repository.inputBox.value, 'A later message');
    assert.deepEqual(put, []);
  });

  it('doesn’t replace the rest of one that was requested later', () => {
    messages.wait('c2', repository as unknown as Continued);
    const answer = turnOf('t9', 'A later message', 'complete');
    shown = { ...shown, exchanges: [...shown.exchanges, partOf(answer, {})] };
    fire({ type: 'turn', conversationId: 'c2', turn: answer } as ConversationChange);
    // It is in another conversation.
    shown = { ...shown, exchanges: shown.exchanges.slice(0, -1) };
    assert.equal(repository.inputBox.value, 'A later message');
    rest();
    assert.equal(repository.inputBox.value, 'A later message');
  });

  it('waits until the rest is complete', () => {
    end(turnOf('t2', ' silent', 'truncated'), { continues: 't1' });
    assert.equal(repository.inputBox.value, '');
    end(turnOf('t3', ' before.', 'complete'), { continues: 't2' });
    assert.equal(repository.inputBox.value, WHOLE);
  });

  it('is not put when another answer or a part alone arrives', () => {
    end(turnOf('t2', 'Something else', 'complete'), { purpose: 'proposal' });
    end(turnOf('t3', ' before.', 'complete'), { continues: 't1' });
    assert.equal(repository.inputBox.value, '');
  });
});
