import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withoutTail } from '../../../src/conversation/branches.ts';
import type { Conversation, Exchange } from '../../../src/conversation/conversation.ts';
import { forkOf } from '../../../src/conversation/fork.ts';
import { toNotices } from '../../../src/conversation/outcomes/notices.ts';
import { withKeptResults } from '../../../src/conversation/requestMessages/keptResults.ts';
import { wholePrefix } from '../../../src/conversation/requestPrefix.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { estimateNext } from '../../../src/conversation/usage/estimate.ts';
import { parseExport, toExport } from '../../../src/history/exportedJson.ts';
import { toImportedCopy } from '../../../src/history/importedCopy.ts';
import { fromTurnRecord, toTurnRecord } from '../../../src/history/records.ts';
import { CONTEXT_WINDOW_TOKENS } from '../../../src/service/limits.ts';
import { DEFAULT_PRICES } from '../../../src/service/prices.ts';
import { conversationOf, exchangeOf, NO_USAGE } from '../conversation/turns.ts';
import { COMPLETE, ROUTE } from '../service/wire.ts';
import {
  ask,
  beginsWith,
  calling,
  FULL,
  headers,
  notesIn,
  RESULT,
  sentIn,
  sizeOf,
  turnWith,
} from './fullConversation.ts';
import { SETTINGS } from './support.ts';

describe('Results of earlier answers that would nearly fill the context window', () => {
  it('are left out of the next question, but for those of the last two rounds, and listed with it', async () => {
    const { turn, messages } = await ask(FULL);
    assert.ok(sizeOf(messages) < CONTEXT_WINDOW_TOKENS * 0.5);
    assert.deepEqual(sentIn(messages).slice(-2), ['b_4', 'b_5']);
    const [omitted, ...more] = turn.request.omitted ?? [];
    assert.deepEqual([omitted?.fromRound, omitted?.results, more], [0, [], []]);
    assert.deepEqual(
      omitted?.earlier?.map(({ turn: of, round }) => `${of}_${round}`),
      notesIn(messages),
    );
    const text = FULL.exchanges[0]?.attempts[0]?.rounds[0]?.toolCalls[0]?.result?.text;
    assert.equal(text?.length, RESULT.length + 3, 'the conversation keeps it');
  });

  it('are sent if there is room', async () => {
    const { turn, messages } = await ask(conversationOf(exchangeOf('First?', turnWith('a', 10))));
    assert.deepEqual([turn.request.omitted, notesIn(messages)], [undefined, []]);
  });

  it('R11 are left out of later questions, too, with the same bytes', async () => {
    const third = await ask(FULL);
    const fourth = await ask(third.conversation, { text: 'Fourth?' });
    beginsWith(fourth.messages, third.messages);
    assert.equal(fourth.turn.request.omitted, undefined, 'decided once');
    assert.ok(wholePrefix(fourth.turn.request.prefix).startsWith(wholePrefix(third.turn.request.prefix)));
    // Without the tools, and where the answer failed before the service saw the question.
    const off = await ask(third.conversation, { text: 'Fourth?', tools: false });
    beginsWith(off.messages, third.messages);
    const failed = { ...third.turn, outcome: 'failed', answer: '', reasoning: '' } as const;
    const unsent = { ...FULL, exchanges: [...FULL.exchanges, exchangeOf('Third?', failed)] };
    beginsWith((await ask(unsent, { text: 'Fourth?' })).messages, third.messages.slice(0, -1));
  });

  it('R11 are left out of another attempt and of the edited question, with the same bytes', async () => {
    const third = await ask(FULL);
    const again = await ask(third.conversation, { again: true });
    beginsWith(again.messages, third.messages);
    assert.deepEqual(again.turn.request.omitted, third.turn.request.omitted);
    const edited = await ask(withoutTail(third.conversation, 'Third?'), { text: 'Third, in short?' });
    beginsWith(edited.messages, third.messages.slice(0, -1));
    assert.deepEqual(edited.turn.request.omitted, third.turn.request.omitted);
  });

  it('R11 are left out of a fork, of an imported copy, and after a reload, with the same bytes', async () => {
    const third = await ask(FULL);
    let ids = 0;
    const renewed = { createdAt: 1, newId: () => `new${++ids}` };
    const read = parseExport(toExport(third.conversation, 0));
    assert.ok(read.ok);
    const stored = (turn: Turn) =>
      fromTurnRecord(turn.id, toTurnRecord(turn), turn, turn.rounds, assert.fail);
    const reloaded = {
      ...third.conversation,
      exchanges: third.conversation.exchanges.map((one) => ({ ...one, attempts: one.attempts.map(stored) })),
    };
    const [imported] = read.conversations;
    assert.ok(imported);
    const copies = [
      forkOf(third.conversation, undefined, renewed),
      toImportedCopy(third.conversation, renewed),
      imported,
      reloaded,
    ];
    for (const copy of copies) beginsWith((await ask(copy, { text: 'Fourth?' })).messages, third.messages);
  });

  it('are sent again if the user wants that, also with later questions, and left out again after that', async () => {
    const third = await ask(FULL);
    const kept = withKeptResults(third.conversation, ['Third?'], true);
    for (const again of [true, false]) {
      const { turn, messages } = await ask(kept, { again, text: 'Fourth?' });
      assert.deepEqual([notesIn(messages), turn.request.omitted], [[], undefined]);
    }
    const back = withKeptResults(kept, ['Third?'], false);
    beginsWith((await ask(back, { text: 'Fourth?' })).messages, third.messages);
  });

  it('are not left out again by a later question, which leaves out others instead', async () => {
    const third = await ask(FULL);
    const kept = withKeptResults(third.conversation, ['Third?'], true);
    const wanted = notesIn(third.messages);
    const more = { ...kept, exchanges: [...kept.exchanges, exchangeOf('Fourth?', turnWith('d', 6))] };
    const fifth = await ask(more, { text: 'Fifth?' });
    const left = notesIn(fifth.messages);
    assert.ok(left.length > 0);
    assert.deepEqual(
      left.filter((id) => wanted.includes(id)),
      [],
    );
  });

  it('are decided about anew if another attempt of the earlier answer is shown', async () => {
    const third = await ask(FULL);
    const [first, second, last] = third.conversation.exchanges;
    assert.ok(first && second && last);
    const other = { ...first, attempts: [...first.attempts, turnWith('x', 10)], shown: 1 };
    const fourth = await ask(
      { ...third.conversation, exchanges: [other, second, last] },
      { text: 'Fourth?' },
    );
    assert.ok(sizeOf(fourth.messages) < CONTEXT_WINDOW_TOKENS * 0.8);
    assert.ok(notesIn(fourth.messages).every((id) => !id.startsWith('a_')));
  });

  it('are not left out of another attempt if another earlier answer is shown, or the user wants them sent', async () => {
    const third = await ask(FULL);
    const [first, second, last] = third.conversation.exchanges;
    assert.ok(first && second && last);
    const other = { ...first, attempts: [...first.attempts, turnWith('x', 2)], shown: 1 };
    const again = await ask({ ...third.conversation, exchanges: [other, second, last] }, { again: true });
    assert.ok(notesIn(again.messages).every((id) => id.startsWith('b_')));
    const left = again.turn.request.omitted?.flatMap(({ earlier = [] }) => earlier) ?? [];
    assert.ok(left.every(({ turn }) => turn === 'b'));
    const kept = withKeptResults(third.conversation, ['First?'], true);
    assert.ok(notesIn((await ask(kept, { again: true })).messages).every((id) => id.startsWith('b_')));
  });

  it('are left out on a route that gets them as text', async () => {
    const route = { ...ROUTE, name: 'other', kind: 'gateway' } as const;
    const bare = (exchange: Exchange): Exchange => ({
      ...exchange,
      attempts: exchange.attempts.map((turn) => ({
        ...turn,
        reasoning: '',
        rounds: turn.rounds.map((round) => ({ ...round, reasoning: '' })),
      })),
    });
    const third = await ask({ ...FULL, exchanges: FULL.exchanges.map(bare) }, { route });
    assert.ok(third.messages.every(({ role }) => role !== 'tool'));
    assert.ok(sizeOf(third.messages) < CONTEXT_WINDOW_TOKENS * 0.8);
    const fourth = await ask(third.conversation, { route, text: 'Fourth?' });
    beginsWith(fourth.messages, third.messages);
    assert.equal(fourth.turn.request.omitted, undefined);
  });

  it('are left out between the requests of a long answer, and then of later questions', async () => {
    // There is room at first, and little to leave out in the answer itself.
    const most = conversationOf(exchangeOf('First?', turnWith('a', 13)));
    const replies = [calling(0), calling(1), { headers, body: COMPLETE }];
    const second = await ask(most, { text: 'Second?', replies });
    assert.deepEqual(notesIn(second.messages), []);
    const last = second.requests.at(-1)?.messages ?? [];
    assert.ok(sizeOf(last) < CONTEXT_WINDOW_TOKENS * 0.8);
    assert.deepEqual(sentIn(last).slice(-2), ['c_0', 'c_1']);
    const [omitted] = second.turn.request.omitted ?? [];
    assert.ok((omitted?.earlier?.length ?? 0) > 0 && (omitted?.fromRound ?? 0) > 0);
    const third = await ask(second.conversation);
    beginsWith(third.messages, last);
    // Another attempt begins with everything again: that is in the cache, too.
    const again = await ask(second.conversation, { again: true });
    beginsWith(again.messages, second.messages);
  });

  it('don’t count in the estimate of the message box, before and after they are left out', async () => {
    const meter = (conversation: Conversation) =>
      estimateNext(conversation, SETTINGS.systemPrompt, 'Third?', 0, DEFAULT_PRICES, { route: ROUTE });
    const before = meter(FULL);
    const third = await ask(FULL);
    const sent = sizeOf(third.messages);
    assert.ok(Math.abs(before.promptTokens - sent) < sent * 0.05, `${before.promptTokens} ${sent}`);
    const freed = (third.turn.request.omitted?.[0]?.earlier ?? []).reduce(
      (sum, { tokens }) => sum + tokens,
      0,
    );
    assert.ok(Math.abs((before.leftOutTokens ?? 0) - freed) <= 16);
    const after = meter(third.conversation);
    assert.ok(Math.abs(after.promptTokens - sent) < sent * 0.05, `${after.promptTokens} ${sent}`);
    assert.equal(after.leftOutTokens, undefined);
    // After a reported answer, also when the user changes it.
    const [first, second, last] = third.conversation.exchanges;
    assert.ok(first && second && last);
    const usage = { ...NO_USAGE, promptTokens: 500_000, completionTokens: 10 };
    const reported = {
      ...third.conversation,
      exchanges: [first, second, { ...last, attempts: [{ ...third.turn, usage }] }],
    };
    const kept = meter(withKeptResults(reported, ['Third?'], true));
    assert.equal(kept.promptTokens - meter(reported).promptTokens, freed);
  });

  it('are no reason to say that the cache was lost', async () => {
    const third = await ask(FULL);
    const usageOf = (promptTokens: number, cachedTokens: number) => ({
      ...{ ...NO_USAGE, promptTokens, cachedTokens, completionTokens: 50, totalTokens: promptTokens + 50 },
      reasoningTokens: 20,
    });
    const earlier = { ...turnWith('b', 0), usage: usageOf(830_000, 800_000) };
    const turn = { ...third.turn, usage: usageOf(400_000, 1024) };
    const codes = (one: Turn) => toNotices(one, earlier).map(({ code }) => code);
    assert.deepEqual(codes(turn), []);
    const { omitted, ...request } = turn.request;
    assert.deepEqual(codes({ ...turn, request }), ['cache-dropped']);
  });

  it('are sent as before where an earlier version has asked', async () => {
    const old = { fromRound: 2, results: [{ round: 0, index: 0, tokens: 60_000 }] };
    const conversation = conversationOf(exchangeOf('First?', turnWith('a', 6, { omitted: [old] })));
    const { messages } = await ask(conversation);
    assert.deepEqual(notesIn(messages), ['a_0']);
  });
});
