import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type Exchange, shownTurn } from '../../../../src/conversation/conversation.ts';
import { toDocument } from '../../../../src/conversation/conversationMarkdown.ts';
import { forkOf } from '../../../../src/conversation/fork.ts';
import {
  lastPlanCall,
  PLAN_TOOL,
  planOfCall,
  toPlan,
  toPlanText,
} from '../../../../src/conversation/toolCalls/plan.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import { parseExport, toExport } from '../../../../src/history/exportedJson.ts';
import { answering, calling, runWith, toolboxOf } from '../toolTurns.ts';
import { conversationOf, exchangeOf } from '../turns.ts';

const HOSTILE = '**x** <img src=x> $(zap) `\u202eevil\n# h';
const items = (...states: readonly string[]) => states.map((state, i) => ({ text: `Step ${i + 1}`, state }));
const writing = (...states: readonly string[]) =>
  [PLAN_TOOL, JSON.stringify({ of: 'x', items: items(...states) })] as const;
const planIn = (turn: Turn | undefined) => {
  const call = turn && lastPlanCall(turn);
  return call && planOfCall(call);
};

describe('A plan', () => {
  it('has its steps, how many are done, and the one in progress', () => {
    const plan = toPlan({ items: items('done', 'done', 'in_progress', 'in_progress', 'pending') });
    assert.deepEqual([plan?.items.length, plan?.done, plan?.current], [5, 2, 'Step 3']);
    assert.equal(toPlan({ items: items('done') })?.current, undefined);
  });

  it('is read completely or not at all, whatever it consists of', () => {
    const good = items('done', 'pending');
    const bad: readonly unknown[] = [
      undefined,
      {},
      'items',
      [],
      items(...Array.from({ length: 21 }, () => 'done')),
      [...good, 'x'],
      [...good, null],
      [...good, { text: 'x' }],
      [...good, { text: ' \n', state: 'done' }],
      [...good, { text: 7, state: 'done' }],
      [...good, { text: 'x', state: 'DONE' }],
      [...good, { text: 'x', state: ['done'] }],
    ];
    for (const value of bad) assert.equal(toPlan({ items: value }), undefined, JSON.stringify(value));
    assert.equal(toPlan({ items: items(...Array.from({ length: 20 }, () => 'done')) })?.done, 20);
    fc.assert(fc.property(fc.anything(), (value) => void toPlan({ items: value })));
  });

  it('has texts of one line, cut if they are long, and otherwise as they are', () => {
    const [first, second] =
      toPlan({
        items: [
          { text: HOSTILE, state: 'done' },
          { text: 'x'.repeat(5000), state: 'done' },
        ],
      })?.items ?? [];
    assert.equal(first?.text, HOSTILE.replace('\n', ' '));
    assert.ok((second?.text.length ?? 999) <= 120);
  });

  it('is that of the last call that ran, with what the user sees after a stop', async () => {
    const stopping = new AbortController();
    const streams = [calling(writing('pending', 'pending')), calling(writing('done', 'in_progress'))];
    const run = async ({ arguments: args }: { readonly arguments: object }) => {
      if (JSON.stringify(args).includes('in_progress')) stopping.abort();
      return { text: 'Shown.' };
    };
    const { turn } = await runWith(streams, toolboxOf([PLAN_TOOL], run), { signal: stopping.signal });
    assert.equal(turn.outcome, 'stopped');
    assert.equal(planIn(turn)?.done, 0, 'the second call did not run to its end');
    const whole = await runWith([...streams, answering('So.')], toolboxOf([PLAN_TOOL]));
    assert.equal(planIn(whole.turn)?.current, 'Step 2');
    const failed = await runWith(
      [calling(writing('done')), calling([PLAN_TOOL, '{"of":"x","items":[]}']), answering('So.')],
      toolboxOf([PLAN_TOOL]),
    );
    assert.equal(planIn(failed.turn)?.done, 1);
    const other = await runWith(
      [calling(['read', writing('done')[1]]), answering('So.')],
      toolboxOf(['read']),
    );
    assert.equal(planIn(other.turn), undefined);
  });

  it('stays with its attempt, in a fork, in an exported file, and in a document', async () => {
    const streams = [
      calling([PLAN_TOOL, JSON.stringify({ of: 'x', items: [{ text: HOSTILE, state: 'done' }] })]),
    ];
    const { turn } = await runWith([...streams, answering('So.')], toolboxOf([PLAN_TOOL]));
    const again = await runWith([calling(writing('pending')), answering('So.')], toolboxOf([PLAN_TOOL]));
    const exchange: Exchange = { ...exchangeOf('Why?', turn, again.turn), id: 'e', shown: 0 };
    const conversation = { ...conversationOf(exchange), title: 'a' };
    const fork = forkOf(conversation, 'e', { createdAt: 1, newId: () => 'b' });
    assert.equal(planIn(shownTurn(fork.exchanges[0] ?? exchange))?.done, 1);
    const read = parseExport(toExport(conversation, 0));
    assert.ok(read.ok);
    const attempts = read.conversations[0]?.exchanges[0]?.attempts ?? [];
    assert.deepEqual(
      attempts.map((one) => planIn(one)?.done),
      [1, 0],
    );
    const { text } = toDocument(conversation, {
      you: 'You',
      noAnswer: () => '',
      turnHeading: () => 'svc-k3',
      origin: () => '',
      context: () => '',
      image: () => '',
      call: ({ name }) => name,
      notes: () => [],
    });
    assert.match(text, /```md\n- \[x\] \*\*x\*\* <img src=x> \$\(zap\) ` *\u202eevil # h\n/, text);
  });

  it('is a list of tasks as text', () => {
    const plan = toPlan({ items: items('done', 'in_progress', 'pending') });
    assert.equal(plan && toPlanText(plan), '- [x] Step 1\n- [~] Step 2\n- [ ] Step 3');
  });
});
