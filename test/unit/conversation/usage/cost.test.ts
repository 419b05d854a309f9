import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toRound, totalUsageOf } from '../../../../src/conversation/rounds.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import {
  answerTokensOf,
  costOf,
  hasUsage,
  isUnbilled,
  toCost,
  toUsageTotals,
} from '../../../../src/conversation/usage/cost.ts';
import type { StreamEvent } from '../../../../src/service/client.ts';
import type { ServiceErrorDetails, ServiceErrorKind } from '../../../../src/service/errors.ts';
import { DEFAULT_PRICES } from '../../../../src/service/prices.ts';
import {
  answer,
  chunk,
  completeTurn,
  conversationOf,
  DONE,
  exchangeOf,
  failedBy,
  finish,
  NO_USAGE,
  REFUSED_ONCE,
  reasoning,
  SERVICE_ENDED,
  SOME_USAGE,
  turnOf,
  USER_ENDED,
  usage,
  WINDOW_ENDED,
} from '../turns.ts';

const near = (actual: number | undefined, expected: number) => {
  assert.ok(actual !== undefined && Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);
};

describe('Cost of a turn', () => {
  it('R10 is about 1.49 USD for a prompt of 498k tokens', () => {
    near(toCost({ ...NO_USAGE, promptTokens: 498_000, completionTokens: 0 }, DEFAULT_PRICES), 1.494);
  });

  it('R10 includes reasoning once, as a part of the output, at the output price', () => {
    near(
      toCost(
        { ...NO_USAGE, promptTokens: 0, completionTokens: 1_000_000, reasoningTokens: 900_000 },
        DEFAULT_PRICES,
      ),
      15,
    );
  });

  it('R10 uses the cached price for cached input', () => {
    near(
      toCost(
        { ...NO_USAGE, promptTokens: 1_000_000, completionTokens: 0, cachedTokens: 600_000 },
        DEFAULT_PRICES,
      ),
      1.2 + 0.18,
    );
  });

  it('R6 is never negative if more tokens are cached than were sent', () => {
    near(
      toCost({ ...NO_USAGE, promptTokens: 100, completionTokens: 0, cachedTokens: 500 }, DEFAULT_PRICES),
      100 * 0.3e-6,
    );
  });

  it('Q10 is undefined, not 0, if the service did not report enough', () => {
    assert.equal(toCost(undefined, DEFAULT_PRICES), undefined);
    assert.equal(toCost({ ...NO_USAGE, totalTokens: 10 }, DEFAULT_PRICES), undefined);
    assert.equal(toCost({ ...NO_USAGE, promptTokens: 10 }, DEFAULT_PRICES), undefined);
  });

  it('R6 has no negative answer tokens if more reasoning than output was reported', () => {
    assert.equal(answerTokensOf({ ...NO_USAGE, completionTokens: 40, reasoningTokens: 41 }), 0);
    assert.equal(answerTokensOf(SOME_USAGE), 10);
    assert.equal(answerTokensOf(NO_USAGE), undefined);
  });

  it('F6 treats a total of zero, or no total, as no usage only when no other tokens are reported', () => {
    assert.equal(hasUsage(undefined), false);
    assert.equal(hasUsage(NO_USAGE), false);
    assert.equal(hasUsage({ ...NO_USAGE, totalTokens: 0 }), false);
    assert.equal(hasUsage({ ...NO_USAGE, promptTokens: 0, completionTokens: 0, totalTokens: 0 }), false);
    assert.equal(hasUsage({ ...SOME_USAGE, totalTokens: 0 }), true);
    assert.equal(hasUsage({ ...SOME_USAGE, totalTokens: undefined }), true);
    assert.equal(hasUsage(SOME_USAGE), true);
  });

  it('F6 is the same with and without the total, or with the total instead of another figure', () => {
    const cost = toCost(SOME_USAGE, DEFAULT_PRICES) ?? 0;
    for (const missing of ['promptTokens', 'completionTokens', 'totalTokens'] as const) {
      const turn = turnOf([
        answer('a'),
        usage({ ...SOME_USAGE, [missing]: undefined }),
        finish('stop'),
        SERVICE_ENDED,
      ]);
      near(costOf(turn, DEFAULT_PRICES), cost);
      const totals = toUsageTotals(conversationOf(exchangeOf('q', turn)), DEFAULT_PRICES);
      assert.deepEqual(
        [totals.promptTokens, totals.answerTokens, totals.totalTokens, totals.unreported],
        [2000, 10, 2050, 0],
        missing,
      );
    }
  });

  it('R6 is summed over all attempts, shown or not, and counts the ones that did not report usage', () => {
    const unreported = turnOf([answer('a'), finish('stop'), SERVICE_ENDED]);
    const account = toUsageTotals(
      conversationOf(
        exchangeOf('a', completeTurn(), completeTurn()),
        exchangeOf('b', unreported),
        exchangeOf('c', turnOf([failedBy('bad-key')])),
        exchangeOf('d', turnOf([answer('a'), finish('stop'), usage(), USER_ENDED])),
        exchangeOf('e', turnOf([answer('running')])),
      ),
      DEFAULT_PRICES,
    );
    assert.equal(account.promptTokens, 6000);
    assert.equal(account.cachedTokens, 5376);
    assert.equal(account.reasoningTokens, 120);
    assert.equal(account.answerTokens, 30);
    assert.equal(account.totalTokens, 6150);
    assert.equal(account.turns, 5);
    assert.equal(account.unreported, 1);
    near(account.cost, 3 * (208 * 3e-6 + 1792 * 0.3e-6 + 50 * 15e-6));
  });

  it('R6 is summed over the branches that are not shown, too', () => {
    const unreported = turnOf([answer('a'), finish('stop'), SERVICE_ENDED]);
    const shown = conversationOf(exchangeOf('a', completeTurn()));
    const branch = { after: undefined, exchanges: [exchangeOf('b', completeTurn(), unreported)] };
    const account = toUsageTotals({ ...shown, branches: [branch] }, DEFAULT_PRICES);
    assert.deepEqual([account.promptTokens, account.turns, account.unreported], [4000, 3, 1]);
  });

  it('E6 has nothing unreported if the user stopped the turn in the pause before a retry', () => {
    const stopped = (...events: readonly StreamEvent[]) =>
      toUsageTotals(conversationOf(exchangeOf('a', turnOf([...events, USER_ENDED]))), DEFAULT_PRICES);
    assert.equal(stopped(...REFUSED_ONCE).unreported, 0);
    assert.equal(stopped(...REFUSED_ONCE, { type: 'try', tries: 2 }, { type: 'connected' }).unreported, 1);
  });

  it('is zero in the demo, with and without usage', () => {
    const reported = completeTurn('Because.', { demo: true });
    const silent = turnOf([answer('a'), finish('stop'), SERVICE_ENDED], { demo: true });
    assert.equal(costOf(reported, DEFAULT_PRICES), 0);
    assert.equal(costOf(silent, DEFAULT_PRICES), 0);
    assert.ok((costOf(completeTurn(), DEFAULT_PRICES) ?? 0) > 0);
    const account = toUsageTotals(conversationOf(exchangeOf('a', reported, silent)), DEFAULT_PRICES);
    assert.deepEqual([account.cost, account.unreported, account.promptTokens], [0, 0, 2000]);
  });

  it('does not count a request as unreported if the service refused it before the answer', () => {
    const refused = turnOf([
      { type: 'ended', by: 'error', failure: { kind: 'filtered', details: { status: 400 } } },
    ]);
    assert.equal(refused.outcome, 'filtered');
    assert.equal(toUsageTotals(conversationOf(exchangeOf('a', refused)), DEFAULT_PRICES).unreported, 0);
  });

  /** Cost, whether it is the whole one, and whether there is nothing to bill. */
  const billOf = (turn: Turn) => {
    const totals = toUsageTotals(conversationOf(exchangeOf('a', turn)), DEFAULT_PRICES);
    return [costOf(turn, DEFAULT_PRICES), totals.unreported === 0, isUnbilled(turn)];
  };
  const INPUT_ONLY = { promptTokens: 1000, completionTokens: 1, totalTokens: 1001 };
  const early = usage(INPUT_ONLY);
  const lost = failedBy('connection-lost');
  const cost = 0.003015;

  it('is a lower bound if usage came and the answer then was cut off or stopped', () => {
    for (const end of [lost, USER_ENDED, SERVICE_ENDED, WINDOW_ENDED, failedBy('stream-error')])
      assert.deepEqual(billOf(turnOf([early, answer('a'), end])), [cost, false, false]);
    for (const end of [lost, USER_ENDED, WINDOW_ENDED, failedBy('stream-error')]) {
      const said = turnOf([finish('null'), answer('a'), early, finish('null'), end]);
      assert.deepEqual(billOf(said), [cost, false, false]);
      assert.deepEqual(billOf(turnOf([answer('a'), finish('stop'), early, end])), [cost, true, false]);
    }
    const read = turnOf([finish('null'), answer('a'), early, finish('null'), SERVICE_ENDED]);
    assert.deepEqual(billOf(read), [cost, true, false]);
  });

  it('is a lower bound if text came after the usage of a complete answer, and none of its output after that', () => {
    const end = [finish('stop'), DONE, SERVICE_ENDED] as const;
    const call = chunk({ toolCalls: [{ index: 0, id: 'a', name: 'f', arguments: '{}' }] });
    for (const text of [answer('a'), reasoning('r'), call])
      assert.deepEqual(billOf(turnOf([early, text, ...end])), [cost, false, false]);
    for (const later of [
      usage({ promptTokens: 1000 }),
      usage({ ...INPUT_ONLY, promptTokens: 0, completionTokens: 0, totalTokens: 0 }),
    ])
      assert.deepEqual(billOf(turnOf([early, answer('a'), later, ...end])), [cost, false, false]);
    const withText = chunk({ answer: 'a', usage: { ...NO_USAGE, ...INPUT_ONLY } });
    for (const events of [[early, answer('a'), early], [early, withText], [early], [call, early, call]])
      assert.deepEqual(billOf(turnOf([...events, ...end])), [cost, true, false]);
    const begun = turnOf([early, answer('a'), finish('tool_calls'), DONE]);
    assert.deepEqual(
      billOf({ ...turnOf([early, ...end]), rounds: [toRound(begun, [], 10)], tries: 1 }).slice(1),
      [false, false],
    );
  });

  it('R10 takes the output of a later total, not that of an earlier report', () => {
    const turn = turnOf([
      early,
      answer('a'),
      usage({ totalTokens: 1201 }),
      finish('stop'),
      DONE,
      SERVICE_ENDED,
    ]);
    near(costOf(turn, DEFAULT_PRICES), 0.003 + 201 * 15e-6);
  });

  it('is a lower bound if the usage of a complete answer has no output', () => {
    const none = usage({ promptTokens: 1000, completionTokens: 0, totalTokens: 1000 });
    const turn = turnOf([none, answer('a'), finish('stop'), DONE, SERVICE_ENDED]);
    assert.deepEqual(billOf(turn), [0.003, false, false]);
  });

  it('Q10 is not reported if an answer fails after text has arrived, and free if it fails before', () => {
    assert.deepEqual(billOf(turnOf([answer('a'), failedBy('stream-error')])), [undefined, false, false]);
    assert.deepEqual(billOf(turnOf([failedBy('stream-error')])), [undefined, true, true]);
  });

  /** The bill of a request that had reached the service and failed like this. */
  const failedAs = (kind: ServiceErrorKind, details: ServiceErrorDetails, ...before: StreamEvent[]) =>
    billOf(
      turnOf([
        { type: 'try', tries: 1 },
        { type: 'connected' },
        ...before,
        { type: 'ended', by: 'error', failure: { kind, details } },
      ]),
    );
  const FREE = [undefined, true, true];
  const UNREPORTED = [undefined, false, false];

  it('E9 is not reported if the service may still be working on the request, and free if it was refused', () => {
    for (const status of [504, 520, 522, 524, 598])
      for (const kind of ['server-failed', 'overloaded'] as const)
        assert.deepEqual(failedAs(kind, { status }), UNREPORTED, `${status}`);
    for (const status of [400, 401, 404, 408, 409, 429, 500, 502, 503, 521, 523, 525, 526, 529])
      for (const kind of ['server-failed', 'overloaded', 'unknown'] as const)
        assert.deepEqual(failedAs(kind, { status }), FREE, `${status}`);
    assert.deepEqual(failedAs('rate-limited', { status: 504 }), FREE);
    assert.deepEqual(failedAs('filtered', { status: 400 }), FREE);
    assert.deepEqual(failedAs('redirected', { status: 302 }), FREE);
    for (const kind of [
      'key-removed',
      'bad-key',
      'unreachable',
      'untrusted-certificate',
      'proxy-refused',
    ] as const)
      assert.deepEqual(failedAs(kind, {}), FREE, kind);
    for (const kind of ['connection-lost', 'silent', 'response-too-large', 'unknown'] as const)
      assert.deepEqual(failedAs(kind, {}), UNREPORTED, kind);
  });

  it('R9 is not reported if the body ends before any chunk, as after a lost connection, and free if it is something else', () => {
    const kind = 'not-a-completion';
    assert.deepEqual(failedAs(kind, { status: 200 }, { type: 'keep-alive' }), UNREPORTED);
    assert.deepEqual(failedAs(kind, { status: 200, contentEncoding: 'zstd' }), UNREPORTED);
    assert.deepEqual(failedAs(kind, { status: 200, excerpt: '<html>Sign in' }), FREE);
    for (const excerpt of [
      '{"id":"a","object":"chat.completion","crea',
      '{"choices":[{"ind',
      '{"choices": {',
    ])
      assert.deepEqual(failedAs(kind, { status: 200, excerpt }), UNREPORTED, excerpt);
  });

  it('Q10 is not reported if an error comes after the first chunk, and free if it comes in place of it', () => {
    const unnamed = chunk({ id: undefined });
    for (const kind of ['stream-error', 'server-failed', 'overloaded', 'rate-limited'] as const) {
      assert.deepEqual(failedAs(kind, { status: 200 }, chunk({})), UNREPORTED, kind);
      assert.deepEqual(failedAs(kind, { status: 200 }, unnamed), UNREPORTED, kind);
      assert.deepEqual(failedAs(kind, { status: 200 }, { type: 'keep-alive' }), FREE, kind);
    }
    for (const code of ['504', '524'])
      assert.deepEqual(failedAs('overloaded', { status: 200, code }), UNREPORTED);
    for (const code of ['503', '429', 'server_error'])
      assert.deepEqual(failedAs('overloaded', { status: 200, code }), FREE);
  });

  it('E8 is not reported if the connection is lost behind the request, and free if it is lost before', () => {
    const lost = failedBy('connection-lost');
    const sent = [{ type: 'try', tries: 1 }, { type: 'connected' }] as const;
    assert.deepEqual(billOf(turnOf([...sent, lost])), [undefined, false, false]);
    assert.deepEqual(billOf(turnOf([...sent.slice(0, 1), lost])), [undefined, true, true]);
  });

  it('Q10 is not known from a total below the only other figure', () => {
    for (const figures of [{ completionTokens: 50 }, { promptTokens: 50 }]) {
      const turn = turnOf([
        answer('a'),
        finish('stop'),
        usage({ ...figures, totalTokens: 40 }),
        SERVICE_ENDED,
      ]);
      assert.deepEqual(billOf(turn), [undefined, false, false]);
    }
  });

  it('Q10 is not known from usage whose input is 0, or whose total is its output', () => {
    for (const promptTokens of [undefined, 0])
      for (const totalTokens of [50, undefined]) {
        const none = usage({ promptTokens, completionTokens: 50, totalTokens });
        const turn = turnOf([answer('a'), finish('stop'), none, DONE, SERVICE_ENDED]);
        assert.deepEqual(billOf(turn), [undefined, false, false], `${promptTokens} ${totalTokens}`);
        if (promptTokens === undefined) assert.equal(totalUsageOf(turn)?.promptTokens, undefined);
      }
  });

  it('Q10 is not known from a total alone, and a lower bound beside other requests', () => {
    const total = usage({ totalTokens: 50_000 });
    const turn = turnOf([answer('a'), finish('stop'), total, DONE, SERVICE_ENDED]);
    assert.deepEqual(billOf(turn), [undefined, false, false]);
    const input = usage({ promptTokens: 1000 });
    const rounds = [toRound(turnOf([answer('a'), finish('stop'), input, DONE]), [], 10)];
    const known = costOf(completeTurn(), DEFAULT_PRICES);
    assert.deepEqual(billOf({ ...completeTurn(), rounds, tries: 1 }), [known, false, false]);
  });

  it('Q10 is judged for each request of a turn, also if the last one was refused', () => {
    const round = (...events: Parameters<typeof turnOf>[0]) =>
      toRound(turnOf([answer('a'), finish('tool_calls'), ...events, DONE]), [], 10);
    const refused = turnOf([
      { type: 'try', tries: 1 },
      { type: 'ended', by: 'error', failure: { kind: 'invalid-request', details: { status: 400 } } },
    ]);
    const known = costOf(completeTurn(), DEFAULT_PRICES);
    const withRounds = (...rounds: Turn['rounds']) => billOf({ ...refused, rounds });
    assert.deepEqual(withRounds(round()), [undefined, false, false]);
    assert.deepEqual(withRounds(round(usage()), round()), [known, false, false]);
    assert.deepEqual(withRounds(round(usage())), [known, true, false]);
    assert.deepEqual(withRounds(), [undefined, true, true]);
  });
});
