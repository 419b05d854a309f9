import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { forkOf } from '../../../../src/conversation/fork.ts';
import { toNotices } from '../../../../src/conversation/outcomes/notices.ts';
import type { OmittedResult } from '../../../../src/conversation/requestFacts.ts';
import { findRoom, toSentParts } from '../../../../src/conversation/requestMessages/compaction.ts';
import { keptExchanges, withKeptResults } from '../../../../src/conversation/requestMessages/keptResults.ts';
import { toPrefix } from '../../../../src/conversation/requestMessages/prefix.ts';
import { toMessages, toPieces } from '../../../../src/conversation/requestMessages/transcript.ts';
import type { Round, Turn } from '../../../../src/conversation/turn.ts';
import { estimateNext } from '../../../../src/conversation/usage/estimate.ts';
import { parseExport, toExport } from '../../../../src/history/exportedJson.ts';
import {
  fromQuestionRecord,
  fromTurnRecord,
  toQuestionRecord,
  toTurnRecord,
} from '../../../../src/history/records.ts';
import { DEFAULT_PRICES } from '../../../../src/service/prices.ts';
import type { ChatRequest } from '../../../../src/service/types.ts';
import { REQUEST } from '../../service/wire.ts';
import { answering, calling, runWith, toolboxOf } from '../toolTurns.ts';
import { completeTurn, conversationOf, exchangeOf, SOME_USAGE } from '../turns.ts';

const WINDOW = 100_000;
const EARLIER = 5000;
type Image = { readonly type: string; readonly base64: string };

/** A turn whose rounds have a call each, with results of these sizes in tokens. */
function turnWith(sizes: readonly number[], images: readonly Image[] = []): Turn {
  const rounds = sizes.map((size, at): Round => {
    const result = { text: 'r'.repeat(size * 4), ...(images.length > 0 && { images }) };
    const call = { index: 0, id: `i${at}`, name: 'read', arguments: '{}', state: 'done', result } as const;
    const times = { startedAt: 0, endedAt: 1, firstReasoning: undefined, firstAnswer: undefined };
    return { ...completeTurn(''), toolCalls: [{ ...call, startedAt: 0, endedAt: 1 }], tries: 1, times };
  });
  return { ...completeTurn(), rounds };
}

const promptOf = (sizes: readonly number[]) => EARLIER + sizes.reduce((sum, size) => sum + size + 40, 0);
const omit = (sizes: readonly number[], cachedInput = 0.3, images: readonly Image[] = []) =>
  findRoom({ turn: turnWith(sizes, images) }, promptOf(sizes), { ...DEFAULT_PRICES, cachedInput }, 1, WINDOW)
    ?.omission.results;
const roundsOf = (found: readonly OmittedResult[] | undefined) => found?.map(({ round }) => round);
const freed = (found: readonly OmittedResult[] = []) => found.reduce((sum, { tokens }) => sum + tokens, 0);

describe('Room in the context window for a long turn', () => {
  it('is made from 80 % of the window on, and never of the results of the last two rounds', () => {
    assert.equal(omit(Array.from({ length: 10 }, () => 7000)), undefined);
    const found = omit(Array.from({ length: 11 }, () => 7000));
    assert.ok(
      found !== undefined && freed(found) >= promptOf(Array.from({ length: 11 }, () => 7000)) - WINDOW / 2,
    );
    assert.deepEqual(roundsOf(omit([20_000, 30_000, 40_000])), [0]);
    assert.equal(omit([30_000, 60_000]), undefined);
  });

  it('is not made for little, nor of results with images or small ones', () => {
    assert.equal(omit([5000, 40_000, 40_000]), undefined);
    assert.equal(omit([20_000, 30_000, 40_000], 0.3, [{ type: 'image/png', base64: 'AA==' }]), undefined);
    assert.equal(omit([...Array.from({ length: 60 }, () => 100), 40_000, 40_000]), undefined);
  });

  it('is made of the results of the last rounds, too, where the window would be too small for the request', () => {
    assert.deepEqual(roundsOf(omit([10_000, 60_000, 60_000])), [0, 1], 'the last one stays');
    assert.deepEqual(roundsOf(omit([60_000, 60_000])), [0]);
    assert.equal(omit([5000, 110_000]), undefined, 'an answer goes on from its last results');
    const asked = (sizes: readonly number[]) => {
      const earlier = () => toSentParts(toPieces([exchangeOf('First?', turnWith(sizes))]), 1);
      return roundsOf(findRoom({ earlier }, promptOf(sizes), DEFAULT_PRICES, 1, WINDOW)?.omission.earlier);
    };
    assert.deepEqual(asked([60_000, 60_000]), [0]);
    assert.deepEqual(asked([5000, 110_000]), [0, 1], 'the next question would be refused as well');
    assert.equal(asked([30_000, 60_000]), undefined);
    // Nothing that is left out would be enough.
    const long = findRoom({ turn: turnWith([60_000, 60_000]) }, 300_000, DEFAULT_PRICES, 1, WINDOW);
    assert.equal(long, undefined);
  });

  it('keeps a longer start cached where the cache is cheap, and drops more where it saves nothing', () => {
    const sizes = Array.from({ length: 12 }, () => 7000);
    const [cheap, dear] = [omit(sizes, 0), omit(sizes, 3)];
    assert.ok((roundsOf(cheap)?.[0] ?? 0) > 0, 'the first results stay in the cached start');
    assert.deepEqual(roundsOf(dear), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert.ok((cheap?.length ?? 99) < (dear?.length ?? 0));
  });

  it('is made of earlier answers and of the answer itself, by the same rule', () => {
    const sizes = Array.from({ length: 8 }, () => 7000);
    const [own, other] = [turnWith(sizes.slice(0, 4)), { ...turnWith(sizes), id: 'other' }];
    const earlier = () => toSentParts(toPieces([exchangeOf('First?', other)]), 1);
    const roomFor = (turn: Turn | undefined, cachedInput: number) => {
      const sent = { earlier, ...(turn && { turn }) };
      const { omission } = findRoom(sent, 90_000, { ...DEFAULT_PRICES, cachedInput }, 1, WINDOW) ?? {};
      return [roundsOf(omission?.earlier), roundsOf(omission?.results)];
    };
    // The last two rounds are those of the earlier answer, until the answer itself has two.
    assert.deepEqual(roomFor(undefined, 3), [[0, 1, 2, 3, 4, 5], []]);
    assert.deepEqual(roomFor(turnWith([7000]), 3), [[0, 1, 2, 3, 4, 5, 6], []]);
    assert.deepEqual(roomFor(own, 3), [
      [0, 1, 2, 3, 4, 5, 6, 7],
      [0, 1],
    ]);
    assert.deepEqual(roomFor(own, 0), [
      [4, 5, 6, 7],
      [0, 1],
    ]);
  });

  it('costs least of all that makes enough room, and is never too little if there is enough', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 300, max: 20_000 }), { minLength: 4, maxLength: 24 }),
        fc.double({ min: 0, max: 3, noNaN: true }),
        (sizes, cachedInput) => {
          const found = omit(sizes, cachedInput);
          const prompt = promptOf(sizes);
          if (found === undefined) return;
          assert.ok(prompt >= WINDOW * 0.8);
          const old = sizes.length - 2;
          // All old results from some round on.
          const first = found[0]?.round ?? 0;
          assert.deepEqual(
            roundsOf(found),
            Array.from({ length: old - first }, (_, at) => first + at),
          );
          const costFrom = (from: number) => {
            const before = promptOf(sizes.slice(0, from));
            const left = prompt - sizes.slice(from, old).reduce((sum, size) => sum + size, 0);
            return { left, cost: before * cachedInput + (left - before) * 3 };
          };
          const all = Array.from({ length: old }, (_, from) => costFrom(from)).filter(
            ({ left }) => left <= WINDOW / 2,
          );
          const { left, cost } = costFrom(first);
          if (all.length === 0) assert.equal(first, 0);
          // What surrounds a result is not known to the token.
          else assert.ok(left <= WINDOW / 2 + 1500 && cost <= Math.min(...all.map((one) => one.cost)) + 6000);
        },
      ),
    );
  });
});

describe('A turn that made room', () => {
  const call = (of: string) => calling(['read', `{"of":"${of}"}`, `id_${of}`]);
  const streams = [call('a'), call('b'), call('c'), answering('So.')];
  const run = async () => {
    const toolbox = toolboxOf(['read'], async ({ arguments: { of } }) => ({ text: `${of}`.repeat(4000) }));
    const once = ({ rounds, request }: Turn) =>
      rounds.length === 2 && request.omitted === undefined
        ? { results: [{ round: 0, index: 0, tokens: 1000 }] }
        : undefined;
    return runWith(streams, toolbox, { findOmitted: once });
  };
  const textOf = (request: ChatRequest | undefined) => JSON.stringify(request?.messages);
  const answered = (turn: Turn, keepsResults?: true) => {
    const exchange = exchangeOf('Why?', turn);
    return { ...exchange, question: { ...exchange.question, ...(keepsResults && { keepsResults }) } };
  };

  it('sends a note in place of the result from then on, and everything else with the same bytes', async () => {
    const { turn, requests } = await run();
    assert.equal(turn.outcome, 'complete');
    assert.match(textOf(requests[1]), /a{4000}/);
    for (const later of requests.slice(2)) {
      assert.doesNotMatch(textOf(later), /a{4000}/);
      assert.match(textOf(later), /b{4000}/);
    }
    const [note] = requests[2]?.messages.slice(REQUEST.messages.length + 1) ?? [];
    assert.deepEqual(note, {
      role: 'tool',
      tool_call_id: 'id_a',
      content: '[result left out to make room: call the tool again if you need it]',
    });
    const without = (request: ChatRequest | undefined) =>
      request?.messages.map((message) =>
        message.role === 'tool' && message.tool_call_id === 'id_a' ? '' : message,
      );
    assert.deepEqual(without(requests[2])?.slice(0, requests[1]?.messages.length), without(requests[1]));
    assert.deepEqual(requests[3]?.messages.slice(0, requests[2]?.messages.length), requests[2]?.messages);
    assert.equal(turn.rounds[0]?.toolCalls[0]?.result?.text.length, 4000, 'the conversation keeps it');
    assert.deepEqual(turn.request.omitted, [
      { fromRound: 2, results: [{ round: 0, index: 0, tokens: 1000 }] },
    ]);
    assert.ok(requests[3] && turn.request.prefix === toPrefix(requests[3]));
  });

  it('begins the next request with the same bytes, until the user takes it back', async () => {
    const { turn, requests } = await run();
    const next = (keepsResults?: true) =>
      toMessages('', [answered(turn, keepsResults)], { text: 'And?', images: [] });
    const sent = requests[3]?.messages.slice(REQUEST.messages.length) ?? [];
    assert.deepEqual(next().slice(1, 1 + sent.length), sent);
    assert.match(JSON.stringify(next(true)), /a{4000}/);
    const meter = (keepsResults?: true) =>
      estimateNext(conversationOf(answered(turn, keepsResults)), '', '', 0, DEFAULT_PRICES).promptTokens;
    assert.equal(meter(true) - meter(), 1000);
  });

  it('counts in the estimate as the user has chosen it since, also after a later answer', async () => {
    const { turn } = await run();
    const meter = (sentWith: true | undefined, keepsResults: true | undefined) => {
      const messages = toMessages('', [answered(turn, sentWith)], { text: 'And?', images: [] });
      const later = completeTurn('Yes.', { prefix: toPrefix({ model: 'svc-k3', messages }) });
      const conversation = conversationOf(answered(turn, keepsResults), exchangeOf('And?', later));
      return estimateNext(conversation, '', '', 0, DEFAULT_PRICES).promptTokens;
    };
    const same = meter(undefined, undefined);
    assert.deepEqual(
      [meter(true, true), meter(undefined, true), meter(true, undefined)],
      [same, same + 1000, same - 1000],
    );
    // A route that reports no usage.
    const silent = {
      ...turn,
      usage: undefined,
      rounds: turn.rounds.map((round) => ({ ...round, usage: undefined })),
    };
    const estimated = (keepsResults?: true) =>
      estimateNext(conversationOf(answered(silent, keepsResults)), '', '', 0, DEFAULT_PRICES).promptTokens;
    assert.equal(estimated(true) - estimated(), 1000);
  });

  it('is left out again when the user takes that back, with the bytes of before', async () => {
    const { turn } = await run();
    const before = conversationOf(answered(turn), exchangeOf('And?', completeTurn()));
    const ids = before.exchanges.map(({ id }) => id);
    const kept = withKeptResults(before, ids.slice(0, 1), true);
    assert.deepEqual(
      keptExchanges(kept).map(({ id }) => id),
      ids.slice(0, 1),
    );
    const back = withKeptResults(kept, ids, false);
    assert.deepEqual([keptExchanges(back), JSON.stringify(back)], [[], JSON.stringify(before)]);
  });

  it('is so in a fork, in an exported file, and after a reload', async () => {
    const { turn } = await run();
    const conversation = { ...conversationOf(answered(turn, true)), title: 'a' };
    const fork = forkOf(conversation, undefined, { createdAt: 1, newId: () => 'b' });
    const read = parseExport(toExport(conversation, 0));
    assert.ok(read.ok);
    for (const [exchange] of [fork.exchanges, read.conversations[0]?.exchanges ?? []]) {
      assert.deepEqual(exchange?.attempts[0]?.request.omitted, turn.request.omitted);
      assert.equal(exchange?.question.keepsResults, true);
    }
    const asked = conversation.exchanges[0]?.question ?? assert.fail();
    const question = fromQuestionRecord(toQuestionRecord(asked).record, '', () => undefined, assert.fail);
    assert.equal(question.keepsResults, true);
    const text = { reasoning: '', answer: '' };
    const stored = fromTurnRecord('t', toTurnRecord(turn), text, turn.rounds, assert.fail);
    assert.deepEqual(stored.request.omitted, turn.request.omitted);
  });

  it('counts without the results, and is no loss of the cache, also if it was stopped before it reported usage', async () => {
    const { turn, requests } = await run();
    const [first, second] = turn.rounds;
    const third = requests[2];
    assert.ok(first && second && third);
    const usage = { ...SOME_USAGE, promptTokens: 9000, completionTokens: 0, totalTokens: 9000 };
    const stopped: Turn = {
      ...turn,
      outcome: 'stopped',
      answer: '',
      reasoning: '',
      usage: undefined,
      rounds: [first, { ...second, usage }],
      request: { ...turn.request, prefix: toPrefix(third) },
    };
    const { omitted, ...request } = stopped.request;
    const complete = { ...stopped, request };
    const meter = (one: Turn, keepsResults?: true) =>
      estimateNext(conversationOf(answered(one, keepsResults)), '', '', 0, DEFAULT_PRICES).promptTokens;
    assert.equal(meter(complete) - meter(stopped), 1000);
    assert.equal(meter(stopped, true), meter(complete), 'the results are sent again');
    const next = completeTurn('Yes.', { prefix: toPrefix(third) });
    const seen = { ...next, usage: { ...next.usage, cachedTokens: 1024 } } as Turn;
    assert.deepEqual(toNotices(seen, stopped), []);
    assert.deepEqual(
      toNotices(seen, complete).map(({ code }) => code),
      ['cache-dropped'],
    );
  });

  it('is no reason to say that the cache was lost', async () => {
    const { turn } = await run();
    const usage = (cachedTokens: number) => ({ ...completeTurn().usage, promptTokens: 9000, cachedTokens });
    const cached = [0, 8900, 1024, 8900].map((tokens) => ({ usage: { ...turn.usage, ...usage(tokens) } }));
    const rounds = turn.rounds.map((round, at) => ({ ...round, ...cached[at] })) as unknown as Turn['rounds'];
    const seen = { ...turn, ...cached[3], rounds } as Turn;
    assert.deepEqual(toNotices(seen, undefined), []);
    const { omitted, ...request } = seen.request;
    assert.deepEqual(
      toNotices({ ...seen, request }, undefined).map(({ code }) => code),
      ['cache-dropped'],
    );
  });
});
