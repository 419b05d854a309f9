import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createRoundCap, type Spending } from '../../../src/chat/roundCap.ts';
import { toRound } from '../../../src/chat/rounds.ts';
import type { Turn } from '../../../src/chat/turn.ts';
import { completeTurn } from './turns.ts';

/** A dollar a token, to count with. */
const PRICES = { input: 1_000_000, cachedInput: 1_000_000, output: 1_000_000 };

/** A turn after so many rounds, each of which cost 10 and gave 2 tokens of output. */
function after(rounds: number): Turn {
  const usage = {
    promptTokens: 8,
    completionTokens: 2,
    totalTokens: 10,
    reasoningTokens: 0,
    cachedTokens: 0,
  };
  const round = { ...toRound(completeTurn(''), [], 1), usage };
  return { ...completeTurn(''), usage: undefined, rounds: Array.from({ length: rounds }, () => round) };
}

function capOf(agreed: boolean, answer: boolean) {
  const asked: Spending[] = [];
  const mayGoOn = createRoundCap({
    dailyCap: 40,
    prices: PRICES,
    spentBefore: 5,
    agreed,
    ask: async (spending) => {
      asked.push(spending);
      return answer;
    },
  });
  return { asked, mayGoOn };
}

describe('The cap of the day inside a turn', () => {
  it('asks nothing while there is room for the next request', async () => {
    const { asked, mayGoOn } = capOf(false, false);
    assert.equal(await mayGoOn(after(1)), true);
    assert.equal(await mayGoOn(after(2)), true);
    assert.deepEqual(asked, []);
  });

  it('asks before a request would go past it, with what is spent', async () => {
    const { asked, mayGoOn } = capOf(false, false);
    assert.equal(await mayGoOn(after(3)), false);
    assert.deepEqual(asked, [{ cap: 40, spent: 35, inputCost: 10 }]);
  });

  it('gives room for as much again when the reader agrees, now or with the question', async () => {
    const now = capOf(false, true);
    for (const rounds of [3, 4, 5]) assert.equal(await now.mayGoOn(after(rounds)), true);
    assert.equal(now.asked.length, 1);
    const before = capOf(true, false);
    assert.equal(await before.mayGoOn(after(3)), true);
    assert.deepEqual(before.asked, []);
  });
});
