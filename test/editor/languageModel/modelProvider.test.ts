import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createOtherChats } from '../../../src/editor/languageModel/otherChats.ts';
import { type Asking, watchModals } from '../modals.ts';
import {
  type Answer,
  type Scripted,
  startScripted,
  startStream,
  streamOf,
  until,
  writeDelta,
} from '../scripted.ts';
import { findOtherChat, type OtherChat, skipWithoutProviders } from './otherChat.ts';

const { User, Assistant } = vscode.LanguageModelChatMessage;
const TOOL: vscode.LanguageModelChatTool = {
  name: 'weather',
  description: 'The weather of a place.',
  inputSchema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
};
const call = (args: string, id = 'weather:0') => ({
  index: 0,
  id,
  type: 'function',
  function: { name: 'weather', arguments: args },
});

describe('svc-k3 in other chats of the editor', () => {
  before(skipWithoutProviders);

  let scripted: Scripted;
  let other: OtherChat;
  beforeEach(async () => {
    scripted = await startScripted();
    other = await findOtherChat();
  });
  afterEach(() => scripted.close());

  async function model(): Promise<vscode.LanguageModelChat> {
    const [found] = await other.select();
    assert.ok(found, 'the model is not listed');
    return found;
  }

  async function send(
    messages: vscode.LanguageModelChatMessage[],
    options: vscode.LanguageModelChatRequestOptions = {},
    token?: vscode.CancellationToken,
  ) {
    const response = await (await model()).sendRequest(messages, options, token);
    const parts: unknown[] = [];
    for await (const part of response.stream) parts.push(part);
    return parts;
  }

  const textOf = (parts: readonly unknown[]) =>
    parts.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');

  it('provides one model with the limits of the service', async () => {
    const found = await model();
    assert.equal(found.id, 'svc-k3');
    assert.equal(found.family, 'svc-k3');
    assert.equal(found.maxInputTokens, 1_048_576 - 131_072);
    assert.equal(await found.countTokens('Twelve chars'), 3);
  });

  it('answers another extension, which runs the tool calls', async () => {
    scripted.will(
      streamOf([
        { reasoning: 'Two places.' },
        { answer: 'I look.' },
        { calls: [call('{"place":"Oslo"}', 'a'), { ...call('{"place":"Rome"}', 'b'), index: 1 }] },
        { finish: 'tool_calls' },
      ]),
      streamOf([
        { reasoning: 'And one more.' },
        { calls: [call('{"place":"Bern"}', 'c')] },
        { finish: 'tool_calls' },
      ]),
      streamOf([{ answer: 'Rain in all three.' }, { finish: 'stop' }]),
    );
    const found = await model();
    assert.notEqual(other.maySend(found), false);
    assert.deepEqual(await other.converse(found, 'The weather?'), {
      answer: 'Rain in all three.',
      inputs: [{ place: 'Oslo' }, { place: 'Rome' }, { place: 'Bern' }],
    });
  });

  it('is not listed without a key', async () => {
    delete process.env['K3_API_KEY'];
    const settings = vscode.workspace.getConfiguration('k3');
    await settings.update('route', undefined, vscode.ConfigurationTarget.Global);
    assert.deepEqual(await other.select(), []);
  });

  it('keeps its reasoning out of the answer', async () => {
    scripted.will(
      streamOf([{ reasoning: 'Thinking.' }, { answer: 'Four' }, { answer: '.' }, { finish: 'stop' }]),
    );
    const parts = await send([User('Two and two?')]);
    assert.equal(textOf(parts), 'Four.');
  });

  it('sends tool results with the reasoning, which the other chat doesn’t have', async () => {
    const bodies: string[] = [];
    const noting =
      (answer: ReturnType<typeof streamOf>) => (response: Parameters<typeof answer>[0], body: string) => {
        bodies.push(body);
        return answer(response, body);
      };
    scripted.will(
      noting(
        streamOf([
          { reasoning: 'I look it up.' },
          { calls: [call('{ "place": "Oslo" }')] },
          { finish: 'tool_calls' },
        ]),
      ),
      noting(streamOf([{ answer: 'Rain.' }, { finish: 'stop' }])),
    );
    const question = User('The weather in Oslo?');
    const parts = await send([question], { tools: [TOOL] });
    const called = parts.find((part) => part instanceof vscode.LanguageModelToolCallPart);
    assert.ok(called);
    assert.deepEqual({ ...called }, { callId: 'weather:0', name: 'weather', input: { place: 'Oslo' } });
    const result = new vscode.LanguageModelToolResultPart(called.callId, [
      new vscode.LanguageModelTextPart('rain'),
    ]);
    const answer = await send([question, Assistant([called]), User([result])], { tools: [TOOL] });
    assert.equal(textOf(answer), 'Rain.');
    const { messages, tools, tool_choice } = JSON.parse(bodies[1] ?? '');
    assert.deepEqual(messages, [
      { role: 'user', content: 'The weather in Oslo?' },
      {
        role: 'assistant',
        reasoning_content: 'I look it up.',
        tool_calls: [
          {
            id: 'weather:0',
            type: 'function',
            function: { name: 'weather', arguments: '{ "place": "Oslo" }' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'weather:0', content: 'rain' },
    ]);
    assert.equal(tools.length, 1);
    assert.equal(tool_choice, undefined);
  });

  it('sends a tool under a name that the service takes, and returns its calls under its own', async () => {
    const tools = [{ ...TOOL, name: 'weather.now' }];
    scripted.will((response, body) => {
      const { name } = JSON.parse(body).tools[0].function;
      const named = { ...call('{"place":"Oslo"}'), function: { name, arguments: '{"place":"Oslo"}' } };
      const answer = streamOf([{ reasoning: 'One place.' }, { calls: [named] }, { finish: 'tool_calls' }]);
      return answer(response, body);
    });
    const parts = await send([User('The weather?')], { tools });
    const [made] = parts.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
    assert.ok(made);
    assert.deepEqual([made.name, made.input], ['weather.now', { place: 'Oslo' }]);
    scripted.will(streamOf([{ answer: 'Rain.' }, { finish: 'stop' }]));
    const result = new vscode.LanguageModelToolResultPart(made.callId, [
      new vscode.LanguageModelTextPart('rain'),
    ]);
    assert.equal(
      textOf(await send([User('The weather?'), Assistant([made]), User([result])], { tools })),
      'Rain.',
    );
    const { tools: sent, messages } = JSON.parse(scripted.requests.at(-1)?.body ?? '');
    const { name } = sent[0].function;
    assert.match(name, /^[\w-]+$/);
    const [answer] = messages.filter(({ role }: { role: string }) => role === 'assistant');
    assert.equal(answer.reasoning_content, 'One place.');
    assert.equal(answer.tool_calls[0].function.name, name);
  });

  it('sends the lines of texts and of rendered prompts as the other chat wrote them', async () => {
    scripted.will(streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]));
    const leaf = (words: string, lineBreakBefore?: true) => ({ type: 2, text: words, lineBreakBefore });
    const element = { node: { type: 1, children: [leaf('  one();'), leaf('two();', true)] } };
    const { LanguageModelTextPart: Text } = vscode;
    const result = new vscode.LanguageModelToolResultPart('a', [
      new vscode.LanguageModelPromptTsxPart(element),
    ]);
    await send(
      [
        User([new Text('Line one'), new Text('\n'), new Text('line two')]),
        Assistant([new vscode.LanguageModelToolCallPart('a', 'weather', {})]),
        User([result]),
      ],
      { tools: [TOOL] },
    );
    const sent: string = JSON.parse(scripted.requests[0]?.body ?? '')
      .messages.map(({ content }: { content?: string }) => content)
      .join('|');
    assert.match(sent, /^Line one\nline two\|.* {2}one\(\);\ntwo\(\);/s);
  });

  it('takes a text part without text as an empty one', async () => {
    scripted.will(streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]));
    const message = User([
      new vscode.LanguageModelTextPart(undefined as never),
      new vscode.LanguageModelTextPart('Ready?'),
    ]);
    assert.equal(await (await model()).countTokens(message), 2);
    assert.equal(textOf(await send([message])), 'Yes.');
    assert.match(scripted.requests.at(-1)?.body ?? '', /"content":"Ready\?"/);
  });

  it('aborts its request when the other chat cancels', async () => {
    let closed = false;
    scripted.will((response) => {
      response.on('close', () => {
        closed = true;
      });
      startStream(response);
      writeDelta(response, { answer: 'A beginning' });
    });
    const source = new vscode.CancellationTokenSource();
    const response = await (await model()).sendRequest([User('One?')], {}, source.token);
    let text = '';
    await assert.rejects(async () => {
      for await (const part of response.text) {
        text += part;
        source.cancel();
      }
      if (source.token.isCancellationRequested) throw new vscode.CancellationError();
    });
    assert.equal(text, 'A beginning');
    await until(() => closed);
  });

  it('keeps concurrent requests apart', async () => {
    const slowly: Answer = async (response, body) => {
      startStream(response);
      for (let piece = 0; piece < 3; piece++) {
        writeDelta(response, { answer: body.includes('First') ? '1' : '2' });
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      writeDelta(response, { finish: 'stop' });
      response.end('data: [DONE]\n\n');
    };
    scripted.will(slowly, slowly);
    const [first, second] = await Promise.all([send([User('First?')]), send([User('Second?')])]);
    assert.deepEqual([textOf(first), textOf(second)], ['111', '222']);
  });

  const refuse = (status: number, message: string, type: string) =>
    streamless(status, JSON.stringify({ error: { message, type } }));
  const streamless = (status: number, body: string, contentType = 'application/json') =>
    ((response) => {
      response.writeHead(status, { 'content-type': contentType });
      response.end(body);
    }) satisfies Parameters<Scripted['will']>[0];

  async function failure(options: vscode.LanguageModelChatRequestOptions = {}): Promise<Error> {
    try {
      await send([User('One?')], options);
    } catch (error) {
      if (error instanceof Error) return error;
    }
    throw new Error('nothing was thrown');
  }

  it('reports a refused API key, and what to do', async () => {
    scripted.will(refuse(401, 'Invalid Authentication', 'invalid_authentication_error'));
    const error = await failure();
    assert.match(error.message, /key was not accepted.*401.*Set API Key/);
    assert.equal(error instanceof vscode.LanguageModelError && error.code, 'NoPermissions');
  });

  it('reports too many requests', async () => {
    const limited = refuse(429, 'insufficient balance', 'exceeded_current_quota_error');
    scripted.will(limited);
    assert.match((await failure()).message, /no balance/);
  });

  it('reports an answer that was cut off, with its tokens', async () => {
    scripted.will(streamOf([{ answer: 'Half an ans' }, { finish: 'length' }]));
    assert.match((await failure()).message, /cut off.*500 output tokens.*k3\.maxCompletionTokens/);
  });

  it('passes on the text of an answer that was cut off, although an error follows at once', async () => {
    scripted.will(streamOf([{ answer: 'Half an ans' }, { finish: 'length' }]));
    const { text } = await (await model()).sendRequest([User('One?')]);
    let received = '';
    const read = async () => {
      for await (const part of text) received += part;
    };
    await assert.rejects(read, /cut off/);
    assert.equal(received, 'Half an ans');
  });

  it('passes on no tool call from an answer that was cut off', async () => {
    scripted.will(streamOf([{ calls: [call('{"place":"Oslo"}')] }, { finish: 'length' }]));
    const error = await failure({ tools: [TOOL] });
    assert.match(error.message, /cut off.*tool calls in it were not run/);
  });

  it('reports a lost connection', async () => {
    scripted.will((response) => {
      startStream(response);
      writeDelta(response, { answer: 'Half' });
      setTimeout(() => response.destroy(), 50);
    });
    assert.match((await failure()).message, /interrupted.*connection was lost/);
  });

  it('reports an output budget that was spent on reasoning', async () => {
    scripted.will(streamOf([{ reasoning: 'Hm. ' }, { finish: 'length' }]));
    assert.match((await failure()).message, /all output tokens.*400 reasoning tokens.*Billed/);
  });

  it('reports a web page instead of an answer', async () => {
    scripted.will(streamless(200, '<html><body>Log in</body></html>', 'text/html'));
    assert.match((await failure()).message, /Unexpected server response.*a web page/);
  });

  it('passes on usage as the service reported it, and none if it reported none or zeros', async () => {
    const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    const plain = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };
    const figures: unknown[] = [];
    for (const usage of [null, zeros, plain]) {
      scripted.will((response) => {
        startStream(response);
        writeDelta(response, { answer: 'Four.' });
        writeDelta(response, { finish: 'stop' });
        response.write(`data: ${JSON.stringify({ id: 'r-1', model: 'svc-k3', choices: [], usage })}\n\n`);
        response.end('data: [DONE]\n\n');
      });
      const parts = await send([User('One?')]);
      assert.equal(textOf(parts), 'Four.');
      const [data] = parts.filter((part) => typeof part === 'object' && part !== null && 'mimeType' in part);
      figures.push(data && 'data' in data && JSON.parse(Buffer.from(data.data as Uint8Array).toString()));
    }
    assert.deepEqual(figures, [undefined, undefined, plain]);
  });

  it('holds back reasoning without an opening tag on a route that is known for it', async () => {
    const untagged = streamOf([
      { answer: 'Let me ' },
      { answer: 'think.</think>' },
      { answer: '\n\nFour.' },
      { finish: 'stop' },
    ]);
    const tagless = streamOf([{ answer: 'Plain.' }, { finish: 'stop' }]);
    scripted.will(untagged, untagged, tagless, untagged);
    const { conversations, turns } = scripted;
    // Not that of the provider, which would know the route in all later tests.
    const otherChats = createOtherChats({ conversations, turns, log: { warn: () => undefined } });
    const texts: string[] = [];
    for (const text of ['One?', 'Two?', 'Three?', 'Four?']) {
      let got = '';
      const listener = {
        answer(added: string) {
          got += added;
        },
        reasoning: () => undefined,
      };
      const request = {
        messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text }] }],
        tools: [],
      };
      await otherChats.ask(request, listener, new vscode.CancellationTokenSource().token);
      texts.push(got.replace(/\s+/g, ' ').trim());
    }
    // After a complete answer without such a tag, the next one isn’t held back.
    assert.deepEqual(texts, ['Let me think. Four.', 'Four.', 'Plain.', 'Let me think. Four.']);
  });

  it('saves its turns as a conversation when the setting is on', async () => {
    const settings = vscode.workspace.getConfiguration('k3');
    const kept = () => scripted.conversations.list().filter(({ title }) => title.startsWith('Other chats'));
    scripted.will(
      streamOf([{ answer: 'One.' }, { finish: 'stop' }]),
      streamOf([{ answer: 'Two.' }, { finish: 'stop' }]),
      streamOf([{ answer: 'Three.' }, { finish: 'stop' }]),
    );
    await send([User('Not kept?')]);
    assert.deepEqual(kept(), []);
    await settings.update('otherChats.keep', true, vscode.ConfigurationTarget.Global);
    try {
      await send([User('Kept?')]);
      await send([User('Also kept?')]);
    } finally {
      await settings.update('otherChats.keep', undefined, vscode.ConfigurationTarget.Global);
    }
    const [one, ...more] = kept();
    assert.equal(more.length, 0);
    const exchanges = scripted.conversations.get(one?.id ?? '')?.exchanges ?? [];
    assert.deepEqual(
      exchanges.map(({ question }) => question.text),
      ['Kept?', 'Also kept?'],
    );
    assert.ok((one?.cost ?? 0) > 0);
  });
});

describe('The daily cap in other chats', () => {
  before(skipWithoutProviders);

  let scripted: Scripted;
  let modals: Asking;
  const settings = () => vscode.workspace.getConfiguration('k3');
  beforeEach(async () => {
    scripted = await startScripted();
    modals = watchModals();
    await settings().update('dailyCap', 0.000001, vscode.ConfigurationTarget.Global);
  });
  afterEach(async () => {
    modals.restore();
    await settings().update('dailyCap', undefined, vscode.ConfigurationTarget.Global);
    await scripted.close();
  });

  async function ask(): Promise<string> {
    const [model] = await vscode.lm.selectChatModels({ vendor: 'k3' });
    assert.ok(model);
    const response = await model.sendRequest([User('A question?')]);
    let text = '';
    for await (const part of response.text) text += part;
    return text;
  }

  it('asks before it is exceeded, and sends nothing when the user declines', async () => {
    await assert.rejects(ask(), /daily cap.*Nothing was sent/);
    assert.equal(modals.details.length, 1);
  });

  it('sends the request when the user accepts', async () => {
    modals.answer = 'Send Anyway';
    scripted.will(streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]));
    assert.equal(await ask(), 'Yes.');
  });
});
