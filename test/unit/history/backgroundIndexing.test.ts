import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { startIndexing } from '../../../src/history/backgroundIndexing.ts';
import { eventually } from '../../support/eventually.ts';

const noError = (error: unknown) => assert.fail(String(error));

describe('The index that is completed in the background', () => {
  it('gets a part after the other, until nothing is left', async () => {
    let left = 3;
    startIndexing({ mergeParts: () => false, indexDue: () => --left > 0 }, noError);
    assert.equal(left, 3, 'not while the window opens');
    await eventually(() => assert.equal(left, 0));
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.equal(left, 0);
  });

  it('is left to the next window after an error, which is reported once, and when the window closes', async () => {
    const errors: unknown[] = [];
    const full = new Error('full');
    startIndexing(
      {
        mergeParts: () => false,
        indexDue() {
          throw full;
        },
      },
      (error) => errors.push(error),
    );
    startIndexing(
      { mergeParts: () => false, indexDue: () => assert.fail('the window is closed') },
      noError,
    ).dispose();
    await eventually(() => assert.deepEqual(errors, [full]));
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.deepEqual(errors, [full]);
  });
});
