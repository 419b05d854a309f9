import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { RequestFacts } from '../../../../src/conversation/requestFacts.ts';
import { DEFAULT_PRICES } from '../../../../src/service/prices.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { answer, finish, SERVICE_ENDED, turnOf, usage } from '../../conversation/turns.ts';

const { nextStep, noticeText, serviceLine } = await withEditorStub(
  () => import('../../../../src/editor/cards/noticeText.ts'),
);

describe('The words of the service in Problems and notifications', () => {
  it('are the beginning of a long message, which the card has', () => {
    const line = (serviceMessage: string) =>
      serviceLine({ failure: { kind: 'invalid-request', details: { serviceMessage } } });
    assert.equal(line('No such field: x'), 'Service response: No such field: x');
    assert.ok(line('a'.repeat(1000)).endsWith('aaa'));
    const long = line(`No such field: ${'\u{1f600}'.repeat(5000)}`);
    assert.match(long, /^Service response: No such field: .*…$/u);
    assert.ok(long.length < 1100 && long.isWellFormed());
  });
});

describe('The advice about an output budget', () => {
  const turn = (facts: Partial<RequestFacts>) =>
    turnOf([answer('a'), finish('length'), usage({ totalTokens: 9, completionTokens: 7 }), SERVICE_ENDED], {
      maxCompletionTokens: 7,
      ...facts,
    });
  const step = (facts: Partial<RequestFacts>) => nextStep({ code: 'truncated' }, turn(facts));

  it('names the setting that the budget is from, which is that of a preset if it has one', () => {
    assert.equal(step({}), 'Increase k3.maxCompletionTokens or ask a smaller question.');
    assert.equal(
      step({ budgetPreset: 'Terse' }),
      'Increase k3.presets.Terse.maxCompletionTokens or ask a smaller question.',
    );
    assert.equal(step({ maxCompletionTokens: 70, budgetPreset: 'Terse' }), 'Ask a smaller question.');
  });

  it('Q8 names it, too, where the budget was above the maximum', () => {
    const text = (facts: Partial<RequestFacts>) =>
      noticeText({ code: 'budget-clamped' }, turn({ clampedFrom: 2_000_000, ...facts }), DEFAULT_PRICES);
    assert.match(text({}), /\. k3\.maxCompletionTokens is 2,000,000 tokens, but/);
    assert.match(
      text({ budgetPreset: 'Long' }),
      /\. k3\.presets\.Long\.maxCompletionTokens is 2,000,000 tokens, but/,
    );
  });
});
