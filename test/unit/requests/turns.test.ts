import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { askedQuestion } from '../../../src/conversation/conversation.ts';
import { createReasoningMemory } from '../../../src/conversation/otherChats/reasoningMemory.ts';
import type { RefusedPart } from '../../../src/conversation/outcomes/refusedFields.ts';
import type { Purpose, Question } from '../../../src/conversation/question.ts';
import { toContinuation } from '../../../src/conversation/requestMessages/continuation.ts';
import { toPrefix } from '../../../src/conversation/requestMessages/prefix.ts';
import { wholePrefix } from '../../../src/conversation/requestPrefix.ts';
import { toRoutePlace } from '../../../src/conversation/routePlace.ts';
import type { Toolbox } from '../../../src/conversation/toolCalls/tools.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { type AttemptOptions, toConversationContent } from '../../../src/requests/conversationRequest.ts';
import { toOtherChatContent } from '../../../src/requests/otherChatRequest.ts';
import type { Refused } from '../../../src/requests/refusal.ts';
import type { TurnContent } from '../../../src/requests/turnContent.ts';
import type { TurnSettings } from '../../../src/requests/turnSettings.ts';
import {
  createTurns,
  type PreparedTurn,
  type TurnQuestion,
  type TurnsDeps,
} from '../../../src/requests/turns.ts';
import { CONTEXT_WINDOW_TOKENS } from '../../../src/service/limits.ts';
import { buildRequest } from '../../../src/service/request.ts';
import type { Message } from '../../../src/service/types.ts';
import type { Asker, Spending } from '../../../src/spending/dailyCap.ts';
import { text, user } from '../conversation/otherTurns.ts';
import { toolboxOf } from '../conversation/toolTurns.ts';
import { completeTurn, conversationOf, exchangeOf } from '../conversation/turns.ts';
import { COMPLETE, chunkOf, NEVER, type Reply, ROUTE, scripted, sse, USAGE_CHUNK } from '../service/wire.ts';
import { SETTINGS as BASE } from './support.ts';

const SETTINGS: TurnSettings = { ...BASE, systemPrompt: '' };
const WHOLE: Reply = { headers: { 'content-type': 'text/event-stream' }, body: COMPLETE };
const CALLS: Reply = {
  ...WHOLE,
  body: sse(
    chunkOf({
      tool_calls: [
        { index: 0, id: 'a', type: 'function', function: { name: 'read', arguments: '{"of":"a"}' } },
      ],
    }),
    chunkOf({}, 'tool_calls'),
    USAGE_CHUNK,
    '[DONE]',
  ),
};
/** Cost of the complete response: 208 new, 1,792 cached, and 50 output tokens. */
const COST = 208 * 3e-6 + 1792 * 0.3e-6 + 50 * 15e-6;

/** The same question from each source of requests. */
const QUESTIONS: Readonly<Record<Asker, TurnQuestion<TurnContent>>> = {
  conversation: {
    asker: 'conversation',
    countedAs: 'test',
    content: (settings) =>
      toConversationContent(
        settings,
        { conversation: conversationOf(), exchange: undefined, question: questionOf('Why?') },
        {},
        () => undefined,
      ),
  },
  'other-chat': {
    asker: 'other-chat',
    countedAs: 'test',
    content: (settings, route) =>
      toOtherChatContent(
        { messages: [user(text('Why?'))], tools: [] },
        createReasoningMemory(),
        settings,
        route,
      ),
  },
  'connection-check': {
    asker: 'connection-check',
    countedAs: 'test',
    content: () => ({ request: { messages: [{ role: 'user', content: 'Why?' }] } }),
  },
};

/** A question about a file, with tools. */
const readingWith = (toolbox: ReturnType<typeof toolboxOf>): TurnQuestion<TurnContent> => ({
  ...QUESTIONS.conversation,
  content: (given) =>
    toConversationContent(
      given,
      { conversation: conversationOf(), exchange: undefined, question: questionOf('Read a.') },
      {},
      () => toolbox,
    ),
});
const ALL = Object.values(QUESTIONS);

function questionOf(words: string): Question {
  return { text: words, images: [], origin: undefined };
}

describe('A turn', () => {
  let settings: TurnSettings;
  let demoKey: string | undefined;
  let send: ReturnType<typeof scripted>;
  let recorded: { as: string; turn: Turn }[];
  let spent: number;
  let asked: { spending: Spending; asker: Asker }[];
  let agrees: boolean | Promise<boolean>;
  let lines: string[];
  beforeEach(() => {
    settings = SETTINGS;
    demoKey = undefined;
    recorded = [];
    spent = 0;
    asked = [];
    agrees = false;
    lines = [];
    send = scripted(WHOLE, WHOLE, WHOLE);
  });

  const log = {
    info: (line: string) => void lines.push(line),
    warn: (line: string) => void lines.push(line),
  };
  const turns = (more: Partial<TurnsDeps> = {}) =>
    createTurns({
      settings: () => settings,
      routes: { named: () => undefined, active: () => ({ route: ROUTE, demoKey }) },
      keys: { find: async () => ({ found: true, key: 'sk-secret', source: 'stored' }) },
      transports: { for: async () => send },
      spentToday: () => spent,
      async confirm(spending, asker) {
        asked.push({ spending, asker });
        return agrees;
      },
      putSpend: (as, turn) => void recorded.push({ as, turn }),
      log,
      ...more,
    });

  function isPrepared<C extends TurnContent>(
    made: PreparedTurn<C> | Refused,
  ): asserts made is PreparedTurn<C> {
    assert.ok(made.ok, JSON.stringify(made));
  }

  async function run(question: TurnQuestion<TurnContent>, onStep: (turn: Turn) => void = () => undefined) {
    const prepared = await turns().prepare(question, NEVER);
    isPrepared(prepared);
    return prepared.run({ signal: NEVER, onStep: ({ turn }) => onStep(turn) });
  }

  it('Q15 remembers that a probe had seen its effort work, where it is one that can be ignored', async () => {
    for (const [effort, works] of [
      ['low', true],
      ['high', true],
      ['max', undefined],
      [undefined, undefined],
    ] as const) {
      settings = { ...SETTINGS, effort };
      const prepared = await turns({ effortWorks: ({ name }) => name === ROUTE.name }).prepare(
        QUESTIONS.conversation,
        NEVER,
      );
      isPrepared(prepared);
      prepared.discard();
      assert.equal(prepared.initialTurn.request.effortWorks, works);
    }
    settings = { ...SETTINGS, effort: 'low' };
    assert.equal((await run(QUESTIONS.conversation)).request.effortWorks, undefined, 'nothing is known');
  });

  it('F1 remembers that its route had refused a budget at the ceiling in a probe, where no larger budget helps', async () => {
    for (const part of ['ceiling', 'effort'] as const) {
      const refuses = (one: RefusedPart, { name }: { readonly name: string }) =>
        one === part && name === ROUTE.name;
      for (const question of ALL) {
        const prepared = await turns({ refuses }).prepare(question, NEVER);
        isPrepared(prepared);
        prepared.discard();
        const { refusesCeiling } = prepared.initialTurn.request;
        assert.equal(refusesCeiling, part === 'ceiling' ? true : undefined, part);
      }
    }
  });

  it('sends the same request for all sources', async () => {
    for (const question of ALL) await run(question);
    const bodies = send.requests.map(({ body }) => body);
    assert.equal(new Set(bodies).size, 1, bodies.join('\n'));
    assert.equal(bodies.length, ALL.length);
  });

  it('keeps the lines that it was asked about, if they are other ones than before', async () => {
    const origin = { uri: 'file:///a.ts', startLine: 0, endLine: 0, text: 'now;\n' };
    const question = { ...questionOf('Fix.'), origin: { ...origin, text: 'before;\n' } };
    const context = { conversation: conversationOf(), exchange: undefined, question };
    const turn = await run({
      asker: 'conversation',
      countedAs: 'test',
      content: (used) =>
        toConversationContent(used, context, { prompt: 'Fix now.', origin }, () => undefined),
    });
    assert.match(send.requests[0]?.body ?? '', /Fix now\./);
    assert.deepEqual(askedQuestion({ question }, turn), { ...question, origin });
    assert.equal(askedQuestion({ question }, completeTurn()), question);
  });

  it('records the same cost once and logs it, for all sources', async () => {
    for (const question of ALL) await run(question);
    const accounts = recorded.map(({ as, turn: { usage, outcome, request } }) => ({
      as,
      usage,
      outcome,
      request,
    }));
    assert.equal(accounts.length, ALL.length);
    for (const account of accounts) assert.deepEqual(account, accounts[0]);
    assert.equal(lines.filter((line) => /turn .*outcome complete/.test(line)).length, ALL.length);
  });

  it('asks about the cap, refuses, and sends nothing, for all sources', async () => {
    settings = { ...SETTINGS, dailyCap: 1 };
    spent = 1;
    const refusals = [];
    for (const question of ALL) refusals.push(await turns().prepare(question, NEVER));
    for (const refusal of refusals) assert.deepEqual(refusal, refusals[0]);
    assert.deepEqual(refusals[0], {
      ok: false,
      refusal: { kind: 'over-cap', ...asked[0]?.spending },
    });
    assert.deepEqual(
      asked.map(({ asker }) => asker),
      Object.keys(QUESTIONS),
    );
    assert.equal(send.requests.length, 0);
  });

  it('is expected to be cached after the route was renamed, and not after another one was chosen', async () => {
    settings = { ...SETTINGS, dailyCap: 1 };
    spent = 1;
    const messages: Message[] = [{ role: 'user', content: 'x'.repeat(8000) }];
    const request = { messages, tools: [] };
    const built = buildRequest({ ...request, model: ROUTE.model });
    assert.ok(built.ok);
    const prefix = toPrefix(built.request);
    const inputCost = async (routeName: string, routePlace: string, names: readonly string[] = []) => {
      const earlier = completeTurn('Because.', { routeName, routePlace, prefix });
      const content = () => ({ request, toolbox: undefined, earlier });
      const named = (name: string) => (names.includes(name) ? { route: ROUTE, demoKey } : undefined);
      const routes = { named, active: () => ({ route: ROUTE, demoKey }) };
      await turns({ routes }).prepare({ ...QUESTIONS.conversation, content }, NEVER);
      return asked.at(-1)?.spending.inputCost ?? assert.fail();
    };
    const here = toRoutePlace(ROUTE);
    const cached = await inputCost(ROUTE.name, here);
    assert.equal(await inputCost('earlier', here), cached);
    assert.ok((await inputCost('earlier', 'elsewhere')) > cached);
    assert.ok((await inputCost('second', here, ['second'])) > cached, 'it can have another key');
  });

  it('keeps of its request only what that of the turn before has not', async () => {
    const ask = async (earlier: Turn | undefined, ...texts: readonly string[]) => {
      const messages = texts.map((content): Message => ({ role: 'user', content }));
      const content = () => ({ request: { messages, tools: [] }, toolbox: undefined, earlier });
      const prepared = await turns().prepare({ ...QUESTIONS.conversation, content }, NEVER);
      isPrepared(prepared);
      return prepared.initialTurn;
    };
    const first = await ask(undefined, 'One?');
    const { prefix } = (await ask(first, 'One?', 'One.', 'Two?')).request;
    const { prefix: whole } = (await ask(undefined, 'One?', 'One.', 'Two?')).request;
    assert.ok(typeof prefix !== 'string' && typeof whole === 'string');
    assert.equal(prefix.before, first.request.prefix);
    assert.equal(prefix.added.length, 16);
    assert.equal(wholePrefix(prefix), whole);
  });

  it('is sent for all sources after one approval', async () => {
    settings = { ...SETTINGS, dailyCap: 1 };
    spent = 1;
    agrees = true;
    const one = turns();
    for (const question of ALL) {
      const prepared = await one.prepare(question, NEVER);
      isPrepared(prepared);
      await prepared.run({ signal: NEVER, onStep: () => undefined });
    }
    assert.equal(asked.length, 1);
    assert.equal(send.requests.length, ALL.length);
  });

  it('is kept with a hash of the address of its route, by which that is known under another name', async () => {
    for (const question of ALL) assert.equal((await run(question)).request.routePlace, toRoutePlace(ROUTE));
  });

  it('is marked and never checked against the cap when the demo answers', async () => {
    settings = { ...SETTINGS, dailyCap: 0 };
    spent = 100;
    demoKey = 'demo-key';
    for (const question of ALL) {
      const { request } = await run(question);
      assert.deepEqual([request.demo, request.routePlace], [true, undefined]);
    }
    assert.deepEqual(asked, []);
  });

  it('is refused as stopped while the dialog about the cap is open, for all sources', async () => {
    settings = { ...SETTINGS, dailyCap: 1 };
    spent = 1;
    agrees = new Promise(() => undefined);
    for (const question of ALL) {
      const stop = new AbortController();
      const refused = turns().prepare(question, stop.signal);
      stop.abort();
      assert.deepEqual(await refused, { ok: false, refusal: { kind: 'stopped' } });
    }
    assert.deepEqual(lines, []);
  });

  it('ends as stopped while the dialog about a further request of a tool loop is open', async () => {
    settings = { ...SETTINGS, dailyCap: 0.01 };
    send = scripted(CALLS, WHOLE);
    agrees = new Promise(() => undefined);
    const toolbox = toolboxOf(['read'], async () => ({ text: 'x'.repeat(40_000) }));
    const prepared = await turns().prepare(
      {
        ...QUESTIONS.conversation,
        content: () => ({
          request: { messages: [{ role: 'user', content: 'Read a.' }], tools: [] },
          toolbox,
        }),
      },
      NEVER,
    );
    isPrepared(prepared);
    const stop = new AbortController();
    const ended = prepared.run({ signal: stop.signal, onStep: () => undefined });
    while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    stop.abort();
    assert.equal((await ended).outcome, 'stopped');
    assert.equal(send.requests.length, 1);
  });

  it('counts against the cap until it has ended or is discarded', async () => {
    settings = { ...SETTINGS, dailyCap: 1e-6 * 3 * 1000 };
    const long = 'x'.repeat(2400);
    const question: TurnQuestion<TurnContent> = {
      ...QUESTIONS['connection-check'],
      content: () => ({ request: { messages: [{ role: 'user', content: long }] } }),
    };
    const one = turns();
    const first = await one.prepare(question, NEVER);
    isPrepared(first);
    const second = await one.prepare(question, NEVER);
    assert.ok(!second.ok && second.refusal.kind === 'over-cap');
    first.discard();
    const third = await one.prepare(question, NEVER);
    isPrepared(third);
    await third.run({ signal: NEVER, onStep: () => undefined });
    isPrepared(await one.prepare(question, NEVER));
  });

  describe('without usage', () => {
    const withoutUsage = (text: string): Reply => ({
      ...WHOLE,
      body: sse(
        chunkOf({ reasoning_content: text }),
        chunkOf({ content: text }),
        chunkOf({}, 'stop'),
        '[DONE]',
      ),
    });
    const costs = async (reply: Reply) => {
      send = scripted(reply);
      return (await run(QUESTIONS.conversation)).estimatedCost ?? 0;
    };

    it('has an estimated cost, of its input and of the text that arrived', async () => {
      const long = await costs(withoutUsage('x'.repeat(4000)));
      // 2,000 tokens of output, and about 90 of input.
      assert.ok(Math.abs(long - 2000 * 15e-6 - 100 * 3e-6) < 30 * 3e-6, String(long));
      assert.ok((await costs(withoutUsage('x'))) > 90 * 3e-6);
    });

    it('has none if the usage came, if the service refused it, or if the demo answered', async () => {
      assert.equal(await costs(WHOLE), 0);
      assert.equal(await costs({ status: 400, body: '{"error":{"message":"no"}}' }), 0);
      demoKey = 'demo-key';
      assert.equal(await costs(withoutUsage('x')), 0);
    });

    it('has, while it runs, what its estimate is calculated from, of each request', async () => {
      send = scripted(CALLS, WHOLE);
      const toolbox = toolboxOf(['read'], async () => ({ text: 'a' }));
      const prepared = await turns().prepare(readingWith(toolbox), NEVER);
      isPrepared(prepared);
      const steps: Turn[] = [];
      const ended = await prepared.run({ signal: NEVER, onStep: ({ turn }) => steps.push(turn) });
      const counts = [prepared.initialTurn, ...steps].map(({ costBasis }) => costBasis?.inputCosts.length);
      assert.deepEqual([...new Set(counts)], [1, 2, undefined]);
      assert.equal(ended.costBasis, undefined);
    });

    it('has one for the requests of a tool loop that did not report it', async () => {
      send = scripted(
        { ...CALLS, body: String(CALLS.body).replace(/data: [^\n]*usage[^\n]*\n\n/, '') },
        WHOLE,
      );
      const toolbox = toolboxOf(['read'], async () => ({ text: 'a' }));
      const turn = await run(readingWith(toolbox));
      assert.deepEqual([turn.outcome, turn.rounds.length], ['complete', 1]);
      assert.ok((turn.estimatedCost ?? 0) > 90 * 3e-6, String(turn.estimatedCost));
      assert.ok((turn.estimatedCost ?? 1) < 300 * 3e-6, String(turn.estimatedCost));
    });
  });

  it('asks before each further request of a tool loop, whose input includes the tool results', async () => {
    settings = { ...SETTINGS, dailyCap: 0.01 };
    send = scripted(CALLS, WHOLE);
    const toolbox = toolboxOf(['read'], async () => ({ text: 'x'.repeat(40_000) }));
    const question = readingWith(toolbox);
    const turn = await run(question);
    assert.equal(turn.outcome, 'stopped');
    assert.equal(send.requests.length, 1);
    const [one, ...more] = asked;
    assert.deepEqual(more, []);
    assert.ok(one !== undefined && Math.abs(one.spending.spent - COST) < 1e-9);
    assert.ok(one.spending.inputCost > 0.03, String(one.spending.inputCost));
    assert.equal(recorded.length, 1);
  });

  it('asks before a further request of a tool loop about the cap as it is then', async () => {
    const caps = [
      { before: undefined, after: 0.01, outcome: 'stopped', requests: 1 },
      { before: 0.01, after: undefined, outcome: 'complete', requests: 2 },
    ] as const;
    for (const { before, after, outcome, requests } of caps) {
      settings = { ...SETTINGS, dailyCap: before };
      send = scripted(CALLS, WHOLE);
      const toolbox = toolboxOf(['read'], async () => {
        settings = { ...SETTINGS, dailyCap: after };
        return { text: 'x'.repeat(40_000) };
      });
      const turn = await run({
        ...QUESTIONS.conversation,
        content: () => ({
          request: { messages: [{ role: 'user', content: 'Read a.' }], tools: [] },
          toolbox,
        }),
      });
      assert.deepEqual([turn.outcome, send.requests.length], [outcome, requests]);
    }
  });

  it('keeps the cap in a tool loop while the setting can’t be read', async () => {
    settings = { ...SETTINGS, dailyCap: 0.01 };
    send = scripted(CALLS, WHOLE);
    const toolbox = toolboxOf(['read'], async () => {
      const problem = { setting: 'k3.dailyCap', problem: 'not-a-number', value: 'much' } as const;
      settings = { ...SETTINGS, dailyCap: undefined, problems: [problem] };
      return { text: 'x'.repeat(40_000) };
    });
    const turn = await run({
      ...QUESTIONS.conversation,
      content: () => ({
        request: { messages: [{ role: 'user', content: 'Read a.' }], tools: [] },
        toolbox,
      }),
    });
    assert.deepEqual([turn.outcome, asked.length, send.requests.length], ['stopped', 1, 1]);
  });

  it('does not count a refused request against the cap when it is sent again in another form', async () => {
    settings = { ...SETTINGS, dailyCap: 0.01 };
    send = scripted(
      { status: 400, body: JSON.stringify({ error: { type: 'invalid_request_error', message: 'no' } }) },
      WHOLE,
    );
    // The image alone costs about 0.006 USD, so two requests would exceed the cap.
    const question: TurnQuestion<TurnContent> = {
      ...QUESTIONS.conversation,
      content: () => ({
        request: {
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: [{ type: 'image_url', image_url: { url: 'ms://f1' } }] },
          ],
        },
      }),
    };
    const turn = await run(question);
    assert.deepEqual(asked, []);
    assert.deepEqual([turn.outcome, send.requests.length], ['complete', 2]);
  });

  describe('with an image, for a route that drops images', () => {
    const image = { name: 'a.png', url: 'data:image/png;base64,iVBORw0KGgo=' };
    const withImage = { ...questionOf('What is this?'), images: [image] };
    const earlier = conversationOf({ ...exchangeOf('What is this?', completeTurn()), question: withImage });
    const plain = questionOf('And?');
    const ask = (question: Question, conversation = conversationOf()): TurnQuestion<TurnContent> => ({
      asker: 'conversation',
      countedAs: 'test',
      content: (used) =>
        toConversationContent(used, { conversation, exchange: undefined, question }, {}, () => undefined),
    });
    let about: string[];
    let mayDrop: Promise<boolean> | undefined;
    beforeEach(() => {
      about = [];
      mayDrop = Promise.resolve(false);
    });
    const prepare = (question: TurnQuestion<TurnContent>, signal = NEVER) =>
      turns({
        mayDropImages(route) {
          about.push(route.name);
          return mayDrop;
        },
      }).prepare(question, signal);

    it('is not sent when the user does not want that, also an image of an earlier question', async () => {
      for (const question of [ask(withImage), ask(plain, earlier)]) {
        const refused = await prepare(question);
        assert.deepEqual(refused, { ok: false, refusal: { kind: 'images-dropped', routeName: 'direct' } });
      }
      assert.deepEqual(about, ['direct', 'direct']);
      assert.deepEqual(send.requests, []);
    });

    it('is sent when the user agrees, or when there is nothing to ask', async () => {
      for (const answer of [Promise.resolve(true), undefined]) {
        mayDrop = answer;
        const prepared = await prepare(ask(withImage));
        isPrepared(prepared);
        prepared.discard();
      }
    });

    it('is asked about before the cost, and not without an image or by a probe', async () => {
      settings = { ...settings, dailyCap: 0.000001 };
      assert.ok(!(await prepare(ask(withImage))).ok);
      assert.deepEqual(asked, []);
      await prepare(ask(plain));
      await prepare({ ...ask(withImage), asker: 'connection-check' });
      assert.deepEqual(about, ['direct']);
    });

    it('is refused as stopped while the question is open', async () => {
      mayDrop = new Promise(() => undefined);
      const stop = new AbortController();
      const refused = prepare(ask(withImage), stop.signal);
      stop.abort();
      assert.deepEqual(await refused, { ok: false, refusal: { kind: 'stopped' } });
    });
  });

  it('records no cost separately when a conversation stores it', async () => {
    await run({ ...QUESTIONS.conversation, countedAs: undefined });
    assert.deepEqual(recorded, []);
  });

  it('keeps what it costs while it runs in no conversation, with what has arrived, and nothing in the demo', async () => {
    const kept: (readonly [as: string, outcome: Turn['outcome'], cost: number | undefined])[] = [];
    const beginSpend: TurnsDeps['beginSpend'] = (as, { outcome, estimatedCost }) =>
      void kept.push([as, outcome, estimatedCost]);
    const runAs = async (question: TurnQuestion<TurnContent>) => {
      kept.length = 0;
      const prepared = await turns({ beginSpend }).prepare(question, NEVER);
      isPrepared(prepared);
      await prepared.run({ signal: NEVER, onStep: () => undefined });
      return [...kept];
    };
    for (const name of ['other-chat', 'connection-check'] as const) {
      send = scripted(WHOLE);
      const [[as, outcome, cost = 0] = assert.fail(), ...more] = await runAs(QUESTIONS[name]);
      assert.deepEqual([as, outcome, cost > 0, more], ['test', 'interrupted', true, []]);
    }
    send = scripted(WHOLE, WHOLE, WHOLE);
    const ofDay = await runAs({ ...QUESTIONS['other-chat'], countedAs: undefined, begunAs: 'day' });
    assert.equal(ofDay[0]?.[0], 'day');
    assert.deepEqual(await runAs({ ...QUESTIONS.conversation, countedAs: undefined }), []);
    demoKey = 'demo';
    assert.deepEqual(await runAs(QUESTIONS['other-chat']), []);
  });

  it('ends and is recorded when a listener throws, which is logged once', async () => {
    const turn = await run(QUESTIONS['other-chat'], () => {
      throw new Error('a listener of the test');
    });
    assert.equal(turn.outcome, 'complete');
    assert.equal(recorded.length, 1);
    assert.equal(lines.filter((line) => line.includes('a listener of the test')).length, 1);
  });

  it('is recorded when it was stopped and when it failed', async () => {
    send = scripted({ status: 401, body: '{}' });
    assert.equal((await run(QUESTIONS['connection-check'])).outcome, 'failed');
    const prepared = await turns().prepare(QUESTIONS['other-chat'], NEVER);
    isPrepared(prepared);
    const stopped = await prepared.run({ signal: AbortSignal.abort(), onStep: () => undefined });
    assert.equal(stopped.outcome, 'stopped');
    assert.equal(recorded.length, 2);
  });

  it('is not sent any more when the window is closed, because its cost would not be recorded', async () => {
    const all = turns();
    const checks = QUESTIONS['connection-check'];
    const stopped = { ok: false, refusal: { kind: 'stopped' } };
    const prepared = await all.prepare(checks, NEVER);
    isPrepared(prepared);
    const preparing = all.prepare(QUESTIONS['other-chat'], NEVER);
    all.interrupt();
    assert.deepEqual(await preparing, stopped);
    assert.deepEqual(await all.prepare(checks, NEVER), stopped);
    const turn = await prepared.run({ signal: NEVER, onStep: () => undefined });
    assert.deepEqual([turn.outcome, send.requests.length], ['stopped', 0]);
  });

  it('is refused and logged when preparing it throws', async () => {
    const refused = await turns().prepare(
      {
        ...QUESTIONS.conversation,
        content() {
          throw new Error('no such file');
        },
      },
      NEVER,
    );
    assert.deepEqual(refused, { ok: false, refusal: { kind: 'transport', message: 'no such file' } });
    assert.equal(lines.length, 1);
  });

  it('is refused when another chat has data that the service does not accept', async () => {
    const data = {
      type: 'data',
      mime: 'application/pdf',
      bytes: new TextEncoder().encode('%PDF-1.7'),
    } as const;
    const refused = await turns().prepare(
      {
        ...QUESTIONS['other-chat'],
        content: (given, route) =>
          toOtherChatContent({ messages: [user(data)], tools: [] }, createReasoningMemory(), given, route),
      },
      NEVER,
    );
    assert.ok(!refused.ok && refused.refusal.kind === 'unsupported');
  });
});

describe('The request of a conversation', () => {
  const ask = (question: Question, tools: Toolbox = toolboxOf(['write', 'read'])) =>
    toConversationContent(
      { ...SETTINGS, systemPrompt: 'Be brief.', maxCompletionTokens: 500, promptCacheKey: true },
      { conversation: conversationOf(exchangeOf('a', completeTurn())), exchange: undefined, question },
      {},
      () => tools,
    );

  it('has the system prompt, the earlier messages, the question, and the tools in a stable order', () => {
    const { request, toolbox, earlier } = ask(questionOf('And then?'));
    assert.deepEqual(
      request.messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'user'],
    );
    assert.deepEqual(
      request.tools?.map((tool) => tool.function.name),
      ['read', 'write'],
    );
    assert.deepEqual(
      toolbox?.definitions.map(({ name }) => name),
      ['read', 'write'],
    );
    assert.equal(request.maxCompletionTokens, 500);
    assert.equal(request.promptCacheKey, 'c1');
    assert.equal(earlier?.outcome, 'complete');
  });

  it('R11 begins with the same bytes for every purpose, up to the new question', () => {
    const bytesOf = (purpose: Purpose | undefined) => {
      const { request } = ask({ ...questionOf('Change it.'), ...(purpose && { purpose }) });
      const built = buildRequest({ ...request, model: 'svc-k3' });
      assert.ok(built.ok);
      return JSON.stringify(built.request).split('],"stream"')[0];
    };
    assert.match(bytesOf(undefined) ?? '', /^\{"model":"svc-k3","tools":.*Change it/);
    for (const purpose of ['proposal', 'tests', 'findings', 'commit-message'] as const)
      assert.equal(bytesOf(purpose), bytesOf(undefined), purpose);
  });

  describe('on a route that refused fields in a probe', () => {
    const askRefused = (
      question: Question,
      options: AttemptOptions = {},
      refused: readonly RefusedPart[] = ['schema', 'effort'],
      settings: Partial<TurnSettings> = {},
    ) =>
      toConversationContent(
        { ...SETTINGS, effort: 'low', ...settings },
        {
          conversation: conversationOf(),
          exchange: undefined,
          question,
          refused: new Set(refused),
        },
        options,
        () => undefined,
      );

    for (const purpose of ['proposal', 'tests', 'findings'] as const)
      it(`has the form of ${purpose} in words, which are kept with the turn`, () => {
        const { request, prompt } = askRefused({ ...questionOf('Change it.'), purpose });
        assert.deepEqual([request.responseFormat, request.effort], [undefined, undefined]);
        assert.match(prompt ?? '', /^Change it\.\n\nAnswer with one JSON value .*\n\{"type":"object"/);
        assert.equal(request.messages.at(-1)?.content, prompt);
        const again = askRefused({ ...questionOf('Change it.'), purpose }, { prompt: 'Change it now.' });
        assert.match(again.prompt ?? '', /^Change it now\.\n\nAnswer with one JSON value/);
      });

    it('has a format that the user selected in words, too, if that is refused', () => {
      const schema = { type: 'object', required: ['a'] };
      const named = askRefused({ ...questionOf('Why?'), format: { kind: 'schema', name: 'x', schema } });
      assert.equal(named.request.responseFormat, undefined);
      assert.match(
        named.prompt ?? '',
        /^Why\?\n\nAnswer with one JSON value .*\n\{"type":"object","required":\["a"\]\}$/,
      );
      const json = askRefused({ ...questionOf('Why?'), format: { kind: 'json' } }, {}, ['json']);
      assert.deepEqual(
        [json.request.responseFormat, json.prompt, json.leftOut],
        [undefined, 'Why?\n\nAnswer with one JSON value and nothing else.', ['json']],
      );
    });

    it('has no effort that is refused, but the one that is accepted', () => {
      const sent = (effort: 'low' | 'max', refused: readonly RefusedPart[]) => {
        const { request, leftOut } = askRefused(questionOf('Why?'), {}, refused, { effort });
        return [request.effort, leftOut];
      };
      assert.deepEqual(sent('low', ['lower-effort']), [undefined, ['effort']]);
      assert.deepEqual(sent('max', ['lower-effort']), ['max', undefined]);
      assert.deepEqual(sent('max', ['effort']), [undefined, ['effort']]);
    });

    it('asks for the rest of an answer without words, which would ask for a whole one', () => {
      const rest = { ...questionOf('Go on.'), purpose: 'proposal', continues: 't1' } as const;
      const { request, prompt, leftOut } = askRefused(rest);
      assert.deepEqual([request.responseFormat, prompt], [undefined, undefined]);
      assert.deepEqual(leftOut, ['schema', 'effort']);
    });

    it('continues from the reasoning of all attempts before, beside the words', () => {
      const question = { ...questionOf('Change it.'), purpose: 'proposal' } as const;
      const spent = (reasoned: string, prompt?: string): Turn => ({
        ...completeTurn(),
        reasoning: reasoned,
        outcome: 'spent-on-reasoning',
        request: { ...completeTurn().request, prompt },
      });
      const first = askRefused(question, { prompt: toContinuation(question.text, spent('First, one.')) });
      const second = spent('Then two.', first.prompt);
      const again = askRefused(question, { prompt: toContinuation(question.text, second) });
      assert.match(again.prompt ?? '', /<reasoning>\nFirst, one\.\n\nThen two\.\n<\/reasoning>/);
      assert.equal(again.prompt?.match(/Answer with one JSON value/g)?.length, 1);
    });

    it('says what was left out, and only that', () => {
      const proposal = { ...questionOf('Change it.'), purpose: 'proposal' } as const;
      assert.deepEqual(askRefused(proposal).leftOut, ['schema', 'effort']);
      assert.deepEqual(askRefused(questionOf('Why?')).leftOut, ['effort']);
      assert.deepEqual(askRefused(questionOf('Why?'), { effort: 'default' }).leftOut, undefined);
      assert.deepEqual(askRefused(proposal, {}, []).leftOut, undefined);
    });

    it('has no output budget at the ceiling, which was refused, and smaller ones', () => {
      const ceiling = ['ceiling'] as const;
      const atCeiling = { maxCompletionTokens: CONTEXT_WINDOW_TOKENS * 2 };
      const { request, leftOut } = askRefused(questionOf('Why?'), {}, ceiling, atCeiling);
      assert.deepEqual([request.maxCompletionTokens, leftOut], [undefined, ['ceiling']]);
      for (const before of [600_000, CONTEXT_WINDOW_TOKENS / 2, undefined]) {
        const budgets = { budget: CONTEXT_WINDOW_TOKENS, ...(before && { budgetBefore: before }) };
        const larger = askRefused(questionOf('Why?'), budgets, ceiling);
        assert.deepEqual(
          [larger.request.maxCompletionTokens, larger.leftOut],
          [before, ['ceiling']],
          'that of the attempt before, if the probe came after it',
        );
      }
      const smaller = askRefused(questionOf('Why?'), { budget: 9000 }, ceiling, atCeiling);
      assert.deepEqual([smaller.request.maxCompletionTokens, smaller.leftOut], [9000, undefined]);
    });

    it('has no effort that another chat asks with', () => {
      const { request } = toOtherChatContent(
        { messages: [user(text('Why?'))], tools: [] },
        createReasoningMemory(),
        { ...SETTINGS, effort: 'low' },
        ROUTE,
        new Set(['effort']),
      ) as TurnContent;
      assert.equal(request.effort, undefined);
    });

    it('has a format that the user selected, and no words for a plain question', () => {
      const plain = askRefused(questionOf('Why?'));
      assert.deepEqual([plain.prompt, plain.request.messages.at(-1)?.content], [undefined, 'Why?']);
      const { request } = askRefused({ ...questionOf('Why?'), format: { kind: 'json' } });
      assert.equal(request.responseFormat?.type, 'json_object');
    });
  });

  it('runs no tools for a question with a form of its own, and says so to the model', async () => {
    const tools = toolboxOf(['read']);
    const { request, toolbox } = ask({ ...questionOf('Change it.'), purpose: 'proposal' }, tools);
    assert.equal(request.responseFormat?.type, 'json_schema');
    const result = await toolbox?.run({ id: 'a', name: 'read', arguments: { of: 'a' } }, NEVER);
    assert.match(result?.text ?? '', /^Not run: .*Answer in the form/);
    assert.equal(result?.failed, true);
    assert.deepEqual(tools.ran, []);
  });

  it('R11 offers the same tools for a prompt that leaves some out, runs only the others, and has its effort', async () => {
    const tools = toolboxOf(['read', 'write']);
    const plain = ask(questionOf('Why?'), tools).request;
    const { request, toolbox } = ask({ ...questionOf('Why?'), tools: ['read', 'run'], effort: 'low' }, tools);
    assert.deepEqual([request.tools, request.messages], [plain.tools, plain.messages]);
    assert.deepEqual([plain.effort, request.effort], [undefined, 'low']);
    for (const name of ['read', 'write', 'run'])
      await toolbox?.run({ id: 'a', name, arguments: { of: name } }, NEVER).catch(() => undefined);
    assert.ok(!JSON.stringify(tools.ran).includes('write'), JSON.stringify(tools.ran));
    assert.ok(JSON.stringify(tools.ran).includes('read'));
    const left = await toolbox?.run({ id: 'a', name: 'write', arguments: {} }, NEVER);
    assert.match(left?.text ?? '', /^Not run: the prompt/);
    // What isn't offered isn't offered by a prompt that names it.
    assert.ok(!request.tools?.some((tool) => tool.function.name === 'run'));
  });

  it('runs the tools for every other question', async () => {
    const tools = toolboxOf(['read']);
    const { toolbox } = ask(questionOf('Why?'), tools);
    await toolbox?.run({ id: 'a', name: 'read', arguments: { of: 'a' } }, NEVER);
    assert.equal(tools.ran.length, 1);
  });
});
