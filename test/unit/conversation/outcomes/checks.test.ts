import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toChecks } from '../../../../src/conversation/outcomes/checks.ts';
import type { RequestFacts } from '../../../../src/conversation/requestFacts.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import { answer, chunk, completeTurn, finish, SERVICE_ENDED, turnOf, usage } from '../turns.ts';

const check = (turn: Turn, name: string) => toChecks(turn).find((one) => one.name === name);
const withFacts = (facts: Partial<RequestFacts>, completionTokens = 50) =>
  turnOf([answer('a'), finish('stop'), usage({ totalTokens: 60, completionTokens }), SERVICE_ENDED], facts);

describe('Response checks', () => {
  it('all pass for a complete turn without problems', () => {
    assert.deepEqual(toChecks(completeTurn()), [
      { name: 'model', passed: true, value: 'svc-k3' },
      { name: 'finish', passed: true, value: 'stop' },
      { name: 'content', passed: true, value: '8' },
      { name: 'usage', passed: true, value: '2050' },
    ]);
  });

  it('R2 F5 fail for the model if another or no model answered', () => {
    assert.deepEqual(check(turnOf([chunk({ model: 'cheaper' })]), 'model'), {
      name: 'model',
      passed: false,
      value: 'cheaper',
    });
    assert.equal(check(turnOf([chunk({ model: undefined })]), 'model')?.passed, false);
    assert.equal(check(turnOf([chunk({ model: 'mine' })], { model: 'mine' }), 'model')?.passed, true);
  });

  it('R5 pass for the finish reason only if it is stop or tool_calls', () => {
    for (const [reason, passed] of [
      ['stop', true],
      ['tool_calls', true],
      ['length', false],
      ['eos', false],
    ] as const) {
      assert.deepEqual(check(turnOf([finish(reason)]), 'finish'), { name: 'finish', passed, value: reason });
    }
    assert.equal(check(turnOf([answer('a')]), 'finish')?.passed, false);
  });

  it('R3 fail for the content if it is empty or blank, unless tools were called', () => {
    assert.equal(check(turnOf([finish('stop')]), 'content')?.passed, false);
    assert.equal(check(turnOf([answer(' \n')]), 'content')?.passed, false);
    const call = { index: 0, id: 'a', name: 'f', arguments: '' };
    assert.equal(check(turnOf([chunk({ toolCalls: [call] })]), 'content')?.passed, true);
  });

  it('F6 fail for the usage if it is missing or zero', () => {
    assert.deepEqual(check(turnOf([answer('a')]), 'usage'), {
      name: 'usage',
      passed: false,
      value: undefined,
    });
    const partial = usage({ promptTokens: 20, completionTokens: 5, totalTokens: 0 });
    assert.deepEqual(check(turnOf([answer('a'), partial]), 'usage'), {
      name: 'usage',
      passed: false,
      value: undefined,
    });
    assert.deepEqual(check(turnOf([usage({ totalTokens: 0 })]), 'usage'), {
      name: 'usage',
      passed: false,
      value: '0',
    });
  });

  it('include parameters only if one was set', () => {
    assert.equal(check(completeTurn(), 'parameters'), undefined);
    assert.equal(check(withFacts({ effort: 'max' }), 'parameters'), undefined);
    assert.equal(check(withFacts({ maxCompletionTokens: 131_072 }), 'parameters'), undefined);
  });

  it('Q15 F3 neither pass nor fail for an effort below the highest, until a probe has seen that it works', () => {
    for (const effort of ['low', 'high'] as const)
      assert.deepEqual(check(withFacts({ effort }), 'parameters'), {
        name: 'parameters',
        passed: undefined,
        value: `reasoning_effort ${effort}`,
      });
    assert.equal(check(withFacts({ effort: 'low', effortWorks: true }), 'parameters'), undefined);
    assert.equal(
      check(withFacts({ effort: 'low', maxCompletionTokens: 100 }), 'parameters')?.passed,
      undefined,
    );
    assert.equal(check(withFacts({ effort: 'low', maxCompletionTokens: 49 }), 'parameters')?.passed, false);
  });

  it('Q8 compare the budget with the output tokens', () => {
    assert.equal(check(withFacts({ maxCompletionTokens: 100 }), 'parameters')?.passed, true);
    assert.equal(check(withFacts({ maxCompletionTokens: 49 }), 'parameters')?.passed, false);
    assert.equal(
      check(withFacts({ maxCompletionTokens: 1_048_576, clampedFrom: 2e6 }), 'parameters')?.passed,
      false,
    );
  });
});
