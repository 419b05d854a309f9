import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Conversation, Exchange } from '../../../../src/conversation/conversation.ts';
import type { Question } from '../../../../src/conversation/question.ts';
import type { Outcome, Turn } from '../../../../src/conversation/turn.ts';
import type {
  ContinuedMessages,
  ContinuedMessagesDeps,
} from '../../../../src/editor/code/continuedMessages.ts';
import type { Found } from '../../../../src/editor/conversations/foundTurns.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { conversation, exchange } from '../../history/support.ts';

const { createContinuedMessages } = await withEditorStub(
  () => import('../../../../src/editor/code/continuedMessages.ts'),
);

type Repository = NonNullable<Awaited<ReturnType<ContinuedMessagesDeps['findOpen']>>>;

const ROOT = 'file:///shop';

/** @param startedAt epoch milliseconds */
const turnOf = (id: string, answer: string, outcome: Outcome, startedAt = 1000): Turn => ({
  ...completeTurn(answer),
  id,
  outcome,
  startedAt,
});

function partOf(turn: Turn, more: Partial<Question>): Exchange {
  const one = exchange(`e-${turn.id}`, 'Write it.', [turn]);
  return { ...one, question: { ...one.question, purpose: 'commit-message', ...more } };
}

let repository: Repository;
let isOpen: boolean;
let put: string[];
/** Conversations whose message was not put anywhere, which is said. */
let kept: string[];
let shown: Conversation[];
let messages: ContinuedMessages;

/** A turn ends in a conversation. */
async function end(turn: Turn, more: Partial<Question> = { repository: ROOT }, id = 'c1'): Promise<void> {
  const one = shown.find((other) => other.id === id) ?? conversation(id, []);
  const exchanges = [...one.exchanges, partOf(turn, more)];
  shown = [...shown.filter((other) => other !== one), { ...one, exchanges }];
  if (turn.outcome === 'complete') await messages.answered(turn.id);
}

function find(turnId: string): Found | undefined {
  for (const one of shown)
    for (const each of one.exchanges) {
      const turn = each.attempts.find(({ id }) => id === turnId);
      if (turn !== undefined) return { conversation: one, exchange: each, turn };
    }
  return undefined;
}

describe('A commit message whose answer was cut off', () => {
  beforeEach(async () => {
    [put, kept] = [[], []];
    shown = [];
    isOpen = true;
    messages = createContinuedMessages({
      conversations: { find },
      findOpen: async (root) => (isOpen && root === ROOT ? repository : undefined),
      onPut: (id, message, isLate) => put.push(`${id}${isLate ? ' late' : ''}: ${message}`),
      onKept: (id, isClosed) => kept.push(`${id}${isClosed ? ' closed' : ''}`),
    });
    repository = {
      inputBox: { value: '' },
      rootUri: { toString: () => ROOT },
      state: { HEAD: undefined },
    } as unknown as Repository;
    messages.put(repository, 'An earlier message', 500);
    repository.inputBox.value = '';
    await end(turnOf('t1', 'Ring the bell\n\nIt was', 'truncated'));
  });

  const rest = () => end(turnOf('t2', ' silent before.', 'complete', 3000), { continues: 't1' });
  const WHOLE = 'Ring the bell\n\nIt was silent before.';

  it('is put into the empty input box when its rest has arrived, once', async () => {
    await rest();
    assert.equal(repository.inputBox.value, WHOLE);
    assert.deepEqual(put, [`c1: ${WHOLE}`]);
    repository.inputBox.value = '';
    assert.deepEqual(kept, []);
    await end(turnOf('t3', 'And in German?', 'complete'));
    assert.equal(repository.inputBox.value, '');
    assert.deepEqual(kept, ['c1']);
  });

  it('replaces an earlier message that was put there, but nothing that the user wrote', async () => {
    repository.inputBox.value = 'My own';
    await rest();
    assert.equal(repository.inputBox.value, 'My own');
    assert.deepEqual(kept, ['c1']);
    repository.inputBox.value = 'An earlier message';
    await end(turnOf('t9', 'Another one', 'complete'), { repository: ROOT }, 'c2');
    assert.equal(repository.inputBox.value, 'Another one');
  });

  it('doesn’t replace a message that was requested later', async () => {
    messages.put(repository, 'A later message', 2000);
    await rest();
    assert.equal(repository.inputBox.value, 'A later message');
    assert.deepEqual([put, kept], [[], ['c1']]);
  });

  it('doesn’t replace the rest of one that was requested later', async () => {
    await end(turnOf('t8', 'A later', 'truncated', 2000), { repository: ROOT }, 'c2');
    await end(turnOf('t9', ' message', 'complete', 2500), { continues: 't8' }, 'c2');
    assert.equal(repository.inputBox.value, 'A later message');
    await rest();
    assert.equal(repository.inputBox.value, 'A later message');
  });

  it('waits until the rest is complete', async () => {
    await end(turnOf('t2', ' silent', 'truncated'), { continues: 't1' });
    assert.equal(repository.inputBox.value, '');
    await end(turnOf('t3', ' before.', 'complete'), { continues: 't2' });
    assert.equal(repository.inputBox.value, WHOLE);
  });

  it('is not put when a part alone arrives, and then when another attempt is whole', async () => {
    await end(turnOf('t2', ' silent', 'truncated'), { continues: 'another' });
    await end(turnOf('t3', ' before.', 'complete'), { continues: 't1' });
    assert.equal(repository.inputBox.value, '');
    await end(turnOf('t4', WHOLE, 'complete'));
    assert.equal(repository.inputBox.value, WHOLE);
  });

  it('is put when it is asked for again after its repository was closed when it arrived', async () => {
    isOpen = false;
    await rest();
    assert.deepEqual(kept, ['c1 closed']);
    isOpen = true;
    await end(turnOf('t4', 'Once more', 'complete'));
    assert.equal(repository.inputBox.value, 'Once more');
  });

  it('is left to the command that has asked for it', async () => {
    messages.own('t9');
    await end(turnOf('t9', 'Its own', 'complete'), { repository: ROOT }, 'c2');
    assert.equal(repository.inputBox.value, '');
    // It says that there is none, such as in an answer that is only a code block.
    messages.leave('t9');
    await end(turnOf('t10', 'Another attempt', 'complete'), { repository: ROOT }, 'c2');
    assert.equal(repository.inputBox.value, 'Another attempt');
  });
});
