import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { inSimilarOrder } from '../../../scripts/lib/similarOrder.mjs';

describe('Texts in the order of what they have in common', () => {
  it('are each followed by the one that is most like it', () => {
    assert.deepEqual(
      inSimilarOrder([
        'Open the settings',
        'Couldn’t save the file',
        'Open the setting',
        'Couldn’t save the folder',
      ]),
      ['Open the settings', 'Open the setting', 'Couldn’t save the file', 'Couldn’t save the folder'],
    );
  });

  it('are all there once, also short, empty, and equal in their beginning', () => {
    const texts = ['', 'a', 'OK', 'OK.', 'Cancel', 'Cancels', 'constructor', '__proto__'];
    assert.deepEqual(inSimilarOrder(texts).sort(), [...texts].sort());
    assert.deepEqual(inSimilarOrder([]), []);
  });

  it('are in the same order each time', () => {
    const texts = Array.from({ length: 50 }, (_, n) => `Text number ${n % 7} of ${n}`);
    assert.deepEqual(inSimilarOrder(texts), inSimilarOrder([...texts]));
  });
});
