import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createTurn, foldTurn } from '../../../../src/conversation/fold.ts';
import { toReasoningFacts, toStepFacts, toStepText } from '../../../../src/conversation/reasoning/steps.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import type { Chunk, Usage } from '../../../../src/service/types.ts';
import { CHUNK, FACTS, reasoning, turnOf } from '../turns.ts';

const AT_WORK = { ...FACTS, routeName: 'work' };

const USAGE: Usage = {
  promptTokens: 10,
  completionTokens: 130,
  totalTokens: 140,
  reasoningTokens: 100,
  cachedTokens: 0,
};

function reason(turn: Turn, at: number, text: string): Turn {
  const chunk: Chunk = { ...CHUNK, reasoning: { name: 'reasoning_content', text } };
  return foldTurn(turn, { at, event: { type: 'chunk', chunk } });
}

function thinking(): Turn {
  let turn = createTurn('t', 0, AT_WORK);
  turn = reason(turn, 1000, 'The parser fails on empty input.\nIt is in src/parse.ts:12\n');
  turn = reason(turn, 4000, '\nA guard at the top would do.\n\n- or a default\n');
  return reason(turn, 6000, '\nSo I write the guard');
}

function answered(turn: Turn, usage: Usage | undefined): Turn {
  const chunk: Chunk = { ...CHUNK, answer: 'Done.', finishReason: 'stop', usage };
  const done = foldTurn(turn, { at: 9000, event: { type: 'chunk', chunk } });
  return foldTurn(done, { at: 9500, event: { type: 'ended', by: 'service', failure: undefined } });
}

describe('The time of reasoning', () => {
  const all: Chunk = {
    ...CHUNK,
    reasoning: { name: 'reasoning_content', text: 'Hm.' },
    answer: 'Done.',
    finishReason: 'stop',
  };

  it('is what the user waited if the reasoning arrived at once with the answer', () => {
    const turn = foldTurn(createTurn('t', 0, AT_WORK), { at: 1200, event: { type: 'chunk', chunk: all } });
    assert.equal(toReasoningFacts(turn).ms, 1200);
  });

  it('says nothing when all of it was there at once, with the answer', () => {
    const turn = foldTurn(createTurn('t', 0, AT_WORK), { at: 20, event: { type: 'chunk', chunk: all } });
    assert.equal(toReasoningFacts(turn).ms, undefined);
  });

  it('is counted from its first text otherwise', () => {
    assert.equal(
      toReasoningFacts(reason(createTurn('t', 0, AT_WORK), 1200, 'Hm.')).ms,
      0,
      'while it arrives',
    );
    assert.equal(toReasoningFacts(answered(thinking(), USAGE)).ms, 8000);
  });
});

describe('The steps of a turn', () => {
  it('last until the next one starts', () => {
    assert.deepEqual(
      toStepFacts(answered(reason(thinking(), 8000, ' at the top.'), USAGE)).map(({ ms }) => ms),
      [3000, 2000, 2000],
    );
  });

  it('end with their round, so that tools that run before the next one don’t count', () => {
    const calling = foldTurn(thinking(), {
      at: 7000,
      event: { type: 'chunk', chunk: { ...CHUNK, finishReason: 'tool_calls' } },
    });
    const ran = foldTurn(calling, { at: 7500, event: { type: 'round-ended', calls: [] } });
    const begun = foldTurn(ran, { at: 20_000, event: { type: 'round-begun', added: '' } });
    const turn = answered(reason(reason(begun, 20_500, 'It is the guard.\n'), 20_900, '\nSo be it.'), USAGE);
    assert.deepEqual(
      toStepFacts(turn).map(({ ms }) => ms),
      [3000, 2000, 1500, 400, undefined],
    );
  });

  it('have no duration when it would be shown as 0 seconds: it says nothing', () => {
    const turn = reason(reason(thinking(), 6049, ' at the top.\n'), 6060, '\nThat is all.\n');
    assert.deepEqual(
      toStepFacts(reason(turn, 6110, 'Really.')).map(({ ms }) => ms),
      [3000, 2000, 60, 50],
    );
    assert.deepEqual(
      toStepFacts(thinking()).map(({ ms }) => ms),
      [3000, 2000, undefined],
    );
  });

  it('have tokens whose sum is the reported number', () => {
    const tokens = toStepFacts(answered(thinking(), USAGE)).map((facts) => facts.tokens);
    const sum = tokens.reduce((total, one) => total + one, 0);
    assert.equal(sum, 100, String(tokens));
  });

  it('have the text from their line to the line of the next step', () => {
    const turn = thinking();
    assert.equal(toStepText(turn, 0, 1000), 'The parser fails on empty input.\nIt is in src/parse.ts:12');
    assert.equal(toStepText(turn, 1, 1000), 'A guard at the top would do.\n\n- or a default');
    assert.equal(toStepText(turn, 2, 1000), 'So I write the guard');
    assert.equal(toStepText(turn, 3, 1000), '');
  });

  it('have their text also after a line of one character', () => {
    const turn = reason(createTurn('t', 0, AT_WORK), 1000, 'A\n\nThe guard goes to the top.\n');
    const texts = toStepFacts(turn).map((_, index) => toStepText(turn, index, 1000));
    assert.equal(texts.at(-1), 'The guard goes to the top.');
  });

  it('have their text cut at the limit', () => {
    assert.equal(toStepText(thinking(), 0, 11), 'The parser…');
    const turn = turnOf([reasoning('Herons 🐦🐦🐦')]);
    assert.deepEqual(
      [9, 10, 11].map((longest) => toStepText(turn, 0, longest)),
      ['Herons…', 'Herons 🐦…', 'Herons 🐦…'],
    );
  });
});

describe('The reasoning of a turn', () => {
  it('is estimated while it runs, and lasts until its last progress', () => {
    const facts = toReasoningFacts(thinking());
    assert.equal(facts.estimated, true);
    assert.equal(facts.ms, 5000);
    assert.ok((facts.tokens ?? 0) > 10);
  });

  it('has the reported tokens, and ends with the first answer text', () => {
    const facts = toReasoningFacts(answered(thinking(), USAGE));
    assert.deepEqual(facts, { tokens: 100, estimated: false, ms: 8000 });
  });

  it('has the reported tokens also if it is a single one', () => {
    const { tokens, estimated } = toReasoningFacts(answered(thinking(), { ...USAGE, reasoningTokens: 1 }));
    assert.deepEqual([tokens, estimated], [1, false]);
  });

  it('stays estimated if the service reports none or zero although there is text', () => {
    for (const usage of [
      undefined,
      { ...USAGE, reasoningTokens: 0 },
      { ...USAGE, reasoningTokens: undefined },
    ]) {
      const facts = toReasoningFacts(answered(thinking(), usage));
      assert.ok(facts.estimated && (facts.tokens ?? 0) > 0);
    }
  });

  it('is undefined before there is any', () => {
    assert.deepEqual(toReasoningFacts(createTurn('t', 0, AT_WORK)), {
      tokens: undefined,
      estimated: true,
      ms: undefined,
    });
  });

  /** The user stops the second request, whose usage is never reported. */
  function stoppedBehindTools(): Turn {
    const called: Chunk = { ...CHUNK, finishReason: 'tool_calls', usage: USAGE };
    const calling = foldTurn(thinking(), { at: 7000, event: { type: 'chunk', chunk: called } });
    const ran = foldTurn(calling, { at: 7500, event: { type: 'round-ended', calls: [] } });
    const tried = foldTurn(ran, { at: 8000, event: { type: 'try', tries: 1 } });
    const more = reason(tried, 9000, `It is the guard. ${'Still, it is. '.repeat(100)}`);
    return foldTurn(more, { at: 9500, event: { type: 'ended', by: 'user', failure: undefined } });
  }

  it('is estimated if that of a later request wasn’t reported, and its steps have what is theirs', () => {
    const turn = stoppedBehindTools();
    const { tokens = 0, estimated } = toReasoningFacts(turn);
    assert.ok(estimated && tokens > 400, String(tokens));
    const steps = toStepFacts(turn).map((facts) => facts.tokens);
    assert.equal(
      steps.slice(0, 3).reduce((sum, one) => sum + one, 0),
      100,
      'as reported',
    );
    assert.equal(steps[3], tokens - 100);
  });
});
