import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  COMMIT_MESSAGE_PREFIX,
  CONNECTION_CHECKS,
  OTHER_CHATS,
  toCostText,
  toUsageName,
} from '../../../src/panel/usage.ts';

const textOf = (cost: number, unreported: number) =>
  toCostText({ cost, unreported }, (usd) => `$${usd.toFixed(2)}`, 'Not reported');

describe('A sum of costs', () => {
  it('is a lower bound when the cost of some turns is not reported, and no sum without any cost', () => {
    assert.equal(textOf(1.5, 0), '$1.50');
    assert.equal(textOf(0, 0), '$0.00');
    assert.equal(textOf(1.5, 2), '≥ $1.50');
    assert.equal(textOf(0, 2), 'Not reported');
  });

  it('is at least 0 when what is reported is less than the smallest amount that is shown', () => {
    const exact = (cost: number, unreported: number) =>
      toCostText({ cost, unreported }, String, 'Not reported');
    assert.deepEqual(
      [exact(0.00009, 0), exact(0.00009, 1), exact(0.0001, 1)],
      ['0.00009', '≥ 0', '≥ 0.0001'],
    );
  });
});

describe('Usage without a conversation', () => {
  it('says what it was for, also of a commit message, whose conversation is deleted', () => {
    const ids = [OTHER_CHATS, CONNECTION_CHECKS, `${COMMIT_MESSAGE_PREFIX}1`, '1'];
    assert.deepEqual(ids.map(toUsageName), [
      'Other chats',
      'Connection checks',
      'Commit message',
      'Deleted conversation',
    ]);
  });
});
