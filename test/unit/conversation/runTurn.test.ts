import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TurnStep } from '../../../src/conversation/events.ts';
import { createTurn } from '../../../src/conversation/fold.ts';
import { runTurn } from '../../../src/conversation/runTurn.ts';
import type { StreamEvent } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { collect, NEVER, REQUEST } from '../service/wire.ts';
import { FACTS } from './turns.ts';

/** Runs a turn with a client that streams these events, and then ends, throws, or waits for the abort. */
async function run(
  stream: (signal: AbortSignal) => AsyncIterable<StreamEvent>,
  signal = NEVER,
): Promise<TurnStep[]> {
  let clock = 100;
  return collect(
    runTurn(
      { client: { stream: (_, given) => stream(given) }, now: () => clock++ },
      createTurn('t', 0, FACTS),
      REQUEST,
      signal,
    ),
  );
}

describe('Running a turn', () => {
  it('yields the turn after each event, with the time since its start, and one end', async () => {
    const steps = await run(async function* () {
      yield { type: 'try', tries: 1 };
      yield { type: 'connected' };
    });
    assert.deepEqual(
      steps.map(({ turn }) => [turn.phase, turn.timings.lastLife, turn.outcome]),
      [
        ['connecting', 1, undefined],
        ['first-byte', 2, undefined],
        ['ended', 2, 'interrupted'],
      ],
    );
    assert.equal(steps.at(-1)?.turn.timings.ended, 3);
    for (const [index, { before }] of steps.entries())
      if (index > 0) assert.equal(before, steps[index - 1]?.turn);
  });

  it('never throws: an error ends the turn, as plain data', async () => {
    const thrown: readonly (readonly [unknown, string])[] = [
      [new ServiceError('no-balance', { status: 429 }), 'no-balance'],
      [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'unreachable'],
      ['a string', 'connection-lost'],
      [undefined, 'connection-lost'],
    ];
    for (const [error, kind] of thrown) {
      const steps = await run(async function* () {
        yield { type: 'try', tries: 1 };
        throw error;
      });
      const end = steps.at(-1)?.turn;
      assert.equal(end?.phase, 'ended');
      assert.equal(end?.failure?.kind, kind);
      assert.equal(end?.failure instanceof Error, false);
    }
  });

  it('ends as stopped by the user if the signal aborts, whatever the client throws then', async () => {
    for (const error of [new Error('aborted'), new ServiceError('connection-lost')]) {
      const reader = new AbortController();
      const steps = await run(async function* () {
        yield { type: 'connected' };
        reader.abort();
        throw error;
      }, reader.signal);
      assert.equal(steps.at(-1)?.turn.outcome, 'stopped');
    }
  });

  it('ends exactly once', async () => {
    const steps = await run(async function* () {
      yield { type: 'done' };
    });
    assert.equal(steps.filter(({ turn }) => turn.outcome !== undefined).length, 1);
  });
});
