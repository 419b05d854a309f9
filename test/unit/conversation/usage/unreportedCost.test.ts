import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { estimateUnreported } from '../../../../src/conversation/usage/unreportedCost.ts';
import type { StreamEvent } from '../../../../src/service/client.ts';
import { DEFAULT_PRICES } from '../../../../src/service/prices.ts';
import {
  failedBy,
  finish,
  REFUSED_ONCE,
  reasoning,
  SERVICE_ENDED,
  turnOf,
  USER_ENDED,
  usage,
} from '../turns.ts';

/** The input of the request costs 1 USD. */
const estimateOf = (...events: readonly StreamEvent[]) =>
  estimateUnreported(turnOf([...events, USER_ENDED]), { inputCosts: [1], prices: DEFAULT_PRICES, ratio: 1 });

describe('The estimated cost of a turn that the user stopped', () => {
  it('is that of its input, once the service has the request, and of the text that arrived', () => {
    assert.equal(estimateOf({ type: 'try', tries: 1 }, { type: 'connected' }), 1);
    const more = estimateOf({ type: 'try', tries: 1 }, { type: 'connected' }, reasoning('Hm. '.repeat(100)));
    assert.ok(more !== undefined && more > 1);
  });

  it('E6 is nothing in the pause before a retry, and while that connects', () => {
    assert.equal(estimateOf(...REFUSED_ONCE), undefined);
    assert.equal(estimateOf(...REFUSED_ONCE, { type: 'try', tries: 2 }), undefined);
    assert.equal(estimateOf(...REFUSED_ONCE, { type: 'try', tries: 2 }, { type: 'connected' }), 1);
  });
});

describe('The estimated cost of an answer beside its reported usage', () => {
  const basis = { inputCosts: [1], prices: DEFAULT_PRICES, ratio: 2 };
  /** 1000 estimated tokens of text, 2000 of this route. */
  const text = reasoning('Hm. '.repeat(1000));
  const estimate = (...events: Parameters<typeof turnOf>[0]) => estimateUnreported(turnOf(events), basis);
  const early = usage({ promptTokens: 1000, completionTokens: 500, totalTokens: 1500 });

  it('is that of the output beyond the usage, if that was reported before the answer was cut off', () => {
    for (const end of [failedBy('connection-lost'), failedBy('stream-error'), USER_ENDED])
      assert.equal(estimate(early, text, end), (1500 * DEFAULT_PRICES.output) / 1_000_000);
    const late = usage({ promptTokens: 1000, completionTokens: 3000, totalTokens: 4000 });
    assert.equal(estimate(text, late, failedBy('connection-lost')), 0);
    assert.equal(estimate(text, early, finish('stop'), USER_ENDED), undefined);
    assert.equal(
      estimate(early, text, finish('stop'), USER_ENDED),
      (1500 * DEFAULT_PRICES.output) / 1_000_000,
    );
  });

  it('is that of the input and of the reported output, if only the input was not reported', () => {
    for (const promptTokens of [undefined, 0]) {
      const output = usage({ promptTokens, completionTokens: 5000, totalTokens: 5000 });
      const cost = 1 + (5000 * DEFAULT_PRICES.output) / 1_000_000;
      assert.equal(estimate(text, finish('stop'), output, SERVICE_ENDED), cost, `${promptTokens}`);
    }
  });

  it('is that of all of an answer that failed after text', () => {
    const cost = 1 + (2000 * DEFAULT_PRICES.output) / 1_000_000;
    assert.equal(estimate(text, failedBy('stream-error')), cost);
    assert.equal(estimate(failedBy('stream-error')), undefined);
  });
});
