import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createSettling } from '../../../../src/editor/proposals/settling.ts';

describe('A time to settle', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('ends once for all who wait, also for those who waited before it began again', async () => {
    const log: string[] = [];
    const settling = createSettling(600, () => log.push('settled'));
    await settling.settled();
    settling.restart();
    const first = settling.settled().then(() => log.push('first'));
    mock.timers.tick(500);
    settling.restart();
    const second = settling.settled().then(() => log.push('second'));
    mock.timers.tick(500);
    assert.deepEqual([settling.isPending(), log], [true, []]);
    mock.timers.tick(100);
    assert.equal(settling.isPending(), false);
    await Promise.all([first, second]);
    assert.deepEqual(log, ['settled', 'first', 'second']);
  });

  it('does not run when it is disposed of', () => {
    let runs = 0;
    const settling = createSettling(600, () => runs++);
    settling.restart();
    settling.dispose();
    mock.timers.tick(1000);
    assert.equal(runs, 0);
  });
});
