import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createCallCheck } from '../../../../src/conversation/toolCalls/callCheck.ts';
import { PLAN_TOOL, toPlan } from '../../../../src/conversation/toolCalls/plan.ts';
import { DEFAULT_PRICES } from '../../../../src/service/prices.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { answering, calling, runWith, toolboxOf } from '../../conversation/toolTurns.ts';
import { conversationOf, exchangeOf } from '../../conversation/turns.ts';

const { createPlanTool, planStatus, toPlanView, toRoundViews, toStatus } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/tools/planTool.ts')),
  ...(await import('../../../../src/editor/wording/planWords.ts')),
  ...(await import('../../../../src/editor/chatView/toolCallViews.ts')),
  ...(await import('../../../../src/editor/usage/statusBar.ts')),
}));

const step = (text: string, state: string) => ({ text, state });
const PLAN = [
  step('Read it', 'done'),
  step('Check the \u202erounding $(zap)', 'in_progress'),
  step('Write', 'pending'),
];
const LINE = 'Plan: 1 of 3 · Check the ⟦U+202E⟧rounding $(zap)';

describe('The plan of an answer in words', () => {
  it('is one line and a list with the states, and shows invisible characters', () => {
    const plan = toPlan({ items: PLAN });
    assert.deepEqual(plan && toPlanView(plan), {
      line: LINE,
      items: [
        { text: 'Read it', state: 'done', label: 'Done' },
        { text: 'Check the ⟦U+202E⟧rounding $(zap)', state: 'in_progress', label: 'In progress' },
        { text: 'Write', state: 'pending', label: 'To do' },
      ],
    });
    const done = toPlan({ items: [step('Read it', 'done')] });
    assert.equal(done && toPlanView(done).line, 'Plan: 1 of 1');
  });

  it('stands with the last call that wrote it, and in the status bar while the turn runs', async () => {
    const writing = (items: unknown) => [PLAN_TOOL, JSON.stringify({ of: 'x', items })] as const;
    const streams = [calling(writing(PLAN.slice(0, 1)), writing(PLAN)), calling(['read', '{"of":"a"}'])];
    const running: unknown[] = [];
    const { turn } = await runWith([...streams, answering('So.')], toolboxOf([PLAN_TOOL, 'read']), {
      onTurn: (now) => void (now.outcome === undefined && running.push(planStatus(now))),
    });
    const views = toRoundViews(turn, {
      runsElsewhere: () => false,
      waitingFor: () => undefined,
      titleOf: ({ name }) => name,
    });
    assert.deepEqual(
      views.map(({ calls }) => calls.map(({ plan }) => plan?.line)),
      [[undefined, LINE], [undefined]],
    );
    assert.deepEqual(running.at(0), undefined);
    assert.deepEqual(running.at(-1), { count: 'Plan: 1 of 3', line: LINE });
    const busy = { ...turn, outcome: undefined, phase: 'calling' } as const;
    const context = {
      prices: DEFAULT_PRICES,
      routeName: 'a',
      conversations: [],
      isSeen: () => true,
      runsElsewhere: () => false,
      judged: () => undefined,
      now: busy.startedAt + 5000,
    };
    const status = toStatus(conversationOf(exchangeOf('Why?', busy)), context);
    assert.match(status?.text ?? '', / · Plan: 1 of 3$/);
    assert.equal(status?.spoken, 'K3 usage: Using tools · Plan: 1 of 3');
    assert.equal(planStatus(turn), undefined, 'the turn has ended');
    assert.equal(planStatus(undefined), undefined);
  });
});

describe('The tool that shows a plan', () => {
  const { definition, title, run } = createPlanTool();
  const check = createCallCheck();
  const problemOf = (items: unknown) => check(definition.parameters, { items });

  it('takes 1 to 20 steps, each with a text and a state, and nothing else', () => {
    assert.equal(problemOf(PLAN), undefined);
    assert.equal(problemOf(Array.from({ length: 20 }, () => PLAN[0])), undefined);
    for (const items of [
      undefined,
      [],
      Array.from({ length: 21 }, () => PLAN[0]),
      ['x'],
      [step('x', 'DONE')],
      [{ ...PLAN[0], id: 1 }],
    ])
      assert.ok(problemOf(items), JSON.stringify(items));
  });

  it('says what it did in its title and its result, without the texts', async () => {
    assert.equal(title({ items: PLAN }), 'Updated the plan: 1 of 3');
    assert.equal(title({}), 'Update the plan');
    const context = {} as Parameters<typeof run>[1];
    assert.deepEqual(await run({ items: PLAN }, context), {
      text: 'The plan is shown: 1 of 3 steps are done.',
    });
    await assert.rejects(run({ items: [step(' ', 'done')] }, context), /needs a text/);
  });
});
