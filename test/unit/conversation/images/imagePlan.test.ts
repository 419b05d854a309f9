import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  fitInto,
  IMAGE_LIMITS,
  planImage,
  toSmallerLimits,
  toUniqueName,
} from '../../../../src/conversation/images/imagePlan.ts';

const plan = (width: number, height: number, bytes = 1000) => planImage({ width, height }, bytes);

describe('Image plan', () => {
  it('sends an image unchanged up to and including 2,000 pixels and 3.75 MiB', () => {
    assert.deepEqual(plan(2000, 2000, IMAGE_LIMITS.bytes), { kind: 'verbatim' });
    assert.deepEqual(plan(1, 1), { kind: 'verbatim' });
  });

  it('scales to the longest edge, or keeps the size if only the bytes are too many', () => {
    assert.deepEqual(plan(8000, 5000), { kind: 'scale', width: 2000, height: 1250 });
    assert.deepEqual(plan(1000, 4000), { kind: 'scale', width: 500, height: 2000 });
    assert.deepEqual(plan(800, 600, IMAGE_LIMITS.bytes + 1), { kind: 'scale', width: 800, height: 600 });
  });

  it('refuses an image above 100 megapixels', () => {
    assert.equal(plan(10_000, 10_000).kind, 'scale');
    assert.equal(plan(10_000, 10_001).kind, 'too-many-pixels');
  });

  it('keeps at least one pixel of a thin line', () => {
    assert.deepEqual(fitInto(50_000, 3, 2000), { width: 2000, height: 1 });
    assert.deepEqual(fitInto(30, 20, 2000), { width: 30, height: 20 });
  });

  it('fits all images of a question into a body of 2 MiB after a size error', () => {
    for (const images of [1, 3, 7])
      assert.ok((toSmallerLimits(images).bytes * images * 4) / 3 < 2 * 1024 * 1024);
  });
});

describe('Attachment name', () => {
  it('is unique', () => {
    assert.equal(toUniqueName('a.png', []), 'a.png');
    assert.equal(toUniqueName('image.png', ['image.png', 'image.png (2)']), 'image.png (3)');
  });
});
