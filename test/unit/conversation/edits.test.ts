import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Conversation, Exchange } from '../../../src/conversation/conversation.ts';
import {
  createConversation,
  forkOf,
  titleWith,
  toConversationTitle,
  toForkTitle,
  versionsOf,
  withBranch,
  withExchange,
  withoutTail,
} from '../../../src/conversation/edits.ts';
import { answer, completeTurn, conversationOf, exchangeOf, failedBy, turnOf } from './turns.ts';

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

describe('A fork', () => {
  it('is a copy up to an answer, with new ids', () => {
    let n = 0;
    const origin = conversationOf(at('a', 1), at('b', 2));
    const fork = forkOf(origin, 'a', { createdAt: 9, newId: () => `new-${n++}` });
    assert.equal(fork.forkedFrom, origin.id);
    assert.equal(fork.exchanges.length, 1);
    assert.equal(fork.exchanges[0]?.question.text, 'a');
    const before = new Set([
      origin.id,
      ...origin.exchanges.flatMap(({ id, attempts }) => [id, ...attempts.map((t) => t.id)]),
    ]);
    for (const { id, attempts } of fork.exchanges) {
      assert.ok(!before.has(id) && attempts.every((turn) => !before.has(turn.id)));
    }
  });

  it('continues the copy of a turn where the original is continued', () => {
    let n = 0;
    const rest = at('b', 2);
    const origin = conversationOf(at('a', 1), {
      ...rest,
      question: { ...rest.question, continues: 't-a' },
    });
    const { exchanges } = forkOf(origin, undefined, { createdAt: 9, newId: () => `new-${n++}` });
    assert.equal(exchanges[1]?.question.continues, exchanges[0]?.attempts[0]?.id);
  });

  it('does not contain a turn that is still running', () => {
    const { outcome, ...running } = completeTurn();
    const origin = conversationOf(exchangeOf('a', { ...running, outcome: undefined }));
    assert.ok(outcome);
    assert.deepEqual(forkOf(origin, undefined, { createdAt: 9, newId: () => 'x' }).exchanges, []);
    const again = conversationOf({
      ...exchangeOf('a', completeTurn(), { ...running, id: 't2', outcome: undefined }),
      shown: 1,
    });
    const [kept] = forkOf(again, undefined, { createdAt: 9, newId: () => 'x' }).exchanges;
    assert.equal(kept?.attempts[kept.shown]?.answer, 'Because.');
  });
});

describe('A title', () => {
  const title = (text: string) =>
    toConversationTitle({ text, images: [], origin: undefined }, 'New conversation');
  it('is the first line of the first question, shortened if it is long', () => {
    assert.equal(title('  Why?\nBecause'), 'Why?');
    assert.equal(title('x'.repeat(80)).length, 60);
    assert.equal(title(''), createConversation('c', 0, 'New conversation', undefined).title);
  });
});

describe('The title of a conversation', () => {
  const failed = turnOf([failedBy('bad-key')]);
  const added = exchangeOf('Why is the sky blue?');
  const titleAfter = (before: Conversation) => titleWith(before, added, 'New');

  it('is that of the next question while no question was answered', () => {
    assert.equal(titleAfter(conversationOf()), 'Why is the sky blue?');
    assert.equal(titleAfter(conversationOf(exchangeOf('test', failed))), 'Why is the sky blue?');
    assert.equal(titleAfter(conversationOf(exchangeOf('a', completeTurn()))), 'A conversation');
    assert.equal(titleAfter(conversationOf(exchangeOf('a', completeTurn(), failed))), 'Why is the sky blue?');
  });

  it('stays when an answer that an error ended is continued', () => {
    const question = { ...exchangeOf('Continue.').question, continues: 't' };
    const broken = turnOf([answer('a'), failedBy('stream-error')]);
    const before = conversationOf(exchangeOf('Why?', broken));
    assert.equal(titleWith(before, { ...added, question }, 'New'), 'A conversation');
  });

  it('stays when the user has entered it, and when a question is asked again', () => {
    assert.equal(titleAfter({ ...conversationOf(), named: true }), 'A conversation');
    assert.equal(titleAfter(conversationOf(added)), 'A conversation');
  });
});

describe('The title of a fork', () => {
  const name = (title: string, fork: number) => (fork === 1 ? `${title} (fork)` : `${title} (fork ${fork})`);
  const titleOf = (title: string, ...taken: readonly string[]) => toForkTitle(title, new Set(taken), name);

  it('tells it from its original and from other forks', () => {
    assert.equal(titleOf('Herons'), 'Herons (fork)');
    assert.equal(titleOf('Herons', 'Herons (fork)'), 'Herons (fork 2)');
    assert.equal(titleOf('Herons (fork 2)', 'Herons (fork)', 'Herons (fork 2)'), 'Herons (fork 3)');
  });

  it('has one mark also in other languages, and after the language was changed', () => {
    const inChinese = (title: string, fork: number) =>
      fork === 1 ? `${title} (分叉)` : `${title} (分叉 ${fork})`;
    for (const title of ['Herons', 'Herons (分叉)', 'Herons (分叉 12)', 'Herons (fork)'])
      assert.equal(toForkTitle(title, new Set(), inChinese), 'Herons (分叉)', title);
    for (const title of ['Herons (分叉 a)', 'Herons (2)', '(分叉)'])
      assert.equal(toForkTitle(title, new Set(), inChinese), `${title} (分叉)`);
  });
});
