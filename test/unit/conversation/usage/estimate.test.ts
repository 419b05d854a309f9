import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toPrefix } from '../../../../src/conversation/requestMessages/prefix.ts';
import {
  toAssistantMessage,
  toRoundMessages,
} from '../../../../src/conversation/requestMessages/transcript.ts';
import { toRound } from '../../../../src/conversation/rounds.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import {
  estimateNext,
  estimateRequest,
  estimateSeries,
} from '../../../../src/conversation/usage/estimate.ts';
import { estimateTokens } from '../../../../src/conversation/usage/tokens.ts';
import { DEFAULT_PRICES } from '../../../../src/service/prices.ts';
import type { ChatRequest, Message } from '../../../../src/service/types.ts';
import { REQUEST } from '../../service/wire.ts';
import {
  answer,
  completeTurn,
  conversationOf,
  exchangeOf,
  finish,
  reasoning,
  SERVICE_ENDED,
  SOME_USAGE,
  turnOf,
  usage,
} from '../turns.ts';

describe('Token estimate', () => {
  it('counts a quarter for each ASCII character and one for every other character', () => {
    assert.equal(estimateTokens(''), 0);
    assert.equal(estimateTokens('abcdefgh'), 2);
    assert.equal(estimateTokens('\u4f60\u597d'), 2);
    assert.equal(estimateTokens('ab\u4f60'), 1.5);
    assert.equal(estimateTokens('\u{1f600}\u{1f600}'), 2);
  });

  it('gives the same sum wherever the text is split', () => {
    const text = 'a\u{1f600}b\u4f60';
    for (let at = 0; at <= text.length; at++) {
      assert.equal(estimateTokens(text.slice(0, at)) + estimateTokens(text.slice(at)), estimateTokens(text));
    }
  });
});

describe('Estimate of the next request', () => {
  const next = (conversation: Parameters<typeof estimateNext>[0], draft = '', images = 0) =>
    estimateNext(conversation, 'x'.repeat(40), draft, images, DEFAULT_PRICES);

  it('contains the overhead, the system prompt, and the draft of a new conversation', () => {
    assert.equal(next(conversationOf(), 'y'.repeat(40)).promptTokens, 110);
    assert.equal(next(conversationOf()).cachedTokens, 0);
    assert.equal(next(conversationOf()).windowTokens, 1_048_576);
  });

  it('counts a fixed number for an image', () => {
    assert.equal(next(conversationOf(), '', 2).promptTokens, 4100);
  });

  it('is exact up to the last turn that reported usage, and estimates the rest', () => {
    const silent = turnOf([answer('z'.repeat(40)), finish('stop'), SERVICE_ENDED]);
    const known = next(conversationOf(exchangeOf('a', completeTurn())), 'y'.repeat(40));
    assert.equal(known.promptTokens, 2060);
    assert.equal(known.cachedTokens, 1792, 'whole blocks of 256');
    assert.equal(
      next(conversationOf(exchangeOf('a', completeTurn()), exchangeOf('q'.repeat(8), silent))).promptTokens,
      2062,
    );
  });

  it('Q10 is exact up to the last turn that reported its input, and takes no output for the length', () => {
    for (const promptTokens of [undefined, 0]) {
      const output = usage({ promptTokens, completionTokens: 50, totalTokens: 50 });
      const second = turnOf([answer('z'.repeat(40)), finish('stop'), output, SERVICE_ENDED]);
      const two = conversationOf(exchangeOf('a', completeTurn()), exchangeOf('q'.repeat(8), second));
      assert.equal(next(two).promptTokens, 2062, `${promptTokens}`);
      const rounds = [toRound(completeTurn(), [], 10)];
      const loop = conversationOf(exchangeOf('a', { ...second, rounds, tries: 1 }));
      assert.equal(next(loop).promptTokens, 2060, `${promptTokens}`);
    }
  });

  it('uses the total if nothing else was reported', () => {
    const turn = turnOf([answer('a'), finish('stop'), usage({ totalTokens: 3000 }), SERVICE_ENDED]);
    assert.equal(next(conversationOf(exchangeOf('a', turn))).promptTokens, 3000);
  });

  it('R11 expects no cached tokens for a short prompt', () => {
    const short = turnOf([
      answer('a'),
      finish('stop'),
      usage({ promptTokens: 900, totalTokens: 950 }),
      SERVICE_ENDED,
    ]);
    assert.equal(next(conversationOf(exchangeOf('a', short))).cachedTokens, 0);
  });

  it('R10 uses the input price for new tokens and the cached price for the rest', () => {
    const { inputCost } = next(conversationOf(exchangeOf('a', completeTurn())), 'y'.repeat(40));
    assert.ok(Math.abs(inputCost - (268 * 3e-6 + 1792 * 0.3e-6)) < 1e-12);
  });
});

describe('Estimate of a complete request', () => {
  const asked = (...messages: readonly Message[]): ChatRequest => ({ ...REQUEST, messages });
  const user = (content: string): Message => ({ role: 'user', content });
  const estimate = (request: ChatRequest, earlier?: Parameters<typeof estimateRequest>[1]) =>
    estimateRequest(request, earlier, DEFAULT_PRICES);
  const FIRST = asked({ role: 'system', content: 'x'.repeat(400) }, user('y'.repeat(400)));
  /** A turn that answered the first request. */
  const answered = completeTurn('Because.', { prefix: toPrefix(FIRST) });
  const SECOND = asked(...FIRST.messages, toAssistantMessage(answered), user('z'.repeat(400)));

  it('counts the system prompt, messages, images, and tool definitions', () => {
    const plain = estimate(FIRST).promptTokens;
    assert.ok(plain > 290 && plain < 320, String(plain));
    const parameters = { type: 'object', description: 'd'.repeat(4000) };
    const tools = [{ type: 'function', function: { name: 'read', description: '', parameters } }] as const;
    assert.ok(estimate({ ...FIRST, tools }).promptTokens > plain + 1000);
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } } as const;
    const withImage = asked(...FIRST.messages, { role: 'user', content: [image] });
    assert.equal(estimate(withImage).promptTokens, plain + 2000);
  });

  it('is exact up to the answer of the previous request, and expects that part to be cached', () => {
    const next = estimate(SECOND, answered);
    // 2,000 tokens of the prompt and 50 of the answer were reported. The question has 100, plus a few for its
    // message.
    assert.ok(next.promptTokens >= 2150 && next.promptTokens < 2165, String(next.promptTokens));
    assert.equal(next.cachedTokens, 1792);
  });

  it('Q10 estimates the earlier request if its input was not reported', () => {
    const unreported = turnOf([answer('Because.'), finish('stop'), SERVICE_ENDED], {
      prefix: toPrefix(FIRST),
    });
    for (const promptTokens of [undefined, 0]) {
      const output = { ...SOME_USAGE, promptTokens, totalTokens: 50 };
      assert.deepEqual(
        estimate(SECOND, { ...unreported, usage: output }),
        estimate(SECOND, unreported),
        `${promptTokens}`,
      );
    }
  });

  it('does not count reasoning that used the budget, because it is not sent back', () => {
    const spent = turnOf(
      [
        reasoning('Hm.'),
        finish('length'),
        usage({ ...SOME_USAGE, completionTokens: 100_000, totalTokens: 102_000 }),
        SERVICE_ENDED,
      ],
      { prefix: toPrefix(FIRST) },
    );
    const note: Message = { role: 'assistant', content: '[no answer]' };
    const { promptTokens } = estimate(asked(...FIRST.messages, note, user('z'.repeat(400))), spent);
    assert.ok(promptTokens >= 2100 && promptTokens < 2165, String(promptTokens));
    const conversation = conversationOf(exchangeOf('a', spent));
    const next = estimateNext(conversation, '', 'z'.repeat(400), 0, DEFAULT_PRICES).promptTokens;
    assert.ok(next >= 2100 && next < 2165, String(next));
  });

  it('does not count reasoning that is not sent back, with and without usage', () => {
    const route = { name: 'direct', kind: 'direct' } as const;
    const figures = { ...SOME_USAGE, completionTokens: 10_050, reasoningTokens: 10_000, totalTokens: 12_050 };
    const events = [reasoning('r'.repeat(40_000)), answer('a'.repeat(200))];
    const ended = [finish('stop'), usage(figures), SERVICE_ENDED];
    const facts = { prefix: toPrefix(FIRST) };
    const next = (turn: Turn) =>
      estimateNext(conversationOf(exchangeOf('a', turn)), '', '', 0, DEFAULT_PRICES, { route }).promptTokens;
    assert.equal(next(turnOf([...events, ...ended], facts)), 12_050, 'it is sent back');
    const bare = { ...facts, withoutReasoning: true } as const;
    const refused = turnOf([...events, ...ended], bare);
    assert.equal(next(refused), 2050, 'the route refuses it');
    const message: Message = { role: 'assistant', content: refused.answer };
    const { promptTokens } = estimate(asked(...FIRST.messages, message, user('z')), refused);
    assert.ok(promptTokens >= 2050 && promptTokens < 2080, String(promptTokens));
    const hidden = turnOf([...events.slice(1), ...ended], facts);
    assert.equal(next(hidden), 2050, 'it was counted, and never given');
    assert.equal(estimate(asked(...FIRST.messages, message, user('z')), hidden).promptTokens, promptTokens);
    const silent = next(turnOf([...events, SERVICE_ENDED], bare));
    assert.ok(silent < 200, `the route refuses it, and reported nothing: ${silent}`);
    const stopped = next(turnOf([...events.slice(0, 1), { ...SERVICE_ENDED, by: 'user' }], facts));
    assert.ok(stopped < 120, `it was stopped before its answer: ${stopped}`);
  });

  it('does not count a question that failed, because later requests do not have it', () => {
    const error = { kind: 'rate-limited', details: { status: 429 } } as const;
    const failed = turnOf([{ type: 'ended', by: 'error', failure: error }]);
    const conversation = conversationOf(exchangeOf('q'.repeat(40_000), failed));
    assert.equal(estimateNext(conversation, '', '', 0, DEFAULT_PRICES).promptTokens, 90);
    const figures = usage({ ...SOME_USAGE, promptTokens: 50_000, totalTokens: 50_050 });
    const filtered = turnOf([figures, finish('content_filter'), SERVICE_ENDED]);
    const both = conversationOf(exchangeOf('a', completeTurn()), exchangeOf('q', filtered));
    assert.equal(estimateNext(both, '', '', 0, DEFAULT_PRICES).promptTokens, 2050);
  });

  it('equals the reported usage if the same request is sent again', () => {
    assert.equal(estimate(FIRST, answered).promptTokens, 2000);
  });

  it('estimates all parts if the start of the request has changed', () => {
    const parameters = { type: 'object' };
    const tools = [{ type: 'function', function: { name: 'read', description: '', parameters } }] as const;
    const next = estimate({ ...SECOND, tools }, answered);
    assert.ok(next.promptTokens < 600, String(next.promptTokens));
    assert.equal(next.cachedTokens, 0);
  });

  it('counts the answer of a turn whose usage came before it, whole', () => {
    const early = usage({ promptTokens: 2000, completionTokens: 1, totalTokens: 2001 });
    const cut = turnOf([early, answer('a'.repeat(4000)), SERVICE_ENDED], { prefix: toPrefix(FIRST) });
    const { promptTokens } = estimate(asked(...FIRST.messages, toAssistantMessage(cut), user('z')), cut);
    assert.ok(promptTokens >= 3000 && promptTokens < 3020, String(promptTokens));
    const conversation = conversationOf(exchangeOf('a', cut));
    assert.equal(estimateNext(conversation, '', '', 0, DEFAULT_PRICES).promptTokens, 3000);
  });

  it('R11 expects nothing to be cached on another route, and takes no figures of the demo for a route', () => {
    const figures = (turn: Turn, route: string) => {
      const options = { name: route, kind: 'gateway' } as const;
      const request = estimateRequest(SECOND, turn, DEFAULT_PRICES, 1, options);
      const conversation = conversationOf(exchangeOf('a', turn));
      const next = estimateNext(conversation, '', '', 0, DEFAULT_PRICES, { route: options });
      return [request, next].map(({ promptTokens, cachedTokens }) => [promptTokens > 2000, cachedTokens]);
    };
    const cached = [true, 1792];
    assert.deepEqual(figures(answered, 'direct'), [cached, cached]);
    const exact = [true, 0];
    assert.deepEqual(figures(answered, 'other'), [exact, exact]);
    const estimated = [false, 0];
    const facts = { prefix: toPrefix(FIRST), routeName: 'Demo', demo: true } as const;
    assert.deepEqual(figures(completeTurn('Because.', facts), 'direct'), [estimated, estimated]);
    assert.deepEqual(figures(completeTurn('Because.', facts), 'Demo'), [cached, cached]);
    // Without usage, what was sent before counts as cached only there, too.
    const silent = { ...answered, usage: undefined };
    const long = { ...SECOND, messages: [...SECOND.messages, user('z'.repeat(8000))] };
    assert.equal(estimateRequest(long, silent, DEFAULT_PRICES, 1, { name: 'other' }).cachedTokens, 0);
  });

  it('R11 expects the cache of a route that was renamed, and none of a deleted or imported one, or of the demo', () => {
    const cachedOn = (turn: Turn, place: string, name = 'renamed', names: readonly string[] = []) => {
      const hasRoute = (one: string) => names.includes(one);
      const route = { name, kind: 'gateway', place, hasRoute } as const;
      const conversation = conversationOf(exchangeOf('a', turn));
      return [
        estimateRequest(SECOND, turn, DEFAULT_PRICES, 1, route),
        estimateNext(conversation, '', '', 0, DEFAULT_PRICES, { route }),
      ].map(({ cachedTokens }) => cachedTokens);
    };
    const here = { ...answered, request: { ...answered.request, routePlace: 'here' } };
    assert.deepEqual(cachedOn(here, 'here'), [1792, 1792]);
    assert.deepEqual(cachedOn(here, 'there'), [0, 0]);
    assert.deepEqual(cachedOn(here, 'there', 'direct'), [0, 0], 'its name is that of another route now');
    assert.deepEqual(cachedOn(here, 'here', 'second', ['direct']), [0, 0], 'it can have another key');
    const other = { ...here, request: { ...here.request, model: 'other' } };
    const next = estimateNext(conversationOf(exchangeOf('a', other)), '', '', 0, DEFAULT_PRICES, {
      route: { name: 'direct', kind: 'direct', place: 'here', model: 'svc-k3' },
    });
    assert.equal(next.cachedTokens, 0, 'its model is another one now');
    assert.deepEqual(cachedOn(answered, 'here'), [0, 0], 'nobody knows where it came from');
    const facts = { prefix: toPrefix(FIRST), routeName: 'Demo', demo: true } as const;
    assert.deepEqual(cachedOn(completeTurn('Because.', facts), 'here'), [0, 0]);
  });

  it('counts tool results in the next request of a tool loop', () => {
    const result = { text: 'r'.repeat(40_000) };
    const call = { index: 0, id: 'a', name: 'read', arguments: '{}', state: 'done', result } as const;
    const round = toRound(answered, [{ ...call, startedAt: 0, endedAt: 1 }], 1);
    const looping = { ...answered, tries: 0, usage: undefined, rounds: [round] };
    const next = asked(...FIRST.messages, ...toRoundMessages(round));
    const { promptTokens, cachedTokens } = estimate(next, looping);
    assert.ok(promptTokens > 12_050 && promptTokens < 12_100, String(promptTokens));
    assert.equal(cachedTokens, 1792);
  });
});

describe('Estimate of questions that are asked one after the other', () => {
  const prices = { input: 10, cachedInput: 1, output: 0 };
  const series = (
    conversation: Parameters<typeof estimateSeries>[0],
    drafts: readonly string[],
    route?: Parameters<typeof estimateSeries>[4],
  ) => estimateSeries(conversation, '', drafts, prices, route);
  /** A text of that many tokens. */
  const text = (tokens: number) => 'y'.repeat(tokens * 4);

  it('has the earlier questions again in each request, at the price of the cache', () => {
    assert.deepEqual(series(conversationOf(), []), { tokens: 0, cost: 0 });
    assert.deepEqual(series(conversationOf(), [text(255_910)]), { tokens: 256_000, cost: 2.56 });
    const { tokens, cost } = series(conversationOf(), [text(255_910), text(128_000), text(128_000)]);
    assert.equal(tokens, 256_000 + 384_000 + 512_000);
    assert.ok(Math.abs(cost - (2.56 + 1.28 + 0.256 + 1.28 + 0.384)) < 0.01, `${cost}`);
  });

  it('has the conversation in front of each of them, as the estimate of a single question has', () => {
    const conversation = conversationOf(exchangeOf('a', completeTurn()));
    const one = estimateNext(conversation, '', text(1000), 0, prices);
    assert.deepEqual(series(conversation, [text(1000)]), { tokens: 3050, cost: one.inputCost });
    assert.equal(series(conversation, [text(1000), text(500)]).tokens, 3050 + 3550);
  });

  it('has the tools in each request, and counts as the route does', () => {
    const parameters = { type: 'object', description: 'd'.repeat(4000) };
    const tools = [{ type: 'function', function: { name: 'read', description: '', parameters } }] as const;
    const plain = series(conversationOf(), [text(1000), text(500)]).tokens;
    const withTools = series(conversationOf(), [text(1000), text(500)], { tools }).tokens;
    assert.ok(withTools > plain + 2000 && withTools < plain + 2200, `${withTools}`);
    assert.equal(plain, 1090 + 1590);
    assert.equal(series(conversationOf(), [text(1000), text(500)], { ratio: 2 }).tokens, 2090 + 3090);
  });
});
