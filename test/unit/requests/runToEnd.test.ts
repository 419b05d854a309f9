import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createTurn } from '../../../src/conversation/fold.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { runToEnd } from '../../../src/requests/runToEnd.ts';
import { DEFAULT_PRICES } from '../../../src/service/limits.ts';
import { answer, DONE, FACTS, finish, usage } from '../conversation/turns.ts';
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
});
