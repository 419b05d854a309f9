/** What a request says after two features met: a fork, an edit, a branch, another attempt, a continuation, a switch of routes. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withBranch, withoutTail } from '../../../src/conversation/branches.ts';
import { toContinuingQuestion, toEditedQuestion } from '../../../src/conversation/continuingQuestion.ts';
import {
  type Conversation,
  type Exchange,
  withExchange,
  withTurn,
} from '../../../src/conversation/conversation.ts';
import { forkOf } from '../../../src/conversation/fork.ts';
import type { Question } from '../../../src/conversation/question.ts';
import { exchangesBefore, toMessages } from '../../../src/conversation/requestMessages/transcript.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { toConversationContent } from '../../../src/requests/conversationRequest.ts';
import { createTurns } from '../../../src/requests/turns.ts';
import { toWholeAnswer } from '../../../src/requests/wholeAnswer.ts';
import { buildRequest } from '../../../src/service/request.ts';
import type { Transport } from '../../../src/service/transport.ts';
import type { Route } from '../../../src/service/types.ts';
import { answering, calling, runWith, toolboxOf } from '../conversation/toolTurns.ts';
import {
  answer,
  completeTurn,
  conversationOf,
  exchangeOf,
  SERVICE_ENDED,
  turnOf,
} from '../conversation/turns.ts';
import { COMPLETE, chunkOf, NEVER, ROUTE, scripted, sse, USAGE_CHUNK } from '../service/wire.ts';
import { SETTINGS } from './support.ts';

const IMAGE = { name: 'a.png', url: 'data:image/png;base64,AA==' };
const CONTEXT = { kind: 'file', label: 'a.ts', parts: [{ label: 'a.ts', text: 'let a;\n' }] } as const;
const OF_A = '{"of":"a"}';
const NEXT = { text: 'And now?', images: [] };

const asked = (id: string, turn: Turn, beside: Partial<Question> = {}): Exchange => {
  const exchange = exchangeOf(id, { ...turn, id: `turn of ${id}` });
  return { ...exchange, question: { ...exchange.question, ...beside } };
};
const bytesOf = (exchanges: readonly Exchange[]) => JSON.stringify(toMessages('Be brief.', exchanges, NEXT));
const rolesOf = (exchanges: readonly Exchange[]) => toMessages('', exchanges, NEXT).map(({ role }) => role);

let count = 0;
const fork = (conversation: Conversation, upTo?: string) =>
  forkOf(conversation, upTo, { createdAt: 0, newId: () => `new-${++count}` });

/** A turn with a call, and what came after the call. */
async function turnWithTools(end = answering('There.')): Promise<Turn> {
  const { turn } = await runWith([calling(['read', OF_A]), end], toolboxOf(['read']));
  return turn;
}

/** The end of a turn that is interrupted in its answer, or before it. */
const interrupted = (...texts: readonly string[]) => [
  { type: 'try', tries: 1 } as const,
  ...texts.map((text) => answer(text)),
];

/** Everything that can be in a question, and an answer with tool calls. */
const full = async (): Promise<Conversation> =>
  conversationOf(
    asked('a', await turnWithTools(), { images: [IMAGE], context: [CONTEXT] }),
    asked('b', completeTurn('Yes.')),
  );

describe('A fork', () => {
  it('sends the images, context, and tool results of its original, byte for byte', async () => {
    const original = await full();
    assert.equal(bytesOf(fork(original).exchanges), bytesOf(original.exchanges));
    const sent = bytesOf(fork(original, 'a').exchanges);
    for (const part of [IMAGE.url, 'let a;', 'read of a', 'There.']) assert.ok(sent.includes(part), part);
    assert.ok(!sent.includes('Yes.'));
  });

  it('is up to the answer that was on the page, also when another window shows another branch now', async () => {
    const edited = withExchange(withoutTail(await full(), 'b'), asked('c', completeTurn('Else.')));
    assert.deepEqual(
      fork(edited, 'b').exchanges.map(({ question }) => question.text),
      ['a', 'b'],
    );
  });

  it('has the attempt that is shown, and all others', () => {
    const [first, second] = [completeTurn('First.'), { ...completeTurn('Second.'), id: 't2' }];
    const both = { ...exchangeOf('a', first, second), shown: 0 };
    const [kept] = fork(conversationOf(both)).exchanges;
    assert.deepEqual(
      kept?.attempts.map((turn) => turn.answer),
      ['First.', 'Second.'],
    );
    assert.equal(kept.shown, 0);
  });
});

describe('An edited question', () => {
  const contentOf = (conversation: Conversation, question: Question) =>
    toConversationContent(SETTINGS, { conversation, exchange: undefined, question }, {}, () =>
      toolboxOf(['read']),
    ).request;

  it('asks for the same JSON with the same tools, after what came before the original', async () => {
    const format = { kind: 'schema', name: 'boat', schema: { type: 'object' } } as const;
    const earlier = await full();
    const original = asked('c', await turnWithTools(), { format });
    const conversation = withExchange(earlier, original);
    const before = contentOf(earlier, original.question);
    const edited = contentOf(
      withoutTail(conversation, 'c'),
      toEditedQuestion(original.question, 'Which other boat?'),
    );
    assert.equal(edited.responseFormat?.type, 'json_schema');
    assert.deepEqual(edited.responseFormat, before.responseFormat);
    assert.deepEqual(edited.tools, before.tools);
    assert.deepEqual(edited.messages.slice(0, -1), before.messages.slice(0, -1));
  });

  it('takes the rest of a continued answer to its branch, which is joined when it is shown again', () => {
    const first = asked('a', turnOf([answer('One and'), SERVICE_ENDED]));
    const question = toContinuingQuestion(first.question, first.attempts[0] ?? assert.fail(), 'Continue.');
    const rest = asked('b', completeTurn(' two.'), question);
    const edited = withExchange(
      withoutTail(conversationOf(first, rest), 'a'),
      asked('c', completeTurn('Three.')),
    );
    assert.ok(!bytesOf(edited.exchanges).includes('One and'));
    const { exchanges } = withBranch(edited, 'a');
    assert.equal(toWholeAnswer(exchanges, question, rest.attempts[0] ?? assert.fail()).text, 'One and two.');
  });
});

describe('Another attempt', () => {
  it('is asked without the tool calls of the first one, and sends its own afterwards', async () => {
    const { exchanges, ...rest } = await full();
    const first = exchanges[0] ?? assert.fail();
    const again = {
      ...first,
      attempts: [...first.attempts, { ...completeTurn('Anew.'), id: 't9' }],
      shown: 1,
    };
    const conversation = { ...rest, exchanges: [again] };
    assert.deepEqual(exchangesBefore(conversation, 'a'), []);
    assert.deepEqual(rolesOf([again]), ['user', 'assistant', 'user']);
    const sent = bytesOf([again]);
    assert.ok(sent.includes(IMAGE.url) && sent.includes('let a;') && !sent.includes('read of a'));
  });
});

describe('An answer with tool calls that is continued', () => {
  it('sends its calls and results once, when the connection was lost after some text', async () => {
    const turn = { ...(await turnWithTools(interrupted('One and'))), id: 't1' };
    assert.equal(turn.outcome, 'interrupted');
    const first = { ...exchangeOf('a', turn) };
    const question = toContinuingQuestion(first.question, turn, 'Continue.');
    assert.equal(question.continues, 't1');
    const messages = toMessages('', [first], question);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'assistant', 'user'],
    );
    assert.ok(buildRequest({ model: 'm', messages }).ok);
    const rest = { ...completeTurn(' two.'), id: 't2' };
    const exchanges = [first, { ...exchangeOf('b', rest), question }];
    assert.equal(toWholeAnswer(exchanges, question, rest).text, 'One and two.');
  });

  it('goes on from the results, when it ended before any text', async () => {
    for (const end of [interrupted(), calling(['read', '{"of":'])]) {
      const turn = await turnWithTools([...end.filter(({ type }) => type !== 'done')].slice(0, 3));
      assert.equal(turn.outcome, 'interrupted');
      const question = toContinuingQuestion(exchangeOf('a').question, turn, 'Continue.');
      const messages = toMessages('', [exchangeOf('a', turn)], question);
      assert.deepEqual(
        messages.map(({ role }) => role),
        ['user', 'assistant', 'tool', 'user'],
      );
      assert.ok(buildRequest({ model: 'm', messages }).ok);
    }
  });
});

describe('A switch to another route', () => {
  const OTHER: Route = {
    ...ROUTE,
    name: 'other',
    kind: 'gateway',
    root: 'https://other.example/v1',
    model: 'k3',
  };
  const whole = { headers: { 'content-type': 'text/event-stream' }, body: COMPLETE };
  const calls = {
    ...whole,
    body: sse(
      chunkOf({
        tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'read', arguments: OF_A } }],
      }),
      chunkOf({}, 'tool_calls'),
      USAGE_CHUNK,
      '[DONE]',
    ),
  };

  it('waits for the end of a tool loop, and gives the next question everything that was said before', async () => {
    const sent = scripted(calls, whole, whole);
    const keys: (string | undefined)[] = [];
    const send: Transport = (request) => {
      keys.push(`${request.headers['authorization']} to ${new URL(request.url).host}`);
      return sent(request);
    };
    let route = ROUTE;
    const turns = createTurns({
      settings: () => SETTINGS,
      routes: { named: () => undefined, active: () => ({ route, demoKey: undefined }) },
      keys: { find: async ({ name }) => ({ found: true, key: `key of ${name}`, source: 'stored' }) },
      transports: { for: async () => send },
      spentToday: () => 0,
      confirm: async () => true,
      putSpend: () => undefined,
      log: { info: () => undefined, warn: assert.fail },
    });
    const toolbox = toolboxOf(['read'], async () => {
      route = OTHER;
      return { text: 'read while the route was switched' };
    });
    const ask = async (conversation: Conversation, question: Question) => {
      const prepared = await turns.prepare(
        {
          asker: 'conversation',
          countedAs: undefined,
          content: (settings) =>
            toConversationContent(
              settings,
              { conversation, exchange: undefined, question },
              {},
              () => toolbox,
            ),
        },
        NEVER,
      );
      assert.ok(prepared.ok);
      return prepared.run({ signal: NEVER, onStep: () => undefined });
    };
    const question = { text: 'Read a.', images: [IMAGE], origin: undefined };
    const first = await ask(conversationOf(), question);
    assert.deepEqual(
      [first.outcome, first.rounds.length, first.request.routeName],
      ['complete', 1, ROUTE.name],
    );
    const exchange = { ...exchangeOf('a', first), question };
    const second = await ask(conversationOf(exchange), { text: 'And?', images: [], origin: undefined });
    assert.equal(second.request.routeName, 'other');
    const here = `Bearer key of ${ROUTE.name} to ${new URL(ROUTE.root).host}`;
    assert.deepEqual(keys, [here, here, 'Bearer key of other to other.example']);
    const bodies = sent.requests.map(({ body }) => JSON.parse(String(body)));
    assert.equal(bodies[2]?.model, 'k3');
    assert.deepEqual(bodies[2]?.messages.slice(0, bodies[1]?.messages.length), bodies[1]?.messages);
    assert.ok(JSON.stringify(bodies[2]).includes(IMAGE.url));
  });
});

const FORMAT = { kind: 'json' } as const;

/** Answers that did not end by themselves, with and without text. */
const UNENDED: Readonly<Record<string, Turn>> = Object.fromEntries(
  (['stopped', 'interrupted', 'truncated', 'stalled'] as const).flatMap((outcome) =>
    ['Half of', ''].map((text) => [
      `${outcome} with “${text}”`,
      { ...turnOf(text === '' ? [] : [answer(text)]), outcome },
    ]),
  ),
);

describe('An answer that did not end by itself', () => {
  it('is sent by a fork as by its original, and by a fork of the fork', () => {
    for (const [name, turn] of Object.entries(UNENDED)) {
      const original = conversationOf(asked('a', completeTurn('Yes.')), asked('b', turn));
      const bytes = bytesOf(original.exchanges);
      assert.equal(bytesOf(fork(original).exchanges), bytes, name);
      assert.equal(bytesOf(fork(fork(original)).exchanges), bytes, name);
    }
  });

  it('keeps the images and the context of its question in later requests', () => {
    for (const [name, turn] of Object.entries(UNENDED)) {
      const sent = bytesOf([asked('a', turn, { images: [IMAGE], context: [CONTEXT] })]);
      for (const part of [IMAGE.url, 'let a;']) assert.equal(sent.split(part).length, 2, `${name}: ${part}`);
    }
  });

  it('is not sent when it is asked again, in the same format, after the same messages', () => {
    for (const [name, turn] of Object.entries(UNENDED)) {
      const exchange = asked('b', turn, { format: FORMAT, context: [CONTEXT] });
      const conversation = conversationOf(
        asked('a', completeTurn('Yes.')),
        exchange,
        asked('c', completeTurn()),
      );
      const { question } = exchange;
      const { request } = toConversationContent(
        SETTINGS,
        { conversation, exchange, question },
        {},
        () => undefined,
      );
      const roles = request.messages.map(({ role }) => role).filter((role) => role !== 'system');
      assert.deepEqual(roles, ['user', 'assistant', 'user'], name);
      assert.ok(!JSON.stringify(request.messages).includes('Half of'), name);
      assert.deepEqual(request.responseFormat, { type: 'json_object' }, name);
    }
  });
});

describe('A branch', () => {
  const first = asked('a', completeTurn('{}'), { format: FORMAT, context: [CONTEXT], images: [IMAGE] });
  const edited = withExchange(withoutTail(conversationOf(first), 'a'), asked('b', completeTurn('Else.')));
  const contentOf = (conversation: Conversation, question: Question) =>
    toConversationContent(SETTINGS, { conversation, exchange: undefined, question }, {}, () => undefined)
      .request;

  it('sends the context and the format of its own questions only', () => {
    const next = { ...NEXT, origin: undefined };
    const other = contentOf(edited, next);
    for (const part of ['let a;', IMAGE.url]) assert.ok(!JSON.stringify(other.messages).includes(part), part);
    assert.equal(other.responseFormat, undefined);
    const shown = withBranch(edited, 'a');
    assert.equal(bytesOf(shown.exchanges), bytesOf([first]));
    assert.equal(bytesOf(withBranch(shown, 'b').exchanges), bytesOf(edited.exchanges));
  });

  it('keeps the attempts of its questions while those of another branch get more', () => {
    const [other] = edited.exchanges;
    assert.ok(other);
    const anew = { ...completeTurn('Anew.'), id: 'again' };
    const again = withExchange(edited, { ...other, attempts: [...other.attempts, anew], shown: 1 });
    assert.deepEqual(withBranch(again, 'a').exchanges, [first]);
    const back = withBranch(withBranch(again, 'a'), 'b').exchanges[0];
    assert.deepEqual(
      back?.attempts.map((turn) => turn.answer),
      ['Else.', 'Anew.'],
    );
    // An attempt can end while its branch isn't shown.
    const aside = withTurn(withBranch(again, 'a'), 'b', { ...completeTurn('Late.'), id: 'again' });
    assert.deepEqual(
      withBranch(aside, 'b').exchanges[0]?.attempts.map((turn) => turn.answer),
      ['Else.', 'Late.'],
    );
  });
});

describe('A question that came of a command', () => {
  const origin = { uri: 'file:///a.ts', startLine: 1, endLine: 2, text: 'let a;' };
  const beside = {
    asked: 'Refactor · use const',
    purpose: 'proposal',
    origin,
    effort: 'low',
    tools: ['read_file'],
  } as const;

  it('keeps what was asked, its lines, and its purpose on its branch, in a fork, and when it was stopped', () => {
    for (const [name, turn] of [...Object.entries(UNENDED), ['complete', completeTurn()] as const]) {
      const exchange = asked('a', turn, beside);
      const edited = withExchange(withoutTail(conversationOf(exchange), 'a'), asked('b', completeTurn()));
      for (const shown of [
        withBranch(edited, 'a'),
        fork(withBranch(edited, 'a')),
        fork(conversationOf(exchange)),
      ])
        assert.deepEqual(shown.exchanges[0]?.question, exchange.question, name);
    }
  });
});
