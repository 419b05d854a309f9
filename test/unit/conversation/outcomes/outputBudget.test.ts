import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isBelowBudget, toHelpfulBudget } from '../../../../src/conversation/outcomes/outputBudget.ts';
import type { RequestFacts } from '../../../../src/conversation/requestFacts.ts';
import { answer, finish, SERVICE_ENDED, turnOf, usage } from '../turns.ts';

/** An answer that was cut off after so many tokens. */
const cutAfter = (completionTokens: number | undefined, facts: Partial<RequestFacts>) =>
  turnOf([answer('a'), finish('length'), usage({ totalTokens: 9, completionTokens }), SERVICE_ENDED], facts);

describe('A larger budget', () => {
  const larger = (maxCompletionTokens: number | undefined) =>
    toHelpfulBudget(cutAfter(maxCompletionTokens ?? 131_072, { maxCompletionTokens }));

  it('F1 is the default below the default, otherwise twice the budget, and never above the ceiling', () => {
    assert.equal(larger(undefined), 262_144);
    assert.equal(larger(128), 'default');
    assert.equal(larger(131_072), 262_144);
    assert.equal(larger(900_000), 1_048_576);
    assert.equal(larger(1_048_576), undefined);
  });

  it('F1 F2 helps only if the budget that was sent was used up', () => {
    const budgetAfter = (tokens: number | undefined) =>
      toHelpfulBudget(cutAfter(tokens, { maxCompletionTokens: 200_000 }));
    assert.equal(budgetAfter(8192), undefined);
    assert.equal(budgetAfter(199_000), 400_000);
    assert.equal(budgetAfter(undefined), 400_000, 'not reported');
  });

  it('helps where no budget was sent, because the default of a route can be smaller than the documented one', () => {
    const cut = cutAfter(4096, {});
    assert.equal(isBelowBudget(cut), true);
    assert.equal(toHelpfulBudget(cut), 262_144);
  });

  it('does not help on a route that refuses the ceiling, where it would be the ceiling', () => {
    for (const facts of [{ leftOut: ['ceiling'] }, { refusesCeiling: true }] as const) {
      const after = (maxCompletionTokens: number | undefined) =>
        toHelpfulBudget(cutAfter(maxCompletionTokens ?? 131_072, { maxCompletionTokens, ...facts }));
      assert.deepEqual([524_288, 600_000, 1_000_000].map(after), [undefined, undefined, undefined]);
      assert.deepEqual([undefined, 128, 400_000].map(after), [262_144, 'default', 800_000]);
    }
  });
});
