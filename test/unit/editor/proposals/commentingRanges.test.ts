import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { CommentingRanges } from '../../../../src/editor/proposals/commentingRanges.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createCommentingRanges } = await withEditorStub(
  () => import('../../../../src/editor/proposals/commentingRanges.ts'),
);

describe('The commenting ranges', () => {
  let changes: boolean[];
  let reviewing: boolean;
  let ranges: CommentingRanges;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    changes = [];
    reviewing = false;
    const controller = {
      setRanges(provide: (...args: never[]) => unknown) {
        // The ranges of a document are asked for only while they are there.
        let asked = false;
        const document = {
          get uri() {
            asked = true;
            return { scheme: 'k3-conversation' };
          },
        };
        provide(...([document] as never[]));
        changes.push(asked);
      },
    };
    ranges = createCommentingRanges(controller as never, () => reviewing);
  });
  afterEach(() => {
    ranges.dispose();
    mock.timers.reset();
  });
  const review = (now: boolean) => {
    reviewing = now;
    return ranges.update();
  };

  it('are there during a review, and for a while after it', () => {
    assert.equal(ranges.update(), false);
    assert.equal(review(true), true);
    assert.equal(ranges.update(), false, 'they are there already');
    review(false);
    mock.timers.tick(19_000);
    assert.deepEqual(changes, [true]);
    mock.timers.tick(2000);
    assert.deepEqual(changes, [true, false]);
  });

  it('do not begin while a box can have the focus, but when it expects hunks', () => {
    const hold = ranges.hold(ranges.update);
    assert.equal(review(true), false);
    assert.deepEqual(changes, []);
    hold.expectHunks();
    assert.deepEqual(changes, [true]);
  });

  it('begin before the hunks of an edit, and so not with them', () => {
    const hold = ranges.hold(ranges.update);
    hold.expectHunks();
    assert.deepEqual(changes, [true]);
    assert.equal(review(true), false);
  });

  it('do not end while a box can have the focus', () => {
    review(true);
    review(false);
    mock.timers.tick(19_000);
    const hold = ranges.hold(ranges.update);
    mock.timers.tick(60_000);
    assert.deepEqual(changes, [true]);
    hold.dispose();
    mock.timers.tick(21_000);
    assert.deepEqual(changes, [true, false]);
  });

  it('begin after the box is closed, if a review has begun meanwhile', () => {
    const hold = ranges.hold(ranges.update);
    review(true);
    hold.dispose();
    assert.deepEqual(changes, [true]);
  });
});
