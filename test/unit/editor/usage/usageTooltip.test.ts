import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Turn } from '../../../../src/conversation/turn.ts';
import { toUsageTotals } from '../../../../src/conversation/usage/cost.ts';
import { DEFAULT_PRICES } from '../../../../src/service/prices.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { answer, completeTurn, FACTS, turnOf } from '../../conversation/turns.ts';
import { conversation, exchange } from '../../history/support.ts';

const { toUsageTooltip } = await withEditorStub(() => import('../../../../src/editor/usage/usageTooltip.ts'));

const { toStatus } = await withEditorStub(() => import('../../../../src/editor/usage/statusBar.ts'));

const costs = (...turns: readonly Turn[]) => {
  const { value } = toUsageTooltip(conversation('c1', [exchange('e1', 'q', turns)]), DEFAULT_PRICES);
  return value.split('\n').find((line) => line.startsWith('| Cost'));
};

describe('The cost of a conversation in the tooltip', () => {
  const billed = { ...completeTurn(), id: 't1' };
  const demo = { ...completeTurn('Because.', { demo: true }), id: 't2' };

  it('is no amount when all of it was the demo, and the sum of the others otherwise', () => {
    assert.equal(costs(demo), '| Cost | not billed (demo) | not billed (demo) |');
    assert.match(costs(demo, billed) ?? '', /\| \$0\.0\d+ \|$/);
  });

  it('is a lower bound if it was not fully reported, of the turn and of the conversation', () => {
    const cut: Turn = { ...billed, finishReason: undefined, outcome: 'interrupted' };
    assert.match(costs(cut) ?? '', /^\| Cost \| ≥ \$0\.0\d+ \| ≥ \$0\.0\d+ \|$/);
    const silent = { ...billed, id: 't3', usage: undefined };
    assert.match(costs(silent, billed) ?? '', /^\| Cost \| not reported \| ≥ \$0\.0\d+ \|$/);
    const { value } = toUsageTooltip(conversation('c1', [exchange('e1', 'q', [cut])]), DEFAULT_PRICES);
    assert.match(value, /usage was not fully reported: 1\./);
  });

  it('is not reported when no other turn reported it', () => {
    assert.match(costs(demo, { ...billed, usage: undefined }) ?? '', /\| not reported \|$/);
  });
});

describe('The conversation in the tooltip and in the status bar', () => {
  const copy = { ...completeTurn(), id: 't1' };
  const asked = { ...completeTurn(), id: 't2' };
  const copies = new Set(['t1']);

  it('has no turns that a fork or an import has from elsewhere', () => {
    const whole = conversation('c1', [exchange('e1', 'q', [copy, asked])]);
    const { value } = toUsageTooltip(whole, DEFAULT_PRICES, copies);
    const alone = conversation('c1', [exchange('e1', 'q', [asked])]);
    assert.equal(value, toUsageTooltip(alone, DEFAULT_PRICES).value);
    const before = conversation('c1', [exchange('e1', 'q', [copy])]);
    assert.match(toUsageTooltip(before, DEFAULT_PRICES, copies).value, /\| Cost \| \$0\.0\d+ \| – \|/);
    const context = {
      ...{ prices: DEFAULT_PRICES, copies, routeName: 'direct', conversations: [], now: 0 },
      ...{ isSeen: () => false, runsElsewhere: () => false, judged: () => undefined },
    };
    assert.equal(toStatus(whole, context)?.text, toStatus(alone, context)?.text);
    assert.doesNotMatch(toStatus(before, context)?.text ?? '', /tokens/);
  });
});

describe('This turn in the tooltip', () => {
  it('is the one that runs, also if an earlier question is asked again', () => {
    const running: Turn = { ...turnOf([]), id: 't3', request: { ...FACTS, routeName: 'second' } };
    const asked = conversation('c1', [
      exchange('e1', 'q', [completeTurn(), running], 1),
      exchange('e2', 'q', [{ ...completeTurn(), id: 't2' }]),
    ]);
    const { value } = toUsageTooltip(asked, DEFAULT_PRICES);
    assert.match(value, /^\| Route \| second \(direct\) \|/m);
    assert.match(value, /^\| Total tokens \| … \| /m);
  });
});

describe('The usage of a conversation in the tooltip of the status bar, during its first answer', () => {
  it('is to come, not unreported', () => {
    const asked = conversation('c1', [exchange('e1', 'q', [turnOf([answer('So')])])]);
    const { value } = toUsageTooltip(asked, DEFAULT_PRICES);
    assert.match(value, /\| Total tokens \| … \| … \|/);
    assert.match(value, /\| Cost \| … \| … \|/);
    assert.doesNotMatch(value, /not reported/);
  });
});

describe('The tooltip of a conversation with many turns', () => {
  /** How many times the usage of a turn is read for the sums, and for the tooltip with them. */
  function readsOf(usage: Turn['usage']): readonly [number, number] {
    let reads = 0;
    const counted = {
      ...completeTurn(),
      id: 't1',
      get usage() {
        reads++;
        return usage;
      },
    };
    const before = { ...completeTurn(), id: 't0', usage };
    const whole = conversation('c1', [exchange('e1', 'q', [before, counted, turnOf([])])]);
    toUsageTotals(whole, DEFAULT_PRICES);
    const ofTotals = reads;
    reads = 0;
    toUsageTooltip(whole, DEFAULT_PRICES);
    assert.ok(ofTotals > 0);
    return [ofTotals, reads];
  }

  it('reads the usage of its turns for their sums only, as it is made each second', () => {
    const [ofTotals, reads] = readsOf(completeTurn().usage);
    assert.equal(reads, ofTotals);
  });

  it('doesn’t read it for each of five figures when none is reported', () => {
    const [ofTotals, reads] = readsOf(undefined);
    // Whether there is any, why there is none, and whether the cost is known.
    assert.ok(reads < ofTotals + 10, `${reads}, and ${ofTotals} for the sums`);
  });
});
