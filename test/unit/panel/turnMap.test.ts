import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { TurnEvent } from '../../../src/conversation/events.ts';
import { createTurn, foldTurn } from '../../../src/conversation/fold.ts';
import { toStepFacts } from '../../../src/conversation/reasoning/steps.ts';
import { totalUsageOf } from '../../../src/conversation/rounds.ts';
import type { Call, Turn } from '../../../src/conversation/turn.ts';
import { toTurnMap } from '../../../src/panel/turnMap.ts';
import type { MapPart, TurnMap } from '../../../src/panel/turnMapParts.ts';
import {
  answer,
  chunk,
  DONE,
  FACTS,
  failedBy,
  finish,
  reasoning,
  SERVICE_ENDED,
  USER_ENDED,
  usage,
} from '../conversation/turns.ts';

type Timed = readonly [at: number, event: TurnEvent['event']];

const turnAt = (...events: readonly Timed[]): Turn =>
  events.reduce<Turn>(
    (turn, [at, event]) => foldTurn(turn, { at, event }),
    createTurn('t1', 1_000_000, FACTS),
  );

const CONNECTED: TurnEvent['event'] = { type: 'connected' };
const tried: TurnEvent['event'] = { type: 'try', tries: 1 };
const asks = (...names: readonly string[]) =>
  chunk({
    toolCalls: names.map((name, index) => ({
      index,
      id: `c${index}`,
      name,
      arguments: '{"path":"src/a.ts"}',
    })),
    finishReason: 'tool_calls',
  });
const call = (more: Partial<Call>): Call => ({
  index: 0,
  id: 'c0',
  name: 'read_file',
  arguments: '{"path":"src/a.ts"}',
  state: 'done',
  result: { text: 'x' },
  startedAt: undefined,
  endedAt: undefined,
  ...more,
});

const STEPS = 'First I look at the prices.\n\nThen I check the rounding of all of them.';
const said = ({ kind, step, round, call: index }: MapPart) =>
  [kind, step, kind === 'step' ? undefined : round, index].filter((one) => one !== undefined).join(' ');
const times = (map: TurnMap) => (map.times ?? []).map((part) => `${said(part)}: ${Math.round(part.value)}`);
const tokens = (map: TurnMap) =>
  map.tokens.map((part) => `${said(part)}: ${part.estimated ? 'about ' : ''}${part.value}`);
const sum = (parts: readonly MapPart[] | undefined = []) =>
  parts.reduce((total, { value }) => total + value, 0);

describe('The map of a turn', () => {
  it('has the seconds and tokens of each step, of the input, and of the answer', () => {
    const map = toTurnMap(
      turnAt(
        [0, tried],
        [100, CONNECTED],
        [1000, reasoning('First I look at the prices.\n\n')],
        [2500, reasoning('Then I check the rounding of all of them.')],
        [3000, answer('It is right.')],
        [
          4000,
          usage({
            promptTokens: 100,
            cachedTokens: 60,
            completionTokens: 50,
            reasoningTokens: 40,
            totalTokens: 150,
          }),
        ],
        [4000, DONE],
        [4100, SERVICE_ENDED],
      ),
    );
    assert.deepEqual(times(map), ['waiting 0: 1000', 'step 0: 1500', 'step 1: 500', 'answer 0: 1100']);
    assert.deepEqual(tokens(map), [
      'cached: 60',
      'uncached: 40',
      'step 0: about 16',
      'step 1: about 24',
      'answer 0: 10',
    ]);
    assert.equal(map.reported, 'all');
    const second = map.times?.find(({ step }) => step === 1);
    assert.deepEqual(
      [second?.title, second?.ms, second?.tokens, second?.estimated],
      ['Then I check the rounding of all of them', 500, 24, true],
    );
    assert.equal(map.tokens.find(({ step }) => step === 0)?.ms, 1500);
  });

  it('shows silences, in a step and at the end of a turn that stalled or was stopped', () => {
    const begun: readonly Timed[] = [
      [0, tried],
      [500, reasoning('First I look at the prices')],
      [8500, reasoning(' of all of them.')],
    ];
    for (const end of [failedBy('silent'), USER_ENDED]) {
      const map = toTurnMap(turnAt(...begun, [9000, answer('It')], [69_000, end]));
      assert.deepEqual(times(map), [
        'waiting 0: 500',
        // The text before the silence arrived at once.
        'silence: 8000',
        'step 0: 500',
        'silence: 60000',
      ]);
      assert.equal(map.reported, 'none');
      assert.deepEqual(
        map.times?.filter(({ kind }) => kind === 'silence').map(({ ms }) => ms),
        [8000, 60_000],
      );
    }
    // Waiting for the first text is no silence of its own.
    assert.deepEqual(times(toTurnMap(turnAt([0, tried], [30_000, failedBy('silent')]))), [
      'waiting 0: 30000',
    ]);
  });

  it('tells waiting for approval from running, and shares the time of calls that ran beside each other', () => {
    const before: readonly Timed[] = [
      [0, tried],
      [1000, reasoning('First I read the files.')],
      [1500, asks('read_file', 'run')],
      [2000, usage({ promptTokens: 10, completionTokens: 30, reasoningTokens: 10, totalTokens: 40 })],
    ];
    const calls = [
      call({ startedAt: 2000, endedAt: 5000 }),
      call({ id: 'c1', state: 'running', result: undefined }),
    ];
    const ran = call({ id: 'c1', startedAt: 10_000, endedAt: 11_000, waitedMs: 8000 });
    const turn = turnAt(
      ...before,
      [2000, { type: 'round-ended', calls }],
      [11_000, { type: 'call-changed', index: 1, call: ran }],
      [11_500, { type: 'round-begun', added: '' }],
      [11_500, tried],
      [12_000, reasoning('Now I know.')],
      [13_000, answer('Yes.')],
      [14_000, SERVICE_ENDED],
    );
    const map = toTurnMap(turn);
    assert.deepEqual(times(map), [
      'waiting 0: 1000',
      'step 0: 500',
      'writing 0: 500',
      'call 0 0: 3000',
      'approval 0 1: 5000',
      'call 0 1: 1000',
      'between 0: 500',
      'waiting 1: 500',
      'step 1: 1000',
      'answer 1: 1000',
    ]);
    // It waited 8 s, but for 3 of them the other call ran.
    assert.equal(map.times?.find(({ kind }) => kind === 'approval')?.ms, 8000);
    assert.deepEqual(tokens(map).slice(0, 4), [
      'input: 10',
      'step 0: 10',
      'call 0 0: about 10',
      'call 0 1: about 10',
    ]);
    assert.equal(map.reported, 'some');
    // Earlier versions recorded only when a call began.
    const { waitedMs, ...earlier } = ran;
    assert.equal(waitedMs, 8000);
    const [round] = turn.rounds;
    const old = {
      ...turn,
      rounds: round === undefined ? [] : [{ ...round, toolCalls: [calls[0] ?? earlier, earlier] }],
    };
    assert.deepEqual(times(toTurnMap(old)), times(map));
  });

  it('shows a call that was refused, or still waited when the turn was stopped, as waiting', () => {
    const before: readonly Timed[] = [
      [0, tried],
      [1000, asks('run')],
    ];
    const running = call({ state: 'waiting', result: undefined });
    const stopped = turnAt(...before, [1000, { type: 'round-ended', calls: [running] }], [9000, USER_ENDED]);
    assert.deepEqual(times(toTurnMap(stopped)), ['waiting 0: 1000', 'approval 0 0: 8000']);
    const refused = call({ state: 'refused', endedAt: 4000, waitedMs: 3000 });
    const turn = turnAt(...before, [1000, { type: 'round-ended', calls: [refused] }], [4010, USER_ENDED]);
    assert.deepEqual(times(toTurnMap(turn)).slice(1), ['approval 0 0: 3000', 'between 0: 10']);
  });

  it('says that times were not recorded, and invents none for steps', () => {
    const turn = turnAt([0, tried], [1000, reasoning(STEPS)], [2000, answer('Yes.')], [3000, SERVICE_ENDED]);
    const without = { ...turn, timings: { ...turn.timings, ended: undefined } };
    assert.equal(toTurnMap(without).times, undefined);
    assert.equal(toTurnMap(without).tokens.length, 3);
    const still = turn.outline.finished.map((step) => ({ ...step, startedAt: 0, endedAt: 0 }));
    const current = turn.outline.current && { ...turn.outline.current, startedAt: 0, endedAt: 0 };
    assert.deepEqual(times(toTurnMap({ ...turn, outline: { ...turn.outline, finished: still, current } })), [
      'waiting 0: 1000',
      'reasoning 0: 1000',
      'answer 0: 1000',
    ]);
  });

  it('keeps the order of the steps when the clock is set back', () => {
    const turn = turnAt(
      [0, tried],
      [1000, reasoning('First I look at the prices.\n\n')],
      [400, reasoning('Then I check the rounding.\n\n')],
      [1500, reasoning('And the sum.')],
      [2000, SERVICE_ENDED],
    );
    assert.deepEqual(times(toTurnMap(turn)), ['waiting 0: 1000', 'step 1: 500', 'step 2: 500']);
  });

  it('has reasoning that was billed but not sent, and an answer that spent all on reasoning', () => {
    const map = toTurnMap(
      turnAt(
        [0, tried],
        [500, answer('Yes.')],
        [600, usage({ promptTokens: 5, completionTokens: 50, reasoningTokens: 45, totalTokens: 55 })],
        [600, SERVICE_ENDED],
      ),
    );
    assert.deepEqual(tokens(map), ['input: 5', 'reasoning 0: 45', 'answer 0: 5']);
    const spent = turnAt(
      [0, tried],
      [500, reasoning(STEPS)],
      [600, finish('length')],
      [600, usage({ promptTokens: 5, completionTokens: 50, reasoningTokens: 50, totalTokens: 55 })],
      [600, SERVICE_ENDED],
    );
    assert.deepEqual(tokens(toTurnMap(spent)), ['input: 5', 'step 0: about 20', 'step 1: about 30']);
  });

  it('has the tokens of a step that the Reasoning view has', () => {
    const paragraphs = ['First.', 'Then the rounding.', 'And the prices of it.', 'So.', 'That is all.'];
    for (const reasoningTokens of [7, 40, 97, 1234]) {
      const figures = { promptTokens: 5, completionTokens: reasoningTokens + 9, reasoningTokens };
      const turn = turnAt(
        [0, tried],
        [100, CONNECTED],
        [1000, reasoning(paragraphs.join('\n\n'))],
        [3000, answer('Yes.')],
        [4000, usage({ ...figures, totalTokens: reasoningTokens + 14 })],
        [4000, DONE],
        [4100, SERVICE_ENDED],
      );
      const steps = toTurnMap(turn).tokens.filter(({ kind }) => kind === 'step');
      assert.deepEqual(
        steps.map(({ tokens }) => tokens),
        toStepFacts(turn)
          .map(({ tokens }) => tokens)
          .filter((tokens) => tokens > 0),
      );
    }
  });

  it('has them also if the requests of the turn reasoned for different numbers of tokens', () => {
    const figures = { promptTokens: 5, completionTokens: 520, reasoningTokens: 500, totalTokens: 525 };
    const turn = turnAt(
      [0, tried],
      [1000, reasoning('First I look at the prices.')],
      [2000, asks('read_file')],
      [2000, usage(figures)],
      [2100, { type: 'round-ended', calls: [call({})] }],
      [2200, tried],
      [3000, reasoning('Then I look at them again.')],
      [3500, answer('Yes.')],
      [4000, usage({ ...figures, reasoningTokens: 20 })],
      [4000, DONE],
      [4100, SERVICE_ENDED],
    );
    const inMap = toTurnMap(turn).tokens.flatMap(({ kind, tokens }) => (kind === 'step' ? [tokens] : []));
    assert.deepEqual(
      [inMap, toStepFacts(turn).map(({ tokens }) => tokens)],
      [
        [500, 20],
        [500, 20],
      ],
    );
  });

  it('adds up to the duration and to the tokens, in the order of the steps', () => {
    const text = fc.constantFrom('One thing.', '\n\nNext thing to look at.', ' more', '\n- a', '漢字です。');
    const event = fc.oneof(
      text.map((one) => reasoning(one)),
      text.map((one) => answer(one)),
      fc.constant<TurnEvent['event']>({ type: 'keep-alive' }),
    );
    const figures = fc.record({
      input: fc.nat(5000),
      cached: fc.nat(5000),
      thought: fc.nat(900),
      rest: fc.nat(900),
    });
    const span = fc.integer({ min: -20, max: 9000 });
    const round = fc.record({
      events: fc.array(fc.tuple(span, event), { maxLength: 12 }),
      usage: fc.option(figures),
      calls: fc.array(fc.tuple(span, fc.nat(9000), fc.nat(9000), fc.boolean()), {
        minLength: 1,
        maxLength: 4,
      }),
    });
    fc.assert(
      fc.property(
        fc.array(round, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        span,
        (rounds, isCut, last) => {
          let at = 0;
          const events: Timed[] = [];
          for (const [index, one] of rounds.entries()) {
            events.push([at, tried]);
            for (const [ms, what] of one.events) {
              at += ms;
              events.push([at, what]);
            }
            if (one.usage !== null) {
              const { input, cached, thought, rest } = one.usage;
              const completionTokens = thought + rest;
              const prompt = { promptTokens: input, cachedTokens: Math.min(cached, input) };
              events.push([
                at,
                usage({
                  ...prompt,
                  completionTokens,
                  reasoningTokens: thought,
                  totalTokens: input + completionTokens,
                }),
              ]);
            }
            if (index === rounds.length - 1 && !isCut) break;
            const calls = one.calls.map(([wait, runs, waits, isOld], number) =>
              call({
                id: `c${number}`,
                startedAt: at + wait,
                endedAt: at + wait + runs,
                ...(!isOld && { waitedMs: waits }),
              }),
            );
            events.push([at, asks(...calls.map(({ name }) => name))], [at, { type: 'round-ended', calls }]);
            at += Math.max(0, ...one.calls.map(([wait, runs]) => wait + runs));
            if (index < rounds.length - 1) events.push([at, { type: 'round-begun', added: '' }]);
          }
          const turn = turnAt(...events, [at + last, SERVICE_ENDED]);
          const map = toTurnMap(turn);
          const ended = turn.timings.ended ?? 0;
          assert.ok(ended <= 0 ? map.times === undefined : Math.abs(sum(map.times) - ended) < 1e-6);
          const all = totalUsageOf(turn);
          // A sum of zero counts as not reported.
          if (map.reported === 'all')
            assert.equal(sum(map.tokens), (all?.promptTokens ?? 0) + (all?.completionTokens ?? 0));
          for (const parts of [map.times ?? [], map.tokens]) {
            assert.ok(parts.every(({ value }) => value > 0));
            const steps = parts.flatMap(({ step }) => step ?? []);
            assert.deepEqual(
              steps,
              steps.toSorted((one, other) => one - other),
            );
            const order = parts.flatMap(({ round: number }) => number ?? []);
            assert.deepEqual(
              order,
              order.toSorted((one, other) => one - other),
            );
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
