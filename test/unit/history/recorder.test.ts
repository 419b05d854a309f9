import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createTurn, foldTurn } from '../../../src/conversation/fold.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { createRecorder, type RecorderDeps } from '../../../src/history/recorder.ts';
import { answer, FACTS } from '../conversation/turns.ts';
import { PRICES } from './support.ts';

/** A running turn with this text. */
const withAnswer = (text: string): Turn =>
  foldTurn(createTurn('t1', 1000, FACTS), { at: 1, event: answer(text) });

/** What was treated as the answer was reasoning without an opening tag. */
const TAG_CLOSED = { type: 'tag-closed', open: '<think>', close: '</think>', wasReasoning: true } as const;

/** What was written, in order. Nothing can be written while `works` is false. */
function createDisk() {
  const written: string[] = [];
  const write = (what: string) => {
    if (!disk.works) throw new Error('A write that fails.');
    written.push(what);
  };
  const history: RecorderDeps['history'] = {
    together: (body) => body(),
    putHeader: ({ id }) => write(`header of ${id}`),
    putExchange: (_, { exchange }) => write(`exchange ${exchange.id}`),
    putHead: () => write('head'),
    append: (_, { answer }) => write(`and ${answer}`),
    rewrite: (turn) => write(turn.answer),
    putRound: () => write('round'),
    finish: (_, __, { id }) => write(`end of ${id}`),
    renew: () => write('lease'),
  };
  const disk = { works: true, history, taken: () => written.splice(0) };
  return disk;
}

describe('The recorder', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  function start() {
    const disk = createDisk();
    const troubles: (string | undefined)[] = [];
    const recorder = createRecorder({
      history: disk.history,
      around: (_, write) => write(),
      prices: () => PRICES,
      get: () => undefined,
      onSaved: () => undefined,
      onTrouble: (trouble) => troubles.push(trouble),
    });
    return { disk, recorder, troubles };
  }

  it('writes the text of a running turn half a second after it arrived, what is new of it, and the lease', () => {
    const { disk, recorder } = start();
    recorder.progress('c1', withAnswer('One'));
    recorder.progress('c1', withAnswer('One, two'));
    mock.timers.tick(499);
    assert.deepEqual(disk.taken(), []);
    mock.timers.tick(1);
    assert.deepEqual(disk.taken(), ['One, two', 'lease']);
    recorder.progress('c1', withAnswer('One, two, three'));
    mock.timers.tick(500);
    assert.deepEqual(disk.taken(), ['and , three', 'lease']);
  });

  it('writes all text when the answer turns out to be reasoning, also if more answer than before has followed', () => {
    const { disk, recorder } = start();
    const begun = withAnswer('I think');
    recorder.progress('c1', begun);
    mock.timers.tick(500);
    disk.taken();
    const moved = foldTurn(begun, { at: 2, event: TAG_CLOSED });
    recorder.progress('c1', foldTurn(moved, { at: 3, event: answer('It is forty-two') }));
    mock.timers.tick(500);
    assert.deepEqual(disk.taken(), ['It is forty-two', 'lease']);
  });

  it('renews the lease while no text arrives, until the turn has ended', () => {
    const { disk, recorder } = start();
    recorder.progress('c1', withAnswer('One'));
    mock.timers.tick(500);
    disk.taken();
    mock.timers.tick(500);
    assert.deepEqual(disk.taken(), ['lease']);
    recorder.drop('t1');
    mock.timers.tick(5000);
    assert.deepEqual(disk.taken(), []);
  });

  it('goes on when a write fails, reports it once, and writes all text as soon as that is possible', () => {
    const { disk, recorder, troubles } = start();
    disk.works = false;
    recorder.progress('c1', withAnswer('One'));
    mock.timers.tick(1000);
    recorder.progress('c1', withAnswer('One, two'));
    mock.timers.tick(20_000);
    assert.deepEqual([disk.taken(), troubles], [[], ['failed']]);
    disk.works = true;
    mock.timers.tick(5000);
    assert.equal(disk.taken()[0], 'One, two');
    assert.deepEqual(troubles, ['failed', undefined]);
  });

  it('writes what is pending when the window closes, and nothing after that', () => {
    const { disk, recorder } = start();
    recorder.progress('c1', withAnswer('One'));
    recorder.dispose();
    assert.equal(disk.taken()[0], 'One');
    mock.timers.tick(20_000);
    assert.deepEqual(disk.taken(), []);
  });
});
