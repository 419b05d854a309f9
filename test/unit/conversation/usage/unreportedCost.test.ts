import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { estimateUnreported } from '../../../../src/conversation/usage/unreportedCost.ts';
import type { StreamEvent } from '../../../../src/service/client.ts';
import { DEFAULT_PRICES } from '../../../../src/service/limits.ts';
import { REFUSED_ONCE, reasoning, turnOf, USER_ENDED } from '../turns.ts';

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
