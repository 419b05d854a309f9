import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Exchange } from '../../../src/conversation/conversation.ts';
import { forkOf, toForkTitle } from '../../../src/conversation/fork.ts';
import { completeTurn, conversationOf, exchangeOf } from './turns.ts';

const at = (id: string, startedAt: number): Exchange =>
  exchangeOf(id, { ...completeTurn(), id: `t-${id}`, startedAt });

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
