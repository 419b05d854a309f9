import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { totalUsageOf } from '../../../src/conversation/rounds.ts';
import { chunk, finish, SOME_USAGE, turnOf, usage } from './turns.ts';

describe('What a response says twice', () => {
  it('R1 keeps the first id', () => {
    const turn = turnOf([chunk({ id: 'a' }), chunk({ id: 'b' }), chunk({ id: undefined })]);
    assert.equal(turn.responseId, 'a');
  });

  it('R2 keeps the model that was not asked for, wherever in the stream it is named', () => {
    for (const [models, kept] of [
      [['svc-k3', undefined, 'x'], 'x'],
      [['x', undefined, 'svc-k3'], 'x'],
      [['svc-k3', 'x', 'svc-k3'], 'x'],
      [['x', 'y'], 'x'],
      [['svc-k3', undefined], 'svc-k3'],
    ] as const)
      assert.equal(turnOf(models.map((model) => chunk({ model }))).responseModel, kept, models.join());
  });

  it('R5 keeps a finish reason that says more than what comes after it', () => {
    for (const [reasons, kept] of [
      [['length', 'stop'], 'length'],
      [['content_filter', 'stop'], 'content_filter'],
      [['tool_calls', 'stop'], 'tool_calls'],
      [['error', 'stop'], 'error'],
      [['null', 'null', 'stop'], 'stop'],
      [['length', 'tool_calls'], 'length'],
      [['content_filter', 'tool_calls'], 'content_filter'],
      [['error', 'tool_calls'], 'error'],
      [['length', 'eos'], 'length'],
      [['length', 'null', 'null'], 'length'],
      [['content_filter', 'done', 'stop'], 'content_filter'],
      [['error', 'eos'], 'error'],
      [['length', 'content_filter'], 'content_filter'],
      [['tool_calls', 'eos'], 'eos'],
      [['stop', 'length'], 'length'],
      [['stop', 'tool_calls'], 'tool_calls'],
      [['tool_calls', 'length'], 'length'],
    ] as const)
      assert.equal(turnOf(reasons.map(finish)).finishReason, kept, reasons.join());
  });

  it('R6 counts usage once if it is reported in the choice and again: the last number wins', () => {
    const turn = turnOf([
      usage({ promptTokens: 10, totalTokens: 15, cachedTokens: 3 }),
      usage({ promptTokens: 12, totalTokens: 17 }),
    ]);
    assert.equal(turn.usage?.promptTokens, 12);
    assert.equal(turn.usage.totalTokens, 17);
    assert.equal(turn.usage.cachedTokens, 3);
  });

  it('R6 keeps cached tokens and reasoning tokens if a later report has a 0 for them', () => {
    const known = usage({ ...SOME_USAGE, completionTokens: 1, totalTokens: 2001 });
    const { usage: merged } = turnOf([known, usage({ ...SOME_USAGE, reasoningTokens: 0, cachedTokens: 0 })]);
    assert.deepEqual(merged, SOME_USAGE);
    const none = { reasoningTokens: 0, cachedTokens: 0 };
    for (const first of [none, {}]) {
      const turn = turnOf([usage({ promptTokens: 2000, ...first }), usage({ ...SOME_USAGE, ...none })]);
      assert.deepEqual([turn.usage?.reasoningTokens, turn.usage?.cachedTokens], [0, 0]);
    }
  });

  it('R6 keeps usage if zeros are reported after it, which say nothing (F6)', () => {
    const zeros = {
      promptTokens: 0,
      completionTokens: 0,
      totalTokens: 0,
      reasoningTokens: 0,
      cachedTokens: 0,
    };
    assert.deepEqual(turnOf([usage(), usage(zeros)]).usage, SOME_USAGE);
    assert.deepEqual(turnOf([usage(zeros), usage()]).usage, SOME_USAGE);
    assert.equal(turnOf([usage(zeros)]).usage?.totalTokens, 0);
  });

  it('R6 F6 adds up what a service reports in parts whose total it reports first', () => {
    const parts = [
      usage({ promptTokens: 25, completionTokens: 1, totalTokens: 26 }),
      usage({ promptTokens: undefined, completionTokens: 15, totalTokens: undefined }),
    ];
    assert.equal(turnOf(parts).usage?.totalTokens, 40);
  });

  it('Q10 R6 keeps the input if a later report has only output, with a total that is not more', () => {
    const early = usage({ promptTokens: 2000, completionTokens: 1, totalTokens: 2001 });
    for (const promptTokens of [undefined, 0])
      for (const totalTokens of [undefined, 0, 50, 2050]) {
        const turn = turnOf([early, usage({ promptTokens, completionTokens: 50, totalTokens })]);
        const { usage: known } = turn;
        assert.deepEqual(
          [known?.promptTokens, known?.completionTokens, known?.totalTokens],
          [2000, 50, 2050],
          `${promptTokens} ${totalTokens}`,
        );
      }
  });

  it('R6 drops the total of an earlier report if a later one has other figures and no total', () => {
    const early = usage({ promptTokens: 100, completionTokens: 1, totalTokens: 101 });
    const turn = turnOf([early, usage({ promptTokens: 100, completionTokens: 50 })]);
    assert.equal(totalUsageOf(turn)?.totalTokens, 150);
    assert.equal(turnOf([early, usage({ cachedTokens: 64 })]).usage?.totalTokens, 101);
  });

  it('R6 has the output of a later report that has a total only, and never less than is known', () => {
    const early = usage({ promptTokens: 100, completionTokens: 20, totalTokens: 120 });
    for (const [totalTokens, output] of [
      [120, 20],
      [150, 50],
      [110, 20],
      [50, 20],
    ] as const)
      assert.equal(turnOf([early, usage({ totalTokens })]).usage?.completionTokens, output, `${totalTokens}`);
    assert.equal(totalUsageOf(turnOf([early, usage({ totalTokens: 110 })]))?.totalTokens, 120);
  });
});
