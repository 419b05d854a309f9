import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  RateLimitError,
} from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { type Emulator, startEmulator } from '../../../src/emulator/server.ts';

const TOOL = {
  type: 'function',
  function: {
    name: 'read_file',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
} as const;

for (const route of ['direct', 'gateway'] as const) {
  describe(`the openai package against the emulator, ${route}`, () => {
    let emulator: Emulator;
    before(async () => {
      emulator = await startEmulator({
        port: 0,
        route,
        key: 'sdk-key',
        tokensPerSecond: Number.POSITIVE_INFINITY,
      });
    });
    after(() => emulator.close());

    const client = (scenario = '', apiKey = 'sdk-key'): OpenAI =>
      new OpenAI({ apiKey, baseURL: `${emulator.url}${scenario}/v1`, maxRetries: 0 });
    const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'What is a monad?' }];

    it('completes with reasoning and usage', async () => {
      const reply = await client().chat.completions.create({ model: 'svc-k3', messages });
      const [choice] = reply.choices;
      assert.equal(reply.model, 'svc-k3');
      assert.equal(choice?.finish_reason, 'stop');
      assert.match(choice?.message.content ?? '', /monad/);
      assert.match(fieldOf(choice?.message, 'reasoning_content'), /monad/);
      assert.ok((reply.usage?.completion_tokens_details?.reasoning_tokens ?? 0) > 0);
    });

    it('streams reasoning, then the answer, then usage', async () => {
      const stream = await client().chat.completions.create({
        model: 'svc-k3',
        messages,
        stream: true,
        stream_options: { include_usage: true },
      });
      let reasoning = '';
      let answer = '';
      let usage = 0;
      let finish = '';
      for await (const chunk of stream) {
        const [choice] = chunk.choices;
        reasoning += fieldOf(choice?.delta, 'reasoning_content');
        if (choice?.delta.content) {
          assert.notEqual(reasoning, '');
          answer += choice.delta.content;
        }
        finish = choice?.finish_reason ?? finish;
        usage = chunk.usage?.total_tokens ?? usage;
      }
      assert.match(answer, /monad/);
      assert.equal(finish, 'stop');
      assert.ok(usage > 0);
    });

    it('streams the same completion with its helper', async () => {
      const stream = client().chat.completions.stream({ model: 'svc-k3', messages });
      const completion = await stream.finalChatCompletion();
      assert.match(completion.choices[0]?.message.content ?? '', /monad/);
    });

    it('parses structured output', async () => {
      const schema = {
        type: 'object',
        properties: { answer: { type: 'string' }, sure: { type: 'boolean' } },
        required: ['answer', 'sure'],
        additionalProperties: false,
      };
      const reply = await client().chat.completions.create({
        model: 'svc-k3',
        messages,
        response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
      });
      const parsed: unknown = JSON.parse(reply.choices[0]?.message.content ?? '');
      assert.deepEqual(Object.keys(Object(parsed)), ['answer', 'sure']);
    });

    it('runs a tool loop with the assistant message sent back unchanged', async () => {
      const asked: ChatCompletionMessageParam[] = [{ role: 'user', content: 'Use the tool on src/app.ts' }];
      const first = await client().chat.completions.create({
        model: 'svc-k3',
        messages: asked,
        tools: [TOOL],
      });
      const message = first.choices[0]?.message;
      const call = message?.tool_calls?.[0];
      assert.ok(message !== undefined && call?.type === 'function');
      assert.deepEqual(JSON.parse(call.function.arguments), { path: 'src/app.ts' });
      const { content: _content, ...assistant } = message;
      const second = await client().chat.completions.create({
        model: 'svc-k3',
        messages: [...asked, assistant, { role: 'tool', tool_call_id: call.id, content: 'export {}' }],
        tools: [TOOL],
      });
      assert.match(second.choices[0]?.message.content ?? '', /export \{\}/);
    });

    it('lists the models', async () => {
      const ids: string[] = [];
      for await (const model of client().models.list()) ids.push(model.id);
      assert.deepEqual(ids, ['svc-k3']);
    });

    it('E1: receives a bad key as AuthenticationError', async () => {
      const error = await errorOf(client('', 'wrong').chat.completions.create({ model: 'svc-k3', messages }));
      assert.ok(error instanceof AuthenticationError);
      assert.equal(error.type, 'invalid_authentication_error');
    });

    it('E2, E3: receives a wrong model as NotFoundError, in the shape of the route', async () => {
      const error = await errorOf(client().chat.completions.create({ model: 'svc-k3-chat', messages }));
      assert.ok(error instanceof NotFoundError);
      if (route === 'direct') assert.equal(error.type, 'resource_not_found_error');
      else
        assert.deepEqual([error.code, fieldOf(error.error, 'did_you_mean')], ['model_not_found', 'svc-k3']);
    });

    it('E4, E5: receives empty messages and a forced tool as BadRequestError', async () => {
      const empty = await errorOf(client().chat.completions.create({ model: 'svc-k3', messages: [] }));
      assert.ok(empty instanceof BadRequestError);
      const forced = await errorOf(
        client().chat.completions.create({
          model: 'svc-k3',
          messages,
          tools: [TOOL],
          tool_choice: { type: 'function', function: { name: 'read_file' } },
        }),
      );
      assert.ok(forced instanceof BadRequestError);
      assert.match(forced.message, /incompatible with thinking enabled/);
      assert.equal(forced.code, null);
    });

    it('E6: receives a rate limit as RateLimitError, and passes one with its own retries', async () => {
      const create = (from: OpenAI) => from.chat.completions.create({ model: 'svc-k3', messages });
      const error = await errorOf(create(client('/s/rate-limit-forever')));
      assert.ok(error instanceof RateLimitError);
      const patient = new OpenAI({
        apiKey: 'sdk-key',
        baseURL: `${emulator.url}/s/rate-limit-ms/v1`,
        maxRetries: 2,
      });
      assert.equal((await create(patient)).choices[0]?.finish_reason, 'stop');
    });

    it('receives an error in the middle of a stream as APIError', async () => {
      const stream = await client('/s/error-mid-stream').chat.completions.create({
        model: 'svc-k3',
        messages,
        stream: true,
      });
      const error = await errorOf(drain(stream));
      assert.ok(error instanceof APIError);
    });

    it('R9: receives a connection that breaks in the answer as an error', async () => {
      const stream = await client('/s/reset-mid-answer').chat.completions.create({
        model: 'svc-k3',
        messages,
        stream: true,
      });
      assert.ok((await errorOf(drain(stream))) instanceof Error);
    });

    it('reads the streams that are only hard to read', async () => {
      for (const name of ['single-bytes', 'no-space', 'comments', 'multi-line', 'null-fields', 'crlf']) {
        const stream = await client(`/s/${name}`).chat.completions.create({
          model: 'svc-k3',
          messages,
          stream: true,
        });
        let answer = '';
        for await (const chunk of stream) answer += chunk.choices[0]?.delta?.content ?? '';
        assert.match(answer, /monad/, name);
      }
    });
  });
}

function fieldOf(holder: unknown, field: string): string {
  const value: unknown =
    typeof holder === 'object' && holder !== null ? Reflect.get(holder, field) : undefined;
  return typeof value === 'string' ? value : '';
}

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _chunk of stream);
}

async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return assert.fail('Nothing was thrown');
}
