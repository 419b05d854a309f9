import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { endWindow, widenToEarlier, widenToLater, windowAround } from '../../../src/panel/panelWindow.ts';

describe('The window of exchanges', () => {
  it('is the end of a conversation at first, or all of a short one', () => {
    assert.deepEqual(endWindow(5000), { from: 4960, to: 5000 });
    assert.deepEqual(endWindow(3), { from: 0, to: 3 });
  });

  it('is extended in both directions up to the ends', () => {
    assert.deepEqual(widenToEarlier({ from: 50, to: 100 }), { from: 10, to: 100 });
    assert.deepEqual(widenToEarlier({ from: 10, to: 100 }), { from: 0, to: 100 });
    assert.deepEqual(widenToLater({ from: 0, to: 90 }, 100), { from: 0, to: 100 });
  });

  it('moves to an exchange outside of it, and stays for one inside', () => {
    const window = { from: 4960, to: 5000 };
    assert.equal(windowAround(window, 4970, 5000), window);
    assert.deepEqual(windowAround(window, 40, 5000), { from: 20, to: 60 });
    assert.deepEqual(windowAround(window, 3, 5000), { from: 0, to: 40 });
  });
});
