import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createDisclosures, type SavedState } from '../../../../src/webview/chat/disclosures.ts';

function keeperOf(first?: unknown) {
  let kept = first;
  return {
    getState: () => kept,
    setState(state: SavedState) {
      kept = state;
    },
  };
}

describe('What is unfolded on the page', () => {
  it('is as given until the user changes it, and is there again after a reload, with the place', () => {
    const keeper = keeperOf();
    const before = createDisclosures(keeper);
    assert.equal(before.show('c1'), undefined);
    assert.deepEqual([before.isOpen('a', true), before.isOpen('a', false)], [true, false]);
    before.set('a', false);
    before.save('c1', 120);
    const after = createDisclosures(keeper);
    assert.equal(after.show('c1'), 120);
    assert.equal(after.isOpen('a', true), false);
  });

  it('is as given where the state that was kept isn’t one', () => {
    const other: unknown[] = [
      'c1',
      null,
      { conversationId: 7 },
      { conversationId: 'c1', open: 'a', scrollTop: '9' },
    ];
    for (const state of other) {
      const page = createDisclosures(keeperOf(state));
      assert.equal(page.show('c1'), undefined, JSON.stringify(state));
      assert.deepEqual([page.isOpen('a', true), page.isOpen('0', false)], [true, false]);
    }
    const open = { a: false, b: 'no' };
    const page = createDisclosures(keeperOf({ conversationId: 'c1', open, scrollTop: 9 }));
    assert.deepEqual([page.isOpen('a', true), page.isOpen('b', true), page.show('c1')], [false, true, 9]);
  });

  it('is forgotten with the place when another conversation is shown', () => {
    const keeper = keeperOf({ conversationId: 'c1', open: { a: true }, scrollTop: 120 });
    const page = createDisclosures(keeper);
    assert.equal(page.show('c2'), undefined);
    assert.equal(page.isOpen('a', false), false);
    assert.deepEqual(keeper.getState(), { conversationId: 'c2', open: {}, scrollTop: undefined });
  });
});
