import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toShownTurn } from '../../../support/shownTurn.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { answer, finish, reasoning, SERVICE_ENDED, turnOf, usage } from '../../conversation/turns.ts';

const { spentLine, spentTitle, truncatedLine } = await withEditorStub(
  () => import('../../../../src/editor/cards/truncatedBodies.ts'),
);

describe('The words about an output budget', () => {
  const turn = (text: ReturnType<typeof answer>, tokens: number, maxCompletionTokens?: number) =>
    turnOf([text, finish('length'), usage({ totalTokens: 9, completionTokens: tokens }), SERVICE_ENDED], {
      maxCompletionTokens,
    });

  it('F2 say whether it was used up, whether it was set, and that a route can have a smaller default', () => {
    const line = (tokens: number, budget?: number) => truncatedLine(turn(answer('a'), tokens, budget));
    assert.match(line(1000, 1000), /^The answer reached the output budget of 1,000 tokens\./);
    assert.match(line(300, 1000), /after 300 output tokens, below the budget of 1,000\. The text/);
    assert.match(line(300), /after 300 output tokens, below its default of 131,072\. .*smaller default/);
  });

  it('F1 don’t say that reasoning used all of a budget that it did not reach', () => {
    const words = (tokens: number, budget?: number) => {
      const spent = turn(reasoning('r'), tokens, budget);
      return `${spentTitle(spent)}: ${spentLine(spent)}`;
    };
    assert.match(
      words(1000, 1000),
      /^Reasoning used all output tokens: Reasoning used 1,000 tokens of a budget/,
    );
    assert.match(
      words(300, 1000),
      /^The service stopped during the reasoning: .* 300 reasoning tokens, below the budget of 1,000\./,
    );
    assert.match(
      words(300),
      /^Reasoning used all output tokens: .* below its default of 131,072\. .*smaller default/,
    );
  });

  it('F1 don’t say that reasoning used 0 tokens if a service doesn’t count it, as many do', () => {
    const spent = (tokens: number) =>
      turnOf(
        [
          reasoning('r'),
          finish('length'),
          usage({ promptTokens: 5, totalTokens: tokens + 5, completionTokens: tokens, reasoningTokens: 0 }),
          SERVICE_ENDED,
        ],
        { maxCompletionTokens: 1000 },
      );
    assert.match(spentLine(spent(1000)), /^Reasoning used 1,000 tokens of a budget of 1,000\./);
    assert.match(spentLine(spent(300)), /stopped after 300 reasoning tokens, below/);
    assert.deepEqual(toShownTurn(spent(1000)).facts, ['Total billed 1,005']);
  });
});
