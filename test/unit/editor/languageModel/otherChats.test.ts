import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { OtherMessage } from '../../../../src/conversation/otherChats/otherParts.ts';
import type { Transport } from '../../../../src/service/transport.ts';
import { window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { assistant, call, data, GIF, result, system, text, user } from '../../conversation/otherTurns.ts';
import { toolOf } from '../../conversation/toolTurns.ts';
import { turnsOn } from '../../requests/support.ts';
import { bytesOf, chunkOf, ROUTE, sse, USAGE_CHUNK } from '../../service/wire.ts';

const { createOtherChats } = await withEditorStub(
  () => import('../../../../src/editor/languageModel/otherChats.ts'),
);

type Wire = Readonly<Record<string, unknown>>;

const TOOLS = [{ name: 'read', description: '', schema: toolOf('read').parameters }];
const TOKEN = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => undefined }),
};
const answerOf = (delta: object, finish: string) =>
  sse(chunkOf(delta), chunkOf({}, finish), USAGE_CHUNK, '[DONE]');
const ANSWER = answerOf({ content: 'There.' }, 'stop');
const callsOf = (...calls: object[]) => answerOf({ tool_calls: calls }, 'tool_calls');

/** An answer with reasoning, or a call if the last message asks to look. */
function reply(messages: readonly Wire[], id = '', field = 'reasoning_content'): string {
  const reasoning = sse(chunkOf({ [field]: 'Hm.' }));
  if (!/^look/.test(String(messages.at(-1)?.['content']))) return reasoning + ANSWER;
  return reasoning + callsOf({ index: 0, id, function: { name: 'read', arguments: '{"of":"a"}' } });
}

/** A chat of the editor, which runs the calls and keeps no reasoning. */
function createChat(transport: Transport) {
  const turns = turnsOn(transport);
  const chats = createOtherChats({ turns, conversations: {} as never, log: { warn: () => undefined } });
  const listener = { answer: () => undefined, reasoning: () => undefined };
  const history: OtherMessage[] = [];
  return async function ask(question: OtherMessage, more: object = {}): Promise<string> {
    history.push(question);
    const reply = await chats.ask({ messages: history, tools: TOOLS, ...more }, listener, TOKEN);
    const calls = reply.calls.map((call) => ({ type: 'call', ...call }) as const);
    history.push(assistant(text(reply.answer), ...calls));
    if (calls.length === 0) return reply.answer;
    return ask(user(...calls.map(({ id, input }) => result(id, text(`Of ${JSON.stringify(input)}`)))));
  };
}

/** A service that answers the messages of each request, or refuses them with a message. */
function createService(answer: (messages: readonly Wire[]) => string | { readonly refusal: string }) {
  const statuses: number[] = [];
  const sent: (readonly Wire[])[] = [];
  const transport: Transport = async ({ body = '', onConnected }) => {
    onConnected?.();
    const { messages } = JSON.parse(body) as { messages: readonly Wire[] };
    const answered = answer(messages);
    const isAnswer = typeof answered === 'string';
    statuses.push(isAnswer ? 200 : 400);
    if (isAnswer) sent.push(messages);
    const error = isAnswer ? {} : { message: answered.refusal, type: 'invalid_request_error' };
    const answeredText = isAnswer ? answered : JSON.stringify({ error });
    return { status: isAnswer ? 200 : 400, headers: {}, body: bytesOf(answeredText) };
  };
  return { transport, statuses, sent };
}

describe('Another chat on a route that gives no reasoning, and refuses calls without it', () => {
  it('goes on with its calls as text, at once after the first refusal', async () => {
    let count = 0;
    const { transport, statuses, sent } = createService((messages) => {
      if (messages.some((one) => one['tool_calls'] && !one['reasoning_content']))
        return {
          refusal: 'thinking is enabled but reasoning_content is missing in assistant tool call message at 1',
        };
      if (!/^look/.test(String(messages.at(-1)?.['content']))) return ANSWER;
      return callsOf({ index: 0, id: `id-${count++}`, function: { name: 'read', arguments: '{"of":"a"}' } });
    });
    const ask = createChat(transport);
    assert.equal(await ask(user(text('look'))), 'There.');
    assert.deepEqual(statuses, [200, 400, 200]);
    for (const question of ['And?', 'look again', 'And then?'])
      assert.equal(await ask(user(text(question))), 'There.');
    assert.deepEqual(statuses.slice(3), [200, 200, 200, 200]);
    for (const [at, messages] of sent.entries())
      assert.deepEqual(messages.slice(0, sent[at - 1]?.length ?? 0), sent[at - 1] ?? [], `request ${at}`);
    assert.match(JSON.stringify(sent.at(-1)), /Tool call 1: read.*Of .*Tool call 1: read.*Of /);
  });
});

describe('Another chat on a route that gives reasoning, and refuses it', () => {
  it('R4 goes on without it, at once after the first refusal, also with calls', async () => {
    let count = 0;
    const { transport, statuses, sent } = createService((messages) => {
      if (messages.some((one) => 'reasoning_content' in one))
        return { refusal: "messages.1: property 'reasoning_content' is unsupported" };
      return reply(messages, `id-${count++}`);
    });
    const ask = createChat(transport);
    for (const question of ['Why?', 'And?', 'look', 'And then?'])
      assert.equal(await ask(user(text(question))), 'There.');
    assert.deepEqual(statuses, [200, 400, 200, 200, 200, 200]);
    for (const [at, messages] of sent.entries())
      assert.deepEqual(messages.slice(0, sent[at - 1]?.length ?? 0), sent[at - 1] ?? [], `request ${at}`);
    assert.ok(sent.at(-1)?.some((message) => 'tool_calls' in message));
  });
});

describe('Another chat on a route that has refused reasoning, and requires it with calls since', () => {
  it('R4 goes on with its calls as text, at once after the first refusal', async () => {
    let requires = false;
    const { transport, statuses } = createService((messages) => {
      const isGiven = messages.some((one) => 'reasoning_content' in one);
      if (isGiven && !requires) return { refusal: "messages.1: property 'reasoning_content' is unsupported" };
      if (requires && messages.some((one) => one['tool_calls'] && !one['reasoning_content']))
        return { refusal: 'reasoning_content is missing in assistant tool call message at 1' };
      return reply(messages);
    });
    const ask = createChat(transport);
    assert.equal(await ask(user(text('look'))), 'There.');
    requires = true;
    for (const question of ['And?', 'look again', 'And then?'])
      assert.equal(await ask(user(text(question))), 'There.');
    assert.deepEqual(statuses, [200, 400, 200, 400, 200, 200, 200, 200]);
  });
});

describe('Another chat on a route that renames reasoning in answers only', () => {
  it('R4 goes on with it under the documented name, at once after the first refusal', async () => {
    const { transport, statuses, sent } = createService((messages) => {
      if (messages.some((one) => one['tool_calls'] && !one['reasoning_content']))
        return { refusal: 'reasoning_content is missing in assistant tool call message at 1' };
      return reply(messages, '', 'reasoning');
    });
    const ask = createChat(transport);
    for (const question of ['look', 'And?', 'look again', 'And then?'])
      assert.equal(await ask(user(text(question))), 'There.');
    assert.deepEqual(statuses, [200, 400, 200, 200, 200, 200, 200]);
    assert.match(JSON.stringify(sent.at(-1)), /"tool_calls".*"reasoning_content":"Hm\."/);
  });
});

describe('Another chat on a route that refuses reasoning, and calls without it', () => {
  it('R4 goes on with its calls as text, at once after the first refusals', async () => {
    let isNew = false;
    const { transport, statuses } = createService((messages) => {
      if (isNew && messages.some((one) => 'reasoning_content' in one))
        return { refusal: "messages.1: property 'reasoning_content' is unsupported" };
      if (isNew && messages.some((one) => one['tool_calls']))
        return { refusal: 'reasoning_content is missing in assistant tool call message at 1' };
      return reply(messages);
    });
    const ask = createChat(transport);
    assert.equal(await ask(user(text('look'))), 'There.');
    isNew = true;
    for (const question of ['And?', 'look again', 'And then?'])
      assert.equal(await ask(user(text(question))), 'There.');
    assert.deepEqual(statuses, [200, 200, 400, 400, 200, 200, 200, 200]);
  });
});

describe('Another chat that keeps thoughts, on a route that has another name for reasoning', () => {
  it('goes on after a reload with the calls before it as text, at once after the first refusal', async () => {
    const { transport, statuses, sent } = createService((messages) =>
      messages.some((one) => one['tool_calls'] && !one['reasoning'])
        ? {
            refusal:
              'thinking is enabled but reasoning_content is missing in assistant tool call message at 1',
          }
        : ANSWER,
    );
    const thought = { type: 'thinking', text: 'Look first.' } as const;
    const history = [
      user(text('look')),
      assistant(thought, call('id-1')),
      user(result('id-1', text('Of a'))),
    ];
    const ask = createChat(transport);
    assert.equal(await ask(user(text('')), { messages: history }), 'There.');
    const more = [...history, assistant(text('There.')), user(text('And?'))];
    assert.equal(await ask(user(text('')), { messages: more }), 'There.');
    assert.deepEqual(statuses, [400, 200, 200]);
    assert.match(JSON.stringify(sent.at(-1)), /Tool call 1: read.*Of a/);
  });
});

describe('Another chat that wants a tool to be called', () => {
  it('Q12 E5 asks for it in words behind the question, also behind results and images, and forces nothing', async () => {
    const { transport, sent } = createService(() => ANSWER);
    const bodies: string[] = [];
    const ask = createChat((request) => {
      bodies.push(request.body ?? '');
      return transport(request);
    });
    const words = 'Answer with a call of the tool read.';
    await ask(user(text('Look.')), { wantsCall: true });
    assert.equal(sent[0]?.at(-1)?.['content'], `Look.\n\n${words}`);
    await ask(user(text('See'), data('image/gif', GIF)), { wantsCall: true });
    const parts = sent[1]?.at(-1)?.['content'] as readonly Wire[];
    assert.deepEqual(
      parts.map(({ type, text: said }) => said ?? type),
      ['image_url', 'See', words],
    );
    await ask(user(text('And?')));
    assert.equal(sent[2]?.at(-1)?.['content'], 'And?');
    assert.deepEqual(sent[2]?.[0], { role: 'user', content: 'Look.' }, 'not again in later requests');
    await ask(user(text('More')), { wantsCall: true, tools: [] });
    assert.equal(sent[3]?.at(-1)?.['content'], 'More');
    for (const body of bodies) assert.equal(JSON.parse(body).tool_choice, undefined);
  });
});

describe('Another chat whose messages begin or end with an answer', () => {
  it('has a message of the user before the one and behind the other, without which services refuse them', async () => {
    const { transport, statuses, sent } = createService((messages) => {
      const roles = messages.map(({ role }) => role).filter((role) => role !== 'system');
      const isRefused = roles[0] === 'assistant' || roles.at(-1) === 'assistant';
      return isRefused ? { refusal: 'the first and the last message must be of the user' } : ANSWER;
    });
    const messages = [system(text('Be brief.')), assistant(text('Hello.')), user(text('Why?'))];
    const ask = (...more: OtherMessage[]) =>
      createChat(transport)(user(text('')), { messages: [...messages, ...more] });
    await ask();
    await ask(assistant(text('Because')));
    await ask(assistant(text('Because')), system(text('Go on.')));
    await createChat(transport)(user(text('Why?')));
    assert.deepEqual(statuses, [200, 200, 200, 200]);
    const begin = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: '[no question]' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'Why?' },
    ];
    const because = { role: 'assistant', content: 'Because' };
    assert.deepEqual(sent, [
      begin,
      [...begin, because, { role: 'user', content: 'Continue.' }],
      [...begin, because, { role: 'system', content: 'Go on.' }, { role: 'user', content: 'Continue.' }],
      [{ role: 'user', content: 'Why?' }],
    ]);
  });
});

describe('Calls of a service that gives them no ids, or the same one', () => {
  for (const id of ['', 'same'])
    it(`are run by another chat, and go back with ids of their own (${JSON.stringify(id)})`, async () => {
      const { transport, sent } = createService((messages) => {
        const { role, content } = messages.at(-1) ?? {};
        if (role === 'tool' || !/^look/.test(String(content))) return ANSWER;
        const call = (index: number, of: string) => ({
          index,
          id,
          function: { name: 'read', arguments: JSON.stringify({ of }) },
        });
        return sse(
          chunkOf({ reasoning_content: 'Two.' }),
          chunkOf({ tool_calls: [call(0, 'a'), call(1, 'b')] }),
          chunkOf({}, 'tool_calls'),
          USAGE_CHUNK,
          '[DONE]',
        );
      });
      const ask = createChat(transport);
      for (const question of ['look', 'look again']) assert.equal(await ask(user(text(question))), 'There.');
      const messages = sent.at(-1) ?? [];
      const calls = messages.flatMap(({ tool_calls: made }) => (made ?? []) as readonly { id: string }[]);
      const results = messages.filter(({ role }) => role === 'tool');
      assert.equal(calls.length, 4);
      assert.equal(
        new Set(calls.map((one) => one.id)).size,
        4,
        'also different from those of earlier answers',
      );
      assert.deepEqual(
        results.map(({ tool_call_id: of }) => of),
        calls.map((one) => one.id),
      );
      assert.deepEqual(
        results.map(({ content }) => content),
        ['a', 'b', 'a', 'b'].map((of) => `Of {"of":"${of}"}`),
      );
    });
});

describe('What another chat must be told about an answer', () => {
  restoreAfterEach(window, workspace);
  const NEVER = { answer: () => undefined, reasoning: () => undefined };
  const asked = { messages: [user(text('Why?'))], tools: TOOLS };
  const chatsOn = (reply: string, more: object = {}) =>
    createOtherChats({
      turns: turnsOn(createService(() => reply).transport),
      conversations: {} as never,
      log: { warn: () => undefined },
      ...more,
    });
  const OTHER = { model: 'cheap-1' };

  for (const keeps of [false, true])
    it(`is notified and logged, ${keeps ? 'also' : 'even if not'} kept as a conversation`, async () => {
      Object.assign(workspace, {
        getConfiguration: () => ({
          get: () => undefined,
          inspect: (key: string) => ({ key, globalValue: key === 'otherChats.keep' ? keeps : undefined }),
        }),
      });
      const said: string[] = [];
      const logged: string[] = [];
      Object.assign(window, { showWarningMessage: async (message: string) => void said.push(message) });
      const kept: object[] = [];
      const conversations = {
        list: () => [],
        createAside: () => ({ id: 'day' }),
        append: (_: string, exchange: object) => kept.push(exchange) > 0,
      } as never;
      const log = { warn: (line: string) => void logged.push(line) };
      const unreported = sse(chunkOf({ content: 'There.' }), chunkOf({}, 'stop'), '[DONE]');
      await chatsOn(unreported, { conversations, log }).ask(asked, NEVER, TOKEN);
      assert.equal(kept.length, keeps ? 1 : 0);
      assert.match(
        said.join('\n'),
        /^Another chat received an answer from route “[^”]+”. Usage not reported/,
      );
      assert.equal(said.length, 1);
      assert.match(logged.join('\n'), /usage-missing$/);
    });

  it('is notified once for a route, and again when the route leads to another address or model', async () => {
    const said: string[] = [];
    Object.assign(window, { showWarningMessage: async (message: string) => void said.push(message) });
    let route = ROUTE;
    const from = (chunk: object) => ({ ...chunk, model: route.model });
    const { transport } = createService(({ length }) =>
      sse(from(chunkOf({ content: `Of ${length}` })), from(chunkOf({}, 'stop')), '[DONE]'),
    );
    const chats = chatsOn('', { turns: turnsOn(transport, () => route) });
    for (const change of [{}, { root: 'https://other.example/v1' }, { model: 'k3-large' }]) {
      route = { ...route, ...change };
      for (const _ of [1, 2]) await chats.ask({ ...asked, tools: [] }, NEVER, TOKEN);
    }
    assert.deepEqual(
      said.map((text) => /Usage not reported/.exec(text)?.[0]),
      Array(3).fill('Usage not reported'),
    );
  });

  it('is, beside another model, that its tool calls were not run, and everything else', async () => {
    const call = { index: 0, id: 'a', function: { name: 'read', arguments: '{"of":"a"}' } };
    const chats = chatsOn(
      sse(
        { ...chunkOf({ tool_calls: [call] }), ...OTHER },
        { ...chunkOf({}, 'tool_calls'), ...OTHER },
        '[DONE]',
      ),
    );
    await assert.rejects(chats.ask(asked, NEVER, TOKEN), ({ message }: Error) => {
      assert.match(
        message,
        /^Another model answered.*The tool calls in it were not run\..*Check the model name/s,
      );
      assert.match(message, /Usage not reported/);
      return true;
    });
  });

  it('is, beside an answer that failed, what else is wrong with it, each step once', async () => {
    const cut = sse(chunkOf({ content: 'Half' }), chunkOf({}, 'length'), '[DONE]');
    await assert.rejects(chatsOn(cut).ask(asked, NEVER, TOKEN), /cut off.*Usage not reported/s);
    const empty = sse('{"choices":[{"ind', chunkOf({}, 'stop'), USAGE_CHUNK, '[DONE]');
    await assert.rejects(chatsOn(empty).ask(asked, NEVER, TOKEN), ({ message }: Error) => {
      assert.match(message, /empty.*couldn’t be read/s);
      assert.equal(message.split('Ask again.').length, 2, message);
      return true;
    });
    const call = { index: 0, id: 'a', function: { name: 'read', arguments: '[1]' } };
    const broken = sse(chunkOf({ tool_calls: [call] }), chunkOf({}, 'tool_calls'), '[DONE]');
    await assert.rejects(chatsOn(broken).ask(asked, NEVER, TOKEN), /invalid call.*Usage not reported/s);
  });
});

describe('Another chat on a route where another model answers', () => {
  restoreAfterEach(window);
  it('gets an error once for each model that answers, and the answers and calls after that', async () => {
    const warned: string[] = [];
    Object.assign(window, { showWarningMessage: async (message: string) => void warned.push(message) });
    let model = 'cheap-1';
    const { transport } = createService((messages) => {
      const looks = /^look/.test(String(messages.at(-1)?.['content']));
      const calls = callsOf({ index: 0, id: 'c1', function: { name: 'read', arguments: '{"of":"a"}' } });
      return (looks ? calls : ANSWER).replaceAll('"svc-k3"', `"${model}"`);
    });
    const ask = createChat(transport);
    const told = /Another model answered.*cheap-1.*k3\.routes/;
    await assert.rejects(ask(user(text('Why?'))), told);
    for (const question of ['Why?', 'look', 'And?'])
      assert.equal(await ask(user(text(question))), 'There.', question);
    model = 'cheap-2';
    await assert.rejects(ask(user(text('Why?'))), /cheap-2/);
    assert.equal(await ask(user(text('Why?'))), 'There.');
    assert.deepEqual(warned, [], 'nothing says it a second time');
  });
});
