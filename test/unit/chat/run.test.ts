import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TurnEvent } from '../../../src/chat/events.ts';
import { runTurn } from '../../../src/chat/run.ts';
import type { StreamEvent } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { collect, NEVER, REQUEST } from '../service/wire.ts';

/** Runs a turn against a client that streams these events, and then ends, throws or waits for the abort. */
async function run(
  stream: (signal: AbortSignal) => AsyncIterable<StreamEvent>,
  signal = NEVER,
): Promise<TurnEvent[]> {
  let clock = 100;
  return collect(
    runTurn({ client: { stream: (_, given) => stream(given) }, now: () => clock++ }, REQUEST, signal),
  );
}

describe('running a turn', () => {
  it('hands on what happens with the time since it began, and one end', async () => {
    const events = await run(async function* () {
      yield { type: 'try', tries: 1 };
      yield { type: 'connected' };
    });
    assert.deepEqual(events, [
      { at: 1, event: { type: 'try', tries: 1 } },
      { at: 2, event: { type: 'connected' } },
      { at: 3, event: { type: 'ended', by: 'service', failure: undefined } },
    ]);
  });

  it('never throws: an error is its end, as plain data', async () => {
    const thrown: readonly (readonly [unknown, string])[] = [
      [new ServiceError('no-balance', { status: 429 }), 'no-balance'],
      [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'unreachable'],
      ['a string', 'connection-lost'],
      [undefined, 'connection-lost'],
    ];
    for (const [error, kind] of thrown) {
      const events = await run(async function* () {
        yield { type: 'try', tries: 1 };
        throw error;
      });
      const end = events.at(-1)?.event;
      assert.ok(end?.type === 'ended');
      assert.equal(end.by, 'error');
      assert.equal(end.failure?.kind, kind);
      assert.equal(end.failure instanceof Error, false);
    }
  });

  it('ends by the reader when the signal aborts, whatever the client throws then', async () => {
    for (const error of [new Error('aborted'), new ServiceError('connection-lost')]) {
      const reader = new AbortController();
      const events = await run(async function* () {
        yield { type: 'connected' };
        reader.abort();
        throw error;
      }, reader.signal);
      assert.deepEqual(events.at(-1)?.event, { type: 'ended', by: 'reader', failure: undefined });
    }
  });

  it('has exactly one end', async () => {
    const events = await run(async function* () {
      yield { type: 'done' };
    });
    assert.equal(events.filter(({ event }) => event.type === 'ended').length, 1);
  });
});
