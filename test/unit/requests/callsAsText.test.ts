/** A conversation with a route that gives no reasoning with calls, and takes them so, or refuses them later because of that. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { turn as turnDecoder } from '../../../src/history/turnDecoders.ts';
import { toConversationContent } from '../../../src/requests/conversationRequest.ts';
import type { Transport } from '../../../src/service/transport.ts';
import { tryDecode } from '../../../src/validation/decode.ts';
import { toolboxOf } from '../conversation/toolTurns.ts';
import { conversationOf, exchangeOf } from '../conversation/turns.ts';
import { bytesOf, chunkOf, NEVER, ROUTE, sse, USAGE_CHUNK } from '../service/wire.ts';
import { turnsOn } from './support.ts';

type Wire = Readonly<Record<string, unknown>>;

const REASONING = chunkOf({ reasoning_content: 'Hm.' });
const CALL = { index: 0, id: 'a', function: { name: 'read', arguments: '{"of":"a"}' } };
const CALLS = sse(chunkOf({ tool_calls: [CALL] }), chunkOf({}, 'tool_calls'), USAGE_CHUNK, '[DONE]');
const BROKEN = { error: { message: 'The engine broke', type: 'server_error' } };
const WORDS = sse(chunkOf({ content: 'I look.' }));
const ANSWER = sse(chunkOf({ content: 'There.' }), chunkOf({}, 'stop'), USAGE_CHUNK, '[DONE]');
const REFUSAL = JSON.stringify({
  error: {
    message: 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
    type: 'invalid_request_error',
  },
});

const NO_ARRAYS = JSON.stringify({
  error: { message: 'content must be an array of objects', type: 'invalid_request_error' },
});

/**
 * Calls a tool for a question with “look”, and refuses calls without reasoning.
 *
 * @param strict whether it refuses content that is a string, too, in a request with an image (Q5)
 */
function createService(strict = false) {
  const statuses: number[] = [];
  const sent: (readonly Wire[])[] = [];
  const transport: Transport = async ({ body = '', onConnected }) => {
    onConnected?.();
    const { messages } = JSON.parse(body) as { messages: readonly Wire[] };
    const bare = messages.some((message) => message['tool_calls'] && !message['reasoning_content']);
    const hasString = messages.some(({ content }) => typeof content === 'string');
    const wrongForm = strict && body.includes('"image_url"') && hasString;
    const refused = bare || wrongForm;
    const status = refused ? 400 : 200;
    statuses.push(status);
    if (!refused) sent.push(messages);
    const calls = JSON.stringify(messages.at(-1)?.['content'] ?? '').includes('look');
    const refusal = bare ? REFUSAL : NO_ARRAYS;
    return { status, headers: {}, body: bytesOf(refused ? refusal : calls ? CALLS : ANSWER) };
  };
  return { transport, statuses, sent };
}

function createUser(transport: Transport) {
  let conversation: Conversation = conversationOf();
  const toolbox = toolboxOf(['read']);
  return {
    reload() {
      const exchanges = conversation.exchanges.map((exchange) => ({
        ...exchange,
        attempts: exchange.attempts.map((turn) => {
          const read = tryDecode(turnDecoder, JSON.parse(JSON.stringify(turn)));
          return read ?? assert.fail('the turn cannot be read');
        }),
      }));
      conversation = { ...conversation, exchanges };
    },
    /** The answers so far are from another route. */
    leaveRoute() {
      const exchanges = conversation.exchanges.map((exchange) => ({
        ...exchange,
        attempts: exchange.attempts.map((turn) => ({
          ...turn,
          request: { ...turn.request, routeName: 'other', routePlace: 'other' },
        })),
      }));
      conversation = { ...conversation, exchanges };
    },
    /**
     * @param stopped the turn is stopped when its call has run
     * @param isAgain as another attempt for the last question
     * @param images addresses
     */
    async ask(
      text: string,
      { stopped = false, isAgain = false, images = [] as readonly string[] } = {},
    ): Promise<Turn> {
      const question = { text, images: images.map((url) => ({ name: url, url })), origin: undefined };
      const last = isAgain ? conversation.exchanges.at(-1) : undefined;
      const turns = turnsOn(transport);
      const context = { conversation, exchange: last, question, route: ROUTE };
      const prepared = await turns.prepare(
        {
          asker: 'conversation',
          countedAs: undefined,
          content: (settings) => toConversationContent(settings, context, {}, () => toolbox),
        },
        NEVER,
      );
      assert.ok(prepared.ok);
      const stop = new AbortController();
      const turn = await prepared.run({
        signal: stop.signal,
        onStep: (step) => stopped && step.turn.rounds[0]?.toolCalls[0]?.state === 'done' && stop.abort(),
      });
      const before = conversation.exchanges.slice(0, isAgain ? -1 : undefined);
      const exchange =
        last === undefined
          ? { ...exchangeOf(text, turn), id: `e${before.length}`, question }
          : { ...last, attempts: [...last.attempts, turn], shown: last.attempts.length };
      conversation = { ...conversation, exchanges: [...before, exchange] };
      return turn;
    },
  };
}

/**
 * Calls a tool twice, with words, for a question with “look”. The first response to a question with “think” has reasoning. Reports an
 * error in place of the answer to one with “broken”. Refuses content that is a string beside an image (Q5).
 */
function createLenientService() {
  const sent: (readonly Wire[])[] = [];
  const transport: Transport = async ({ body = '', onConnected }) => {
    onConnected?.();
    const { messages } = JSON.parse(body) as { messages: readonly Wire[] };
    const hasString = messages.some(({ content }) => typeof content === 'string');
    if (hasString && body.includes('"image_url"'))
      return { status: 400, headers: {}, body: bytesOf(NO_ARRAYS) };
    sent.push(messages);
    const asked = messages.findLastIndex(({ role }) => role === 'user');
    const text = JSON.stringify(messages[asked]);
    const rounds = (messages.length - 1 - asked) / 2;
    const reasons = text.includes('think') && rounds === 0 ? sse(REASONING) : '';
    const calls = text.includes('look') && rounds < 2;
    const last = text.includes('broken') ? sse(BROKEN) : ANSWER;
    return { status: 200, headers: {}, body: bytesOf(reasons + (calls ? WORDS + CALLS : last)) };
  };
  return { transport, sent };
}

describe('Calls without reasoning in a conversation with a route that takes them', () => {
  for (const [when, questions] of [
    ['when it gave reasoning before other calls of the turn', ['think and look', 'And?']],
    ['when it gives reasoning later', ['look', 'think', 'And?', 'And then?']],
    ['when it gives reasoning after a turn that was stopped', ['look, stopped', 'think', 'And?']],
    ['when the turn failed behind them', ['think and look, broken', 'And?', 'And then?']],
    ['in another form of all contents (Q5)', ['think and look at the image', 'And?', 'And then?']],
  ] as const)
    it(`R11 go back as they came ${when}, so that they stay cached`, async () => {
      const { transport, sent } = createLenientService();
      const user = createUser(transport);
      for (const text of questions) {
        const images = text.includes('image') ? ['ms://1'] : [];
        await user.ask(text, { stopped: text.includes('stopped'), images });
        user.reload();
      }
      for (const [at, messages] of sent.entries())
        assert.deepEqual(messages.slice(0, sent[at - 1]?.length ?? 0), sent[at - 1] ?? [], `request ${at}`);
    });
});

/**
 * Gives reasoning and refuses it: each field that is not that of the documented messages. Calls a tool for a question with “look”.
 *
 * @param requires whether it has changed since, and refuses calls without reasoning
 */
function createBareService(requires: () => boolean = () => false) {
  const statuses: number[] = [];
  const sent: (readonly Wire[])[] = [];
  const transport: Transport = async ({ body = '', onConnected }) => {
    onConnected?.();
    const { messages } = JSON.parse(body) as { messages: readonly Wire[] };
    const at = messages.findIndex((message) => 'reasoning_content' in message);
    const isBare = messages.some((message) => message['tool_calls'] && !message['reasoning_content']);
    const isRefused = requires() ? isBare : at !== -1;
    statuses.push(isRefused ? 400 : 200);
    const message = `messages.${at}: property 'reasoning_content' is unsupported`;
    const refusal = requires()
      ? REFUSAL
      : JSON.stringify({ error: { message, type: 'invalid_request_error' } });
    if (isRefused) return { status: 400, headers: {}, body: bytesOf(refusal) };
    sent.push(messages);
    const calls = JSON.stringify(messages.at(-1)?.['content'] ?? '').includes('look');
    return { status: 200, headers: {}, body: bytesOf(sse(REASONING) + (calls ? CALLS : ANSWER)) };
  };
  return { transport, statuses, sent };
}

describe('Reasoning in a conversation with a route that gives it and refuses it', () => {
  it('R4 is left out of the request that was refused, and at once of later ones, also after a restart', async () => {
    const { transport, statuses, sent } = createBareService();
    const user = createUser(transport);
    for (const text of ['Why?', 'And?', 'look', 'And then?', 'look again']) {
      const turn = await user.ask(text);
      assert.equal(turn.outcome, 'complete', JSON.stringify(turn.failure));
      assert.equal(turn.reasoning, 'Hm.');
      user.reload();
    }
    assert.deepEqual(statuses, [200, 400, 200, 200, 200, 200, 200, 200]);
    assert.ok(sent.at(-1)?.some((message) => 'tool_calls' in message));
    for (const [at, messages] of sent.entries())
      assert.deepEqual(messages.slice(0, sent[at - 1]?.length ?? 0), sent[at - 1] ?? [], `request ${at}`);
  });

  it('R4 is left out between the rounds of a turn', async () => {
    const { transport, statuses } = createBareService();
    const user = createUser(transport);
    const turn = await user.ask('look');
    assert.equal(turn.outcome, 'complete', JSON.stringify(turn.failure));
    assert.deepEqual(statuses, [200, 400, 200]);
    assert.equal(turn.rounds[0]?.reasoning, 'Hm.');
    user.leaveRoute();
    assert.equal((await user.ask('And?')).outcome, 'complete');
    assert.deepEqual(statuses.slice(3), [400, 200]);
  });
});

describe('Calls with reasoning on a route that has refused that, and requires it since', () => {
  it('R4 go as text, at once in later questions and rounds, so that the conversation can go on', async () => {
    let requires = false;
    const { transport, statuses } = createBareService(() => requires);
    const user = createUser(transport);
    assert.equal((await user.ask('look')).outcome, 'complete');
    assert.deepEqual(statuses.splice(0), [200, 400, 200]);
    requires = true;
    for (const text of ['And?', 'look again', 'And then?']) {
      const turn = await user.ask(text);
      assert.equal(turn.outcome, 'complete', JSON.stringify(turn.failure));
      user.reload();
    }
    assert.deepEqual(statuses, [400, 200, 200, 200, 200]);
  });

  it('R4 go as text between the rounds of a turn', async () => {
    let requires = false;
    const { transport, statuses } = createBareService(() => requires);
    const user = createUser(transport);
    for (const text of ['Why?', 'And?']) assert.equal((await user.ask(text)).outcome, 'complete');
    requires = true;
    const turn = await user.ask('look');
    assert.equal(turn.outcome, 'complete', JSON.stringify(turn.failure));
    assert.deepEqual(statuses, [200, 400, 200, 200, 400, 200]);
  });
});

/**
 * Gives reasoning, but not with the calls of its second round. Calls a tool twice for a question with “look”. What it refuses
 * depends on how many requests it was sent: reasoning, calls without it, or both, as servers behind one gateway do in turn.
 */
function createTurningService(
  refuses: (count: number) => 'nothing' | 'fields' | 'calls' | 'both',
  status = 400,
  type: string | null = 'invalid_request_error',
) {
  const statuses: number[] = [];
  const transport: Transport = async ({ body = '', onConnected }) => {
    onConnected?.();
    const { messages } = JSON.parse(body) as { messages: readonly Wire[] };
    const refused = refuses(statuses.length);
    const hasField = messages.some((message) => 'reasoning_content' in message);
    const hasBare = messages.some((message) => message['tool_calls'] && !message['reasoning_content']);
    const isField = hasField && ['fields', 'both'].includes(refused);
    const isRefused = isField || (hasBare && ['calls', 'both'].includes(refused));
    statuses.push(isRefused ? 400 : 200);
    const fields = "messages.1: property 'reasoning_content' is unsupported";
    const error = { message: isField ? fields : 'reasoning_content is missing', type };
    if (isRefused) return { status, headers: {}, body: bytesOf(JSON.stringify({ error })) };
    const asked = messages.findLastIndex(({ content }) => /look|there/.test(JSON.stringify(content ?? '')));
    const rounds = (messages.length - 1 - asked) / 2;
    const calls = JSON.stringify(messages[asked] ?? '').includes('look') && rounds < 2;
    return {
      status: 200,
      headers: {},
      body: bytesOf((rounds === 1 ? '' : sse(REASONING)) + (calls ? CALLS : ANSWER)),
    };
  };
  return { transport, statuses };
}

describe('Calls on a route that refuses reasoning, and calls without it', () => {
  for (const [title, refuses] of [
    ['both from the start', () => 'both'],
    ['both between the rounds of a turn', (count) => (count < 3 ? 'nothing' : 'both')],
    ['first calls, and then both', (count) => (count < 4 ? 'calls' : 'both')],
    ['first fields, and then both', (count) => (count < 3 ? 'fields' : 'both')],
    ['both since the turn before', (count) => (count < 4 ? 'nothing' : 'both')],
    ['fields, and both in a later round', (count) => (count < 4 ? 'nothing' : count < 6 ? 'fields' : 'both')],
  ] as const satisfies readonly (readonly [string, Parameters<typeof createTurningService>[0]])[])
    it(`R4 go as text: ${title}`, async () => {
      const { transport, statuses } = createTurningService(refuses);
      const user = createUser(transport);
      for (const text of ['look', 'there?', 'look again', 'there, then?']) {
        const turn = await user.ask(text);
        assert.equal(turn.outcome, 'complete', `${text}: ${statuses} ${JSON.stringify(turn.failure)}`);
        user.reload();
      }
      assert.equal(statuses.at(-1), 200);
      assert.equal(statuses.at(-2), 200, 'it was known');
    });

  for (const type of ['invalid_request_error', 'upstream_error', null])
    it(`R4 go as text if the refusals have the status of success, and the type ${type}`, async () => {
      const refuses = (count: number) => (count < 3 ? 'nothing' : 'both');
      const { transport, statuses } = createTurningService(refuses, 200, type);
      const user = createUser(transport);
      for (const text of ['look', 'there?', 'look again']) {
        const turn = await user.ask(text);
        assert.equal(turn.outcome, 'complete', `${text}: ${statuses} ${JSON.stringify(turn.failure)}`);
        user.reload();
      }
      assert.deepEqual(statuses, [200, 200, 200, 400, 400, 200, 200, 200, 200]);
    });
});

describe('Calls with reasoning under the name of a gateway that renames it in answers only', () => {
  for (const [name, given] of [
    ['reasoning', { reasoning: 'Hm.' }],
    ['reasoning_details', { reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'Hm.' }] }],
    ['tags', { content: '<think>Hm.</think>' }],
  ] as const)
    it(`R4 go on with what the service behind it reads, at once in later rounds and questions: ${name}`, async () => {
      const statuses: number[] = [];
      const sent: (readonly Wire[])[] = [];
      const user = createUser(async ({ body = '', onConnected }) => {
        onConnected?.();
        const { messages } = JSON.parse(body) as { messages: readonly Wire[] };
        const isRefused = messages.some((one) => one['tool_calls'] && !one['reasoning_content']);
        statuses.push(isRefused ? 400 : 200);
        if (isRefused) return { status: 400, headers: {}, body: bytesOf(REFUSAL) };
        sent.push(messages);
        const asked = messages.findLastIndex(({ content }) => /look|And/.test(JSON.stringify(content ?? '')));
        const calls = JSON.stringify(messages[asked]).includes('look') && messages.length - asked < 4;
        return { status: 200, headers: {}, body: bytesOf(sse(chunkOf(given)) + (calls ? CALLS : ANSWER)) };
      });
      for (const text of ['look', 'And?', 'look again', 'And then?']) {
        const turn = await user.ask(text);
        assert.equal(turn.outcome, 'complete', `${text}: ${statuses} ${JSON.stringify(turn.failure)}`);
        assert.equal(turn.reasoning, 'Hm.');
        user.reload();
      }
      assert.deepEqual(
        statuses.filter((status) => status === 400),
        [400],
      );
      const last = JSON.stringify(sent.at(-1));
      assert.equal(
        last.includes('"tool_calls"') && last.includes('"reasoning_content":"Hm."'),
        name !== 'tags',
      );
      for (const [at, messages] of sent.entries())
        assert.deepEqual(messages.slice(0, sent[at - 1]?.length ?? 0), sent[at - 1] ?? [], `request ${at}`);
    });
});

describe('A refusal that names reasoning', () => {
  for (const message of [
    "Unsupported value: 'reasoning_effort' does not support 'max' with this model.",
    'The reasoning effort is not supported.',
    'Messages without reasoning_content are not allowed.',
    'messages.1: missing "reasoning_content" is not supported',
  ])
    it(`R4 keeps the reasoning in the messages when it is: ${message}`, async () => {
      const refusal = JSON.stringify({ error: { message, type: 'invalid_request_error' } });
      const sent: boolean[] = [];
      const user = createUser(async ({ body = '', onConnected }) => {
        onConnected?.();
        sent.push(body.includes('"reasoning_content"'));
        return sent.length > 1
          ? { status: 400, headers: {}, body: bytesOf(refusal) }
          : { status: 200, headers: {}, body: bytesOf(sse(REASONING) + ANSWER) };
      });
      await user.ask('Why?');
      assert.equal((await user.ask('And?')).outcome, 'failed');
      assert.deepEqual(sent, [false, true]);
    });
});

describe('Calls without reasoning in a conversation with a route that refuses them', () => {
  it('go as text in the turn, and at once in later questions, also after a restart', async () => {
    const { transport, statuses, sent } = createService();
    const user = createUser(transport);
    assert.equal((await user.ask('look')).outcome, 'complete');
    assert.deepEqual(statuses, [200, 400, 200]);
    user.reload();
    for (const text of ['And?', 'look again', 'And then?']) {
      const turn = await user.ask(text);
      assert.equal(turn.outcome, 'complete', JSON.stringify(turn.failure));
    }
    assert.deepEqual(statuses.slice(3), [200, 200, 200, 200]);
    for (const [at, messages] of sent.entries())
      assert.deepEqual(messages.slice(0, sent[at - 1]?.length ?? 0), sent[at - 1] ?? [], `request ${at}`);
  });

  it('Q5 go as text, and every content as an array, if both were refused, and at once in later questions', async () => {
    const { transport, statuses, sent } = createService(true);
    const user = createUser(transport);
    const turn = await user.ask('look', { images: ['ms://1'] });
    assert.equal(turn.outcome, 'complete', JSON.stringify(turn.failure));
    const { callsAsText, contentParts } = turn.request;
    assert.deepEqual([callsAsText, contentParts?.refused], [true, true]);
    // The system prompt of the first request is a string.
    assert.deepEqual(statuses, [400, 200, 400, 200]);
    for (const text of ['And?', 'look again']) assert.equal((await user.ask(text)).outcome, 'complete');
    assert.deepEqual(statuses.slice(4), [200, 200, 200]);
    for (const [at, messages] of sent.entries())
      assert.deepEqual(messages.slice(0, sent[at - 1]?.length ?? 0), sent[at - 1] ?? [], `request ${at}`);
  });

  it('Q5 go as text first, and every content as an array behind that, if an earlier question has the image', async () => {
    const { transport, statuses } = createService(true);
    const user = createUser(transport);
    assert.equal((await user.ask('look', { stopped: true })).outcome, 'stopped');
    const turn = await user.ask('And?', { images: ['ms://1'] });
    assert.equal(turn.outcome, 'complete', JSON.stringify(turn.failure));
    assert.deepEqual(statuses, [200, 400, 400, 200]);
  });

  it('go as text in the next question if the turn with them was stopped before', async () => {
    const { transport, statuses, sent } = createService();
    const user = createUser(transport);
    assert.equal((await user.ask('look', { stopped: true })).outcome, 'stopped');
    const turn = await user.ask('look once more');
    assert.equal(turn.outcome, 'complete', JSON.stringify(turn.failure));
    assert.deepEqual([turn.rounds.length, turn.answer], [1, 'There.']);
    assert.equal((await user.ask('And?')).outcome, 'complete');
    assert.deepEqual(statuses, [200, 400, 200, 200, 200]);
    assert.match(JSON.stringify(sent.at(-1)), /read of a.*read of a/);
  });

  it('go as text in other attempts for the question whose first one was refused', async () => {
    const { transport, statuses } = createService();
    const user = createUser(transport);
    await user.ask('look', { stopped: true });
    await user.ask('And?');
    user.reload();
    await user.ask('And?', { isAgain: true });
    await user.ask('And?', { isAgain: true });
    assert.deepEqual(statuses, [200, 400, 200, 200, 200]);
  });
});

describe('Calls with reasoning from another route, on one that has another name for it', () => {
  it('go as text if they are refused, at once in later questions, and with its name once that is known', async () => {
    const statuses: number[] = [];
    let [asked, given] = ['reasoning_content', 'reasoning_content'];
    const transport: Transport = async ({ body = '', onConnected }) => {
      onConnected?.();
      const { messages } = JSON.parse(body) as { messages: readonly Wire[] };
      const isRefused = messages.some((message) => message['tool_calls'] && !message[asked]);
      statuses.push(isRefused ? 400 : 200);
      if (isRefused) return { status: 400, headers: {}, body: bytesOf(REFUSAL) };
      const reasoning = given === '' ? '' : sse(chunkOf({ [given]: 'Hm.' }));
      return {
        status: 200,
        headers: {},
        body: bytesOf(reasoning + (messages.at(-1)?.['content'] === 'look' ? CALLS : ANSWER)),
      };
    };
    const user = createUser(transport);
    await user.ask('look');
    user.leaveRoute();
    [asked, given] = ['reasoning', ''];
    for (const text of ['And?', 'And then?']) {
      const turn = await user.ask(text);
      assert.equal(turn.outcome, 'complete', JSON.stringify(turn.failure));
      given = 'reasoning';
    }
    assert.equal((await user.ask('Why?')).outcome, 'complete');
    assert.deepEqual(statuses, [200, 200, 400, 200, 200, 200]);
  });
});

describe('Calls with reasoning on a route that reads another name for it than it gave', () => {
  for (const [before, since] of [
    ['reasoning_content', 'reasoning'],
    ['reasoning', 'reasoning_details'],
  ] as const)
    it(`R4 go as text once they are refused, at once in later questions and rounds: ${before}, ${since}`, async () => {
      const statuses: number[] = [];
      let name: string = before;
      const given = {
        reasoning_content: 'Hm.',
        reasoning: 'Hm.',
        reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }],
      };
      const user = createUser(async ({ body = '', onConnected }) => {
        onConnected?.();
        const { messages } = JSON.parse(body) as { messages: readonly Wire[] };
        const isRefused = messages.some((message) => message['tool_calls'] && !message[name]);
        statuses.push(isRefused ? 400 : 200);
        if (isRefused) return { status: 400, headers: {}, body: bytesOf(REFUSAL) };
        const reasoning = sse(chunkOf({ [name]: given[name as keyof typeof given] }));
        const calls = JSON.stringify(messages.at(-1)?.['content'] ?? '').includes('look');
        return { status: 200, headers: {}, body: bytesOf(reasoning + (calls ? CALLS : ANSWER)) };
      });
      await user.ask('look');
      name = since;
      for (const text of ['And?', 'look again', 'Why?']) {
        const turn = await user.ask(text);
        assert.equal(turn.outcome, 'complete', JSON.stringify(turn.failure));
        user.reload();
      }
      const refused = statuses.lastIndexOf(400);
      assert.deepEqual([...new Set(statuses.slice(2, refused + 1))], [400]);
      assert.deepEqual(statuses.slice(refused + 1), [200, 200, 200, 200]);
    });
});
