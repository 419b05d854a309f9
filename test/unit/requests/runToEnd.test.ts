import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { describe, it } from 'mocha';
import { createTurn } from '../../../src/conversation/fold.ts';
import { toRound } from '../../../src/conversation/rounds.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { costOf } from '../../../src/conversation/usage/cost.ts';
import { countedAt } from '../../../src/history/spendWriting.ts';
import { runToEnd } from '../../../src/requests/runToEnd.ts';
import { untilAborted } from '../../../src/service/abort.ts';
import type { StreamEvent } from '../../../src/service/client.ts';
import { createDeferred } from '../../../src/service/deferred.ts';
import { DEFAULT_PRICES } from '../../../src/service/prices.ts';
import { answer, completeTurn, DONE, FACTS, finish, usage } from '../conversation/turns.ts';
import { NEVER } from '../service/wire.ts';

describe('A turn that is run to its end', () => {
  it('has failed, is recorded, and is in the log, when something breaks on the way', async () => {
    const recorded: Turn[] = [];
    const steps: Turn[] = [];
    const warnings: string[] = [];
    let running = 1;
    const turn = await runToEnd(
      {
        client: {
          async *stream() {
            yield answer('Because');
            yield usage();
            yield finish('stop');
            yield DONE;
          },
        },
        mayContinue: async () => true,
        prices: DEFAULT_PRICES,
        spending: {
          putRunning: () => assert.fail('No space is left.'),
          dropRunning: () => running--,
        },
        running: new Set(),
        log: { info: () => undefined, warn: (line) => warnings.push(line) },
      },
      {
        asker: 'conversation',
        initialTurn: createTurn('t1', 0, FACTS),
        request: { model: 'svc-k3', messages: [], stream: true, stream_options: { include_usage: true } },
        record: (ended) => recorded.push(ended),
      },
      { signal: NEVER, onStep: (step) => steps.push(step.turn) },
    );
    assert.deepEqual([turn.outcome, turn.answer, running], ['failed', 'Because', 0]);
    assert.deepEqual([recorded, steps.at(-1)], [[turn], turn]);
    assert.deepEqual(warnings, ['turn t1 broke: AssertionError [ERR_ASSERTION]: No space is left.']);
  });

  it('Q10 keeps the estimate of a request of which only a total is reported', async () => {
    const costs: (number | undefined)[] = [];
    const run = (...reports: readonly StreamEvent[]) =>
      runToEnd(
        {
          client: {
            async *stream() {
              yield* [
                { type: 'try', tries: 1 } as const,
                answer('Because'),
                ...reports,
                finish('stop'),
                DONE,
              ];
            },
          },
          mayContinue: async () => true,
          prices: DEFAULT_PRICES,
          spending: { putRunning: (_, cost) => costs.push(cost), dropRunning: () => undefined },
          running: new Set(),
          log: { info: () => undefined, warn: assert.fail },
        },
        {
          asker: 'conversation',
          initialTurn: { ...createTurn('t1', 0, FACTS), rounds: [toRound(completeTurn(), [], 0)] },
          request: { model: 'svc-k3', messages: [], stream: true, stream_options: { include_usage: true } },
          record: () => undefined,
        },
        { signal: NEVER, onStep: () => undefined },
      );
    await run(usage({ totalTokens: 500 }));
    assert.deepEqual(costs.splice(0), [undefined]);
    const input = { promptTokens: 1000, completionTokens: 0, totalTokens: 1000 };
    await run(usage(input));
    const before = costOf(completeTurn(), DEFAULT_PRICES) ?? 0;
    assert.deepEqual(costs, [before + 0.003]);
  });

  it('ends at once, is recorded once, and reports nothing afterwards, when its window closes', async () => {
    const seen: string[] = [];
    const running = new Set<() => void>();
    const asked = createDeferred<AbortSignal>();
    const run = runToEnd(
      {
        client: {
          async *stream(_request, signal) {
            yield answer('Because');
            yield usage();
            asked.resolve(signal);
            await untilAborted(new Promise(() => undefined), signal);
            yield answer(' nobody reads it');
          },
        },
        mayContinue: async () => true,
        prices: DEFAULT_PRICES,
        running,
        spending: { putRunning: () => undefined, dropRunning: (id) => void seen.push(`dropped ${id}`) },
        log: { info: (line) => seen.push(line.replace(/ in .*/, '')), warn: (line) => seen.push(line) },
      },
      {
        asker: 'conversation',
        initialTurn: createTurn('t1', 0, FACTS),
        request: { model: 'svc-k3', messages: [], stream: true, stream_options: { include_usage: true } },
        record: ({ outcome, usage: billed }) => seen.push(`recorded ${outcome}, ${billed?.totalTokens}`),
      },
      {
        signal: NEVER,
        onStep: ({ turn }) => turn.outcome !== undefined && seen.push(`${turn.outcome}: ${turn.answer}`),
      },
    );
    const signal = await asked.promise;
    for (const end of running) end();
    const known = [...seen];
    assert.deepEqual(known.slice(0, 3), ['interrupted: Because', 'recorded interrupted, 2050', 'dropped t1']);
    assert.equal(known.length, 4, 'the turn is in the log');
    assert.deepEqual([signal.aborted, running.size], [true, 0]);
    const turn = await run;
    assert.deepEqual([turn.outcome, turn.windowClosed, seen], ['interrupted', true, known]);
  });

  for (const [sleeps, day] of [
    ['sleeps until the next morning', 22],
    ['doesn’t sleep', 21],
  ] as const)
    it(`counts for the day on which it ended at the daily cap when the computer ${sleeps}, and keeps its own time`, async () => {
      const evening = new Date(2026, 10, 21, 23).getTime();
      mock.timers.enable({ apis: ['Date'], now: evening });
      const turn = await runToEnd(
        {
          client: {
            async *stream() {
              yield answer('Because');
              yield usage();
              mock.timers.setTime(new Date(2026, 10, day, 23, 59).getTime());
              yield finish('stop');
              yield DONE;
            },
          },
          mayContinue: async () => true,
          prices: DEFAULT_PRICES,
          running: new Set(),
          spending: { putRunning: () => undefined, dropRunning: () => undefined },
          log: { info: () => undefined, warn: assert.fail },
        },
        {
          asker: 'conversation',
          initialTurn: createTurn('t1', evening, FACTS),
          request: { model: 'svc-k3', messages: [], stream: true, stream_options: { include_usage: true } },
          record: () => undefined,
        },
        { signal: NEVER, onStep: () => undefined },
      ).finally(() => mock.timers.reset());
      assert.equal(new Date(countedAt(turn)).getDate(), day);
      assert.ok((turn.timings.ended ?? Number.NaN) < 60_000);
      assert.equal(turn.endedOn === undefined, day === 21);
    });
});
