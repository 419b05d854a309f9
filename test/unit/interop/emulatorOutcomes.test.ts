/** What the reader is told in the scenarios of the emulator: the outcome, the card, its button, and the problem. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { type Emulator, startEmulator } from '../../../src/emulator/server.ts';
import { OUTCOMES } from '../../support/emulatorOutcomes.ts';
import { toShownTurn } from '../../support/shownTurn.ts';
import { askTurn } from './askTurn.ts';

const KEY = 'key-for-this-test';

for (const kind of ['direct', 'gateway'] as const)
  describe(`What is told about a turn in a scenario, on the route “${kind}”`, () => {
    let emulator: Emulator;
    before(async () => {
      emulator = await startEmulator({ port: 0, route: kind, key: KEY, tokensPerSecond: Infinity });
    });
    after(() => emulator.close());

    for (const { scenario, outcome, card, button, problem } of OUTCOMES)
      it(`${scenario}: ${outcome}`, async () => {
        const { turn } = await askTurn({
          url: `${emulator.url}/s/${scenario}`,
          key: KEY,
          kind,
          messages: `What about ${scenario}?`,
          ...(outcome === 'stalled' && { limits: { answering: 100 } }),
        });
        const shown = toShownTurn(turn);
        assert.equal(shown.outcome, outcome, JSON.stringify(turn.failure));
        if (card !== undefined) assert.match(shown.card, card);
        if (button !== undefined) assert.ok(shown.buttons.includes(button), shown.buttons.join());
        if (problem !== undefined) assert.ok(shown.problems.includes(problem), shown.problems.join());
      });
  });
