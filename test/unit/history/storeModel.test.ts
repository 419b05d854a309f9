import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { costOf } from '../../../src/conversation/usage/cost.ts';
import { allCommands, type Model, openReal, settleAndCompare } from '../../support/store/commands.ts';
import { completeTurn } from '../conversation/turns.ts';
import { conversation, exchange, PRICES } from './support.ts';

/** The number of random sequences of commands. `RUNS=1000` is the long version. */
const RUNS = Number(process.env['RUNS'] ?? 25);

describe('Two windows on one database', () => {
  it('equal a simple model: nothing is lost or sent twice, each cost counts once, and what is deleted stays so', () => {
    fc.assert(
      fc.property(fc.commands(allCommands, { maxCommands: 40, size: 'max' }), (commands) => {
        const folder = mkdtempSync(join(tmpdir(), 'k3-model-'));
        try {
          fc.modelRun(() => begin(folder), [...commands, LAST]);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }),
      { numRuns: RUNS },
    );
  }).timeout(3_600_000);
});

const COST = costOf(completeTurn(), PRICES) ?? 0;

/** Compares at the end of each sequence. */
const LAST: fc.Command<Model, ReturnType<typeof openReal>> = {
  check: () => true,
  run: (model, real) => settleAndCompare(model, real, COST),
  toString: () => 'compare',
};

function begin(folder: string) {
  const real = openReal(folder);
  const model: Model = { conversations: new Map(), paid: new Set(), sent: new Set() };
  for (const id of ['c1', 'c2']) {
    const turn = { ...completeTurn('Before.'), id: `t-${id}` };
    const one = conversation(id, [exchange(`e-${id}`, `First of ${id}`, [turn])]);
    real.windows[0].store.put(one, `e-${id}`);
    model.conversations.set(id, {
      title: one.title,
      deleted: false,
      questions: [`First of ${id}`],
      turns: new Map([[turn.id, { text: 'Before.' }]]),
      queue: [],
    });
    model.paid.add(turn.id);
  }
  return { model, real };
}
