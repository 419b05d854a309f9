import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Turn } from '../../../../src/conversation/turn.ts';
import type { ServiceErrorKind } from '../../../../src/service/errors.ts';
import { DEFAULT_PRICES } from '../../../../src/service/prices.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { answering, calling, OF_A, runWith, toolboxOf } from '../../conversation/toolTurns.ts';
import {
  answer,
  completeTurn,
  conversationOf,
  DONE,
  exchangeOf,
  failedBy,
  finish,
  NO_USAGE,
  SERVICE_ENDED,
  SOME_USAGE,
  turnOf,
  usage,
} from '../../conversation/turns.ts';

const { toAccountLine, toAccountRows, toCostLine } = await withEditorStub(
  () => import('../../../../src/editor/wording/accountWords.ts'),
);

const { formatSeconds } = await withEditorStub(() => import('../../../../src/editor/base/formats.ts'));

const { toUsageTooltip } = await withEditorStub(() => import('../../../../src/editor/usage/usageTooltip.ts'));

const CONNECTING = turnOf([]).timings;

const lineFor = (more: Partial<Turn>) => toCostLine({ ...completeTurn(), ...more }, DEFAULT_PRICES);

describe('The cost below an answer', () => {
  it('is that of its usage, and not known without usage', () => {
    assert.match(lineFor({ usage: SOME_USAGE }), /^\$0\.0\d+$/);
    assert.equal(lineFor({ usage: undefined }), 'usage not reported');
  });

  it('is not known when only a total was reported, of which input and output cost differently', () => {
    assert.equal(lineFor({ usage: { ...NO_USAGE, totalTokens: 2050 } }), 'usage not reported');
  });

  it('is left out where nothing was billed', () => {
    const refused = { kind: 'bad-key', details: { status: 401 } } as const;
    const nothing = { reasoning: '', answer: '', usage: undefined };
    assert.equal(lineFor({ ...nothing, outcome: 'failed', failure: refused }), '');
  });
});

describe('The cost of a request that was not billed', () => {
  const refused = { kind: 'bad-key', details: { status: 401 } } as const;
  const failed = {
    ...completeTurn(),
    ...({ reasoning: '', answer: '', usage: undefined, outcome: 'failed', failure: refused } as const),
  };
  const costOf = (turn: Turn) =>
    toAccountRows(turn, DEFAULT_PRICES).find(({ label }) => label === 'Cost')?.value;

  it('is nothing in Details and in the status bar, as on the usage page, not unknown', () => {
    assert.equal(costOf(failed), '$0.00');
    const { value } = toUsageTooltip(conversationOf(exchangeOf('Why?', failed)), DEFAULT_PRICES);
    assert.match(value, /\| Cost \| \$0\.00 \| \$0\.00 \|/);
  });

  it('E9 is not reported after a gateway timeout, and after a body that ended before the answer', () => {
    const costs = (kind: ServiceErrorKind, status: number) => {
      const failure = { kind, details: { status } };
      const turn = turnOf([{ type: 'connected' }, { type: 'ended', by: 'error', failure }]);
      return [costOf(turn), toAccountLine(turn, DEFAULT_PRICES).split(' · ')[0]];
    };
    assert.deepEqual(costs('server-failed', 524), ['not reported', 'usage not reported']);
    assert.deepEqual(costs('not-a-completion', 200), ['not reported', 'usage not reported']);
    assert.deepEqual(costs('server-failed', 500), ['$0.00', formatSeconds(20)]);
  });

  it('is not said before the service has the request, and unknown beside one whose usage was not reported', () => {
    const running = { ...failed, outcome: undefined, failure: undefined, timings: CONNECTING };
    assert.equal(costOf(running), '…');
    const silent = { ...completeTurn(), usage: undefined };
    const both = conversationOf(exchangeOf('Why?', silent), exchangeOf('And?', failed));
    assert.match(toUsageTooltip(both, DEFAULT_PRICES).value, /\| Cost \| \$0\.00 \| not reported \|/);
    assert.equal(costOf(silent), 'not reported');
  });
});

describe('The tokens of reasoning that the service reports as none, or not at all', () => {
  it('are not reported in Details and in the status bar, and not counted as answer', () => {
    for (const reasoningTokens of [0, undefined]) {
      const turn = { ...completeTurn(), usage: { ...SOME_USAGE, reasoningTokens } };
      const rows = toAccountRows(turn, DEFAULT_PRICES).slice(2, 5);
      assert.deepEqual(
        rows.map(({ value }) => value),
        ['not reported', 'not reported', '2,050'],
      );
      const { value } = toUsageTooltip(conversationOf(exchangeOf('Why?', turn)), DEFAULT_PRICES);
      for (const label of ['Reasoning', 'Answer'])
        assert.match(value, new RegExp(`\\| ${label} tokens \\| not reported \\| not reported \\|`));
      const silent = toAccountRows({ ...turn, reasoning: '' }, DEFAULT_PRICES)[3];
      assert.equal(silent?.value, '50');
    }
  });
});

describe('The usage of an answer in one line', () => {
  it('is a lower bound if more of it was billed, its tokens as its cost and as in the status bar', () => {
    const early = usage({ promptTokens: 1000, completionTokens: 1, totalTokens: 1001 });
    const lineOf = (...end: Parameters<typeof turnOf>[0]) =>
      toAccountLine(turnOf([early, answer('So'), ...end]), DEFAULT_PRICES);
    assert.match(lineOf(failedBy('connection-lost')), /^≥ 1,001 tokens · ≥ \$0\.0030 · /);
    assert.match(lineOf(early, finish('stop'), DONE, SERVICE_ENDED), /^1,001 tokens · \$0\.0030 · /);
  });
});

describe('The time to the first answer', () => {
  const timeOf = (turn: Turn) =>
    toAccountRows(turn, DEFAULT_PRICES).find(({ label }) => label === 'Time to first answer')?.value;
  /** Each moment is a second after the one before. */
  const seconds = () => {
    let ms = 0;
    return { now: () => (ms += 1000) };
  };

  it('is that of its text, not of the calls of tools before it', async () => {
    const { turn } = await runWith(
      [calling(['read', OF_A]), answering('There.')],
      toolboxOf(['read']),
      seconds(),
    );
    assert.ok(turn.timings.firstAnswer && turn.roundTimes.firstAnswer);
    assert.ok(turn.timings.firstAnswer < turn.roundTimes.firstAnswer);
    assert.equal(timeOf(turn), formatSeconds(turn.roundTimes.firstAnswer));
    const { value } = toUsageTooltip(conversationOf(exchangeOf('Why?', turn)), DEFAULT_PRICES);
    assert.ok(value.includes(`Time to first answer | ${formatSeconds(turn.roundTimes.firstAnswer)}`), value);
  });

  it('is that of the text before the calls, if there was some', async () => {
    const [begin, reasoned, ...rest] = calling(['read', OF_A]);
    assert.ok(begin && reasoned);
    const blank = [begin, reasoned, answer('\n\n'), ...rest];
    const { turn: later } = await runWith([blank, answering('There.')], toolboxOf(['read']), seconds());
    assert.equal(timeOf(later), formatSeconds(later.roundTimes.firstAnswer ?? 0));
    const spoken = [begin, reasoned, answer('I look.'), ...rest];
    const { turn } = await runWith([spoken, answering('There.')], toolboxOf(['read']), seconds());
    assert.equal(timeOf(turn), formatSeconds(turn.rounds[0]?.times.firstAnswer ?? 0));
  });

  it('is not there when no text came', () => {
    assert.equal(timeOf(completeTurn()) === undefined, false);
    assert.equal(timeOf({ ...completeTurn(), answer: '' }), undefined);
  });
});
