import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createExchangeWindow } from '../../../../src/editor/chatView/exchangeWindow.ts';

function windowAtEndOf(count: number) {
  const window = createExchangeWindow();
  window.toEnd(count);
  return window;
}

describe('The exchanges on the page', () => {
  it('are those at the end at first, and follow it when exchanges came behind a hidden page', () => {
    const window = createExchangeWindow();
    window.settle(100);
    assert.deepEqual(window.range(), { from: 60, to: 100 });
    window.settle(103);
    assert.deepEqual(window.range(), { from: 60, to: 103 });
  });

  it('stay where the reader is when the end is not on the page', () => {
    const window = windowAtEndOf(100);
    window.moveTo(10, 100);
    window.settle(103);
    assert.deepEqual(window.range(), { from: 0, to: 40 });
  });

  it('are those at the end again when there are fewer than before, as on another branch', () => {
    const window = windowAtEndOf(100);
    window.settle(50);
    assert.deepEqual(window.range(), { from: 10, to: 50 });
  });

  it('tell which are new when they are widened', () => {
    const window = windowAtEndOf(100);
    window.moveTo(10, 100);
    assert.deepEqual(window.widenToLater(100), { from: 40, to: 80 });
    assert.deepEqual(window.widenToEarlier(), { from: 0, to: 0 });
    assert.deepEqual(windowAtEndOf(100).widenToEarlier(), { from: 20, to: 60 });
  });

  it('follow the end again once the reader has widened to it', () => {
    const window = windowAtEndOf(100);
    window.moveTo(50, 100);
    window.widenToLater(100);
    window.settle(101);
    assert.deepEqual(window.range(), { from: 30, to: 101 });
  });

  it('do not move to an exchange that is there, or that does not exist', () => {
    const window = windowAtEndOf(100);
    assert.equal(window.moveTo(70, 100), false);
    assert.equal(window.moveTo(-1, 100), false);
    assert.equal(window.moveTo(5, 100), true);
    assert.deepEqual(window.range(), { from: 0, to: 40 });
  });

  it('take in a new exchange at the end', () => {
    const window = windowAtEndOf(100);
    assert.equal(window.put(100, 101), 'inside');
    assert.deepEqual(window.range(), { from: 60, to: 101 });
    window.settle(102);
    assert.equal(window.range().to, 102);
  });

  it('leave out an exchange before them, or one that is not in the conversation', () => {
    const window = windowAtEndOf(100);
    assert.equal(window.put(3, 100), 'outside');
    assert.equal(windowAtEndOf(3).put(-1, 3), 'outside');
  });

  it('go to the end when the reader asks from further up', () => {
    const window = windowAtEndOf(100);
    window.moveTo(10, 100);
    assert.equal(window.put(100, 101), 'moved');
    assert.deepEqual(window.range(), { from: 61, to: 101 });
  });
});
