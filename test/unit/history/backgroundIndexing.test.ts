import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { startIndexing } from '../../../src/history/backgroundIndexing.ts';
import { eventually } from '../../support/eventually.ts';

const noError = (error: unknown) => assert.fail(String(error));

/** A database whose index has nothing to merge and no damage. */
const IDLE = { mergeParts: () => false, checkIndex: () => false };

describe('The index that is completed in the background', () => {
  it('gets a part after the other, until nothing is left', async () => {
    let left = 3;
    startIndexing({ ...IDLE, indexDue: () => --left > 0 }, noError);
    assert.equal(left, 3, 'not while the window opens');
    await eventually(() => assert.equal(left, 0));
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.equal(left, 0);
  });

  it('is checked once, after nothing is left, and filled again if it was damaged', async () => {
    const steps: string[] = [];
    let left = 2;
    const indexing = startIndexing(
      {
        mergeParts: () => false,
        indexDue() {
          steps.push('index');
          return --left > 0;
        },
        checkIndex() {
          steps.push('check');
          left = 2;
          return true;
        },
      },
      noError,
    );
    const all = ['index', 'index', 'check', 'index', 'index'];
    await eventually(() => assert.deepEqual(steps, all));
    await new Promise((resolve) => setTimeout(resolve, 150));
    indexing.dispose();
    assert.deepEqual(steps, all);
  });

  it('is left to the next window after an error, which is reported once, and when the window closes', async () => {
    const errors: unknown[] = [];
    const full = new Error('full');
    startIndexing(
      {
        ...IDLE,
        indexDue() {
          throw full;
        },
      },
      (error) => errors.push(error),
    );
    startIndexing({ ...IDLE, indexDue: () => assert.fail('the window is closed') }, noError).dispose();
    await eventually(() => assert.deepEqual(errors, [full]));
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.deepEqual(errors, [full]);
  });

  it('goes on after another program had locked the database, which is reported once for each lock', async () => {
    const errors: unknown[] = [];
    const locked = Object.assign(new Error('database is locked'), { errcode: 5 });
    let calls = 0;
    // Attempts 1 to 20 and 22 fail. If each waited twice as long as the one before, the last would be after a quarter of an hour.
    const indexDue = () => {
      calls++;
      if (calls <= 20 || calls === 22) throw locked;
      return calls < 24;
    };
    startIndexing({ ...IDLE, indexDue }, (error) => errors.push(error), {
      first: 1,
      longest: 4,
    });
    await eventually(() => assert.equal(calls, 24));
    assert.deepEqual(errors, [locked, locked]);
  });

  it('is not tried again when the window closes while the database is locked', async () => {
    let calls = 0;
    const indexing = startIndexing(
      {
        ...IDLE,
        indexDue() {
          calls++;
          throw Object.assign(new Error('database is locked'), { errcode: 5 });
        },
      },
      () => undefined,
      { first: 1, longest: 1 },
    );
    await eventually(() => assert.ok(calls > 0));
    indexing.dispose();
    const before = calls;
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(calls, before);
  });
});
