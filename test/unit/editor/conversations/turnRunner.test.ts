import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { TurnStep } from '../../../../src/conversation/events.ts';
import { createConversationEdits } from '../../../../src/editor/conversations/conversationEdits.ts';
import { createTurnRunner } from '../../../../src/editor/conversations/turnRunner.ts';
import type { TurnControl } from '../../../../src/requests/runToEnd.ts';
import { createDeferred } from '../../../../src/service/deferred.ts';
import { completeTurn, turnOf } from '../../conversation/turns.ts';
import { halfTurn, makeFolder, open, storeOn, withTurn } from '../../history/support.ts';

const END: TurnStep = {
  before: turnOf([]),
  turn: completeTurn(),
  appended: { reasoning: '', answer: '' },
};

describe('A turn in a conversation', () => {
  let lines: string[];
  let released: string[];
  let elsewhere: boolean;
  let freeAtEnd: boolean;
  let freed: string[];
  let written: () => void;
  beforeEach(() => {
    lines = [];
    released = [];
    elsewhere = false;
    freeAtEnd = false;
    freed = [];
    written = () => undefined;
  });

  const create = () => {
    const runner = createTurnRunner({
      log: { warn: (line) => void lines.push(line) },
      store: {
        take: (conversationId) => (elsewhere ? { conversationId, place: 'a window' } : undefined),
        renew: (conversationId) => (elsewhere ? { conversationId, place: 'a window' } : undefined),
        release: (conversationId) => void released.push(conversationId),
      },
      onTurn: () => {
        freeAtEnd = !runner.isRunning('c1');
        written();
      },
      onFree: (conversationId) => void freed.push(conversationId),
    });
    return runner;
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('is the only one in its conversation, and ends the reservation when it ends', async () => {
    const runner = create();
    assert.equal(runner.take('c1'), undefined);
    assert.deepEqual(runner.take('c1'), { ok: false, refusal: { kind: 'running' } });
    let control: TurnControl | undefined;
    const ended = createDeferred<typeof END.turn>();
    runner.start('c1', 'e1', {
      run(given) {
        control = given;
        return ended.promise;
      },
    });
    control?.onStep(END);
    assert.ok(freeAtEnd);
    assert.equal(runner.take('c1'), undefined);
    ended.resolve(END.turn);
    await settled();
    // The next turn has reserved it already.
    assert.ok(runner.isRunning('c1'));
    assert.deepEqual([released, freed], [['c1'], []]);
  });

  it('keeps the reservation against other windows until its end is written', () => {
    const runner = create();
    runner.take('c1');
    let atEnd: readonly string[] = ['the end is not told'];
    written = () => {
      atEnd = [...released];
    };
    runner.start('c1', 'e1', {
      run({ onStep }) {
        onStep(END);
        return new Promise(() => undefined);
      },
    });
    assert.deepEqual([atEnd, released], [[], ['c1']]);
  });

  it('is complete in another window that looks while its end is written', async () => {
    const folder = await makeFolder();
    const [there, real] = [storeOn(open(folder)), open(folder)];
    const here = storeOn({
      ...real,
      finish(...about) {
        there.poll();
        assert.equal(there.get('c1')?.exchanges.length, 1);
        real.finish(...about);
      },
    });
    const edits = createConversationEdits({ store: here, untitled: '', fire: () => undefined });
    const runner = createTurnRunner({
      log: { warn: assert.fail },
      store: here,
      onTurn: edits.putTurn,
      onFree: () => undefined,
    });
    runner.take('c1');
    here.put(withTurn(halfTurn()), 'e1');
    there.get('c1');
    const ended = { ...completeTurn(), id: halfTurn().id };
    runner.start('c1', 'e1', {
      async run({ onStep }) {
        onStep({ before: halfTurn(), turn: ended, appended: { reasoning: '', answer: '' } });
        return ended;
      },
    });
    there.poll();
    assert.equal(there.get('c1')?.exchanges[0]?.attempts[0]?.outcome, 'complete');
    assert.equal(there.holder('c1'), undefined);
  });

  it('tells when its conversation is free again though it never started', () => {
    const runner = create();
    runner.take('c1');
    runner.release('c1');
    assert.deepEqual([released, freed, runner.isRunning('c1')], [['c1'], ['c1'], false]);
  });

  it('ends the reservation and logs the error when it fails', async () => {
    const runner = create();
    runner.take('c1');
    runner.start('c1', 'e1', { run: () => Promise.reject(new Error('broken by the test')) });
    await settled();
    assert.equal(runner.isRunning('c1'), false);
    assert.deepEqual([released, freed], [['c1'], ['c1']]);
    assert.match(lines.join('\n'), /broken by the test/);
  });

  it('can be stopped, and so can one of its tool calls', () => {
    const runner = create();
    runner.take('c1');
    let control: TurnControl | undefined;
    runner.start('c1', 'e1', {
      run(given) {
        control = given;
        return new Promise(() => undefined);
      },
    });
    const call = control?.stopOf?.('a');
    runner.stopCall('c1', 'a');
    assert.deepEqual([call?.aborted, control?.signal.aborted], [true, false]);
    runner.stop('c1');
    assert.ok(control?.signal.aborted);
  });

  it('is refused when another window reserved the conversation, also while the user was asked', () => {
    const refused = { ok: false, refusal: { kind: 'elsewhere', place: 'a window' } } as const;
    const runner = create();
    assert.equal(runner.take('c1'), undefined);
    elsewhere = true;
    assert.deepEqual(runner.renew('c1'), refused);
    assert.deepEqual(runner.take('c2'), refused);
  });

  it('is refused when the extension is being stopped', () => {
    const runner = create();
    runner.dispose();
    assert.deepEqual(runner.take('c1'), { ok: false, refusal: { kind: 'stopped' } });
  });

  it('can be stopped before it starts', () => {
    const runner = create();
    assert.equal(runner.take('c1'), undefined);
    const signal = runner.signalOf('c1');
    assert.equal(signal.aborted, false);
    runner.stop('c1');
    assert.ok(signal.aborted);
  });
});
