import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { versionsOf, withBranch, withoutTail } from '../../../src/conversation/branches.ts';
import { type Conversation, type Exchange, withExchange } from '../../../src/conversation/conversation.ts';
import { completeTurn, conversationOf, exchangeOf } from './turns.ts';

const ids = (exchanges: readonly Exchange[]) => exchanges.map(({ id }) => id);
const at = (id: string, startedAt: number): Exchange =>
  exchangeOf(id, { ...completeTurn(), id: `t-${id}`, startedAt });

describe('An edited question', () => {
  const before = conversationOf(at('a', 1), at('b', 2), at('c', 3));

  it('moves the exchanges after it to a branch and deletes none of them', () => {
    const after = withExchange(withoutTail(before, 'b'), at('b2', 4));
    assert.deepEqual(ids(after.exchanges), ['a', 'b2']);
    assert.deepEqual(
      after.branches.map(({ after: parent, exchanges }) => [parent, ids(exchanges)]),
      [['a', ['b', 'c']]],
    );
  });

  it('is one of the versions of the question, in the order in which they were asked', () => {
    const after = withExchange(withoutTail(before, 'b'), at('b2', 4));
    assert.deepEqual(ids(versionsOf(after, 'b2')), ['b', 'b2']);
    assert.deepEqual(ids(versionsOf(after, 'a')), ['a']);
  });

  it('can be replaced by its first version, with everything after it', () => {
    const after = withBranch(withExchange(withoutTail(before, 'b'), at('b2', 4)), 'b');
    assert.deepEqual(ids(after.exchanges), ['a', 'b', 'c']);
    assert.deepEqual(ids(versionsOf(after, 'b')), ['b', 'b2']);
  });

  it('can be the first question', () => {
    const after = withExchange(withoutTail(before, 'a'), at('a2', 4));
    assert.deepEqual(ids(after.exchanges), ['a2']);
    assert.deepEqual(ids(withBranch(after, 'a').exchanges), ['a', 'b', 'c']);
  });

  it('is shown with the way to it, when the question that it follows isn’t shown either', () => {
    const inner = withExchange(withoutTail(before, 'b'), at('b2', 4));
    const outer = withExchange(withoutTail(inner, 'a'), at('a2', 5));
    const shown = withBranch(outer, 'b');
    assert.deepEqual(ids(shown.exchanges), ['a', 'b', 'c']);
    assert.deepEqual(
      shown.branches.map(({ after: parent, exchanges }) => [parent, ids(exchanges)]),
      [
        [undefined, ['a2']],
        ['a', ['b2']],
      ],
    );
  });

  it('is a version of the first question when the question that it followed was lost, as in a damaged database', () => {
    const salvaged = { ...before, branches: [{ after: 'lost', exchanges: [at('x', 4), at('y', 5)] }] };
    assert.deepEqual(ids(versionsOf(salvaged, 'a')), ['a', 'x']);
    assert.deepEqual(ids(versionsOf(salvaged, 'b')), ['b']);
    const shown = withBranch(salvaged, 'x');
    assert.deepEqual(ids(shown.exchanges), ['x', 'y']);
    assert.deepEqual(ids(versionsOf(shown, 'x')), ['a', 'x']);
    assert.deepEqual(ids(withBranch(shown, 'a').exchanges), ['a', 'b', 'c']);
  });

  it('is not shown in a conversation whose branches lead to themselves, such as a broken import', () => {
    const [x, y] = [at('x', 2), at('y', 3)];
    const looped = {
      ...conversationOf(at('a', 1)),
      branches: [
        { after: 'y', exchanges: [x] },
        { after: 'x', exchanges: [y] },
      ],
    };
    assert.equal(withBranch(looped, 'x'), looped);
  });

  it('never loses an exchange, whatever is edited and shown', () => {
    const steps = fc.array(fc.record({ edit: fc.boolean(), at: fc.nat(20) }), { maxLength: 30 });
    fc.assert(
      fc.property(steps, (todo) => {
        let conversation: Conversation = conversationOf(at('q0', 0));
        let count = 1;
        for (const step of todo) {
          const target = conversation.exchanges[step.at % conversation.exchanges.length];
          if (step.edit && target !== undefined) {
            conversation = withExchange(withoutTail(conversation, target.id), at(`q${count}`, count));
            count++;
          } else if (!step.edit && step.at % 2 === 0) {
            conversation = withExchange(conversation, at(`q${count}`, count));
            count++;
          } else {
            const branch = conversation.branches[step.at % Math.max(1, conversation.branches.length)];
            const first = branch?.exchanges[0];
            if (first !== undefined) conversation = withBranch(conversation, first.id);
          }
        }
        const all = [
          ...conversation.exchanges,
          ...conversation.branches.flatMap(({ exchanges }) => exchanges),
        ];
        assert.equal(new Set(ids(all)).size, count);
        assert.equal(all.length, count);
      }),
    );
  });
});
