import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createDisclosures, type SavedState } from '../../../../src/webview/chat/disclosures.ts';

function keeperOf(first?: SavedState) {
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

  it('is forgotten with the place when another conversation is shown', () => {
    const keeper = keeperOf({ conversationId: 'c1', open: { a: true }, scrollTop: 120 });
    const page = createDisclosures(keeper);
    assert.equal(page.show('c2'), undefined);
    assert.equal(page.isOpen('a', false), false);
    assert.deepEqual(keeper.getState(), { conversationId: 'c2', open: {}, scrollTop: undefined });
  });
});
