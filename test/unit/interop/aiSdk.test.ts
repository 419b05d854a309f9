import assert from 'node:assert/strict';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  generateObject,
  generateText,
  jsonSchema,
  type LanguageModel,
  stepCountIs,
  streamText,
  tool,
} from 'ai';
import { after, before, describe, it } from 'mocha';
import { type Emulator, startEmulator } from '../../../src/emulator/server.ts';

for (const route of ['direct', 'gateway'] as const) {
  describe(`@ai-sdk/openai-compatible against the emulator, ${route}`, () => {
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

    const model = (scenario = '', id = 'svc-k3', apiKey = 'sdk-key'): LanguageModel =>
      createOpenAICompatible({
        name: 'k3',
        baseURL: `${emulator.url}${scenario}/v1`,
        apiKey,
        includeUsage: true,
        supportsStructuredOutputs: true,
      })(id);
    const prompt = 'What is a monad?';

    it('completes with reasoning and usage', async () => {
      const reply = await generateText({ model: model(), prompt, maxRetries: 0 });
      assert.match(reply.text, /monad/);
      assert.match(reply.reasoningText ?? '', /monad/);
      assert.equal(reply.finishReason, 'stop');
      assert.ok((reply.usage.reasoningTokens ?? 0) > 0);
    });

    it('streams reasoning before the answer, and usage', async () => {
      const reply = streamText({ model: model(), prompt, maxRetries: 0 });
      const kinds: string[] = [];
      for await (const part of reply.fullStream) if (part.type.endsWith('-delta')) kinds.push(part.type);
      assert.deepEqual(
        kinds.filter((kind, index) => kind !== kinds[index - 1]),
        ['reasoning-delta', 'text-delta'],
      );
      assert.ok(((await reply.usage).totalTokens ?? 0) > 0);
    });

    it('R4: receives reasoning with another name', async () => {
      const reply = await generateText({ model: model('/s/renamed-reasoning'), prompt, maxRetries: 0 });
      assert.match(reply.reasoningText ?? '', /monad/);
    });

    it('runs a tool loop by itself, for which its reasoning must be sent back', async () => {
      const read = tool({
        description: 'Reads a file',
        inputSchema: jsonSchema<{ path: string }>({
          type: 'object',
          properties: { path: { type: 'string' } },
          required: ['path'],
        }),
        execute: async ({ path }) => `the text of ${path}`,
      });
      for (const scenario of ['', '/s/tools-interleaved', '/s/tools-odd-ids']) {
        const reply = streamText({
          model: model(scenario),
          prompt: 'Use the tool on src/app.ts',
          tools: { read_file: read },
          stopWhen: stepCountIs(3),
          maxRetries: 0,
        });
        assert.match(await reply.text, /the text of src\//, scenario);
        assert.equal((await reply.steps).length, 2);
      }
    });

    it('receives an object for its schema', async () => {
      const schema = jsonSchema<{ answer: string }>({
        type: 'object',
        properties: { answer: { type: 'string' } },
        required: ['answer'],
      });
      const reply = await generateObject({ model: model(), prompt, schema, maxRetries: 0 });
      assert.equal(typeof reply.object.answer, 'string');
    });

    it('F1: receives an exhausted budget as finish reason length without text', async () => {
      const reply = await generateText({ model: model('/s/spent-on-reasoning'), prompt, maxRetries: 0 });
      assert.deepEqual([reply.finishReason, reply.text], ['length', '']);
    });

    it('E1–E3, E6: receives each refusal with its status, and knows which to retry', async () => {
      const cases: readonly (readonly [LanguageModel, number, boolean])[] = [
        [model('', 'svc-k3', 'wrong'), 401, false],
        [model('', 'svc-k3-chat'), 404, false],
        [model('/s/rate-limit-forever'), 429, true],
        [model('/s/503'), 503, true],
      ];
      for (const [broken, status, isRetryable] of cases) {
        const error = await generateText({ model: broken, prompt, maxRetries: 0 }).then(
          () => assert.fail('Nothing was thrown'),
          (reason: unknown) => reason,
        );
        assert.ok(APICallError.isInstance(error), String(error));
        assert.deepEqual([error.statusCode, error.isRetryable], [status, isRetryable]);
      }
    });

    it('receives an error in the middle of a stream as an error part', async () => {
      const reply = streamText({
        model: model('/s/error-mid-stream'),
        prompt,
        maxRetries: 0,
        onError: () => undefined,
      });
      const kinds: string[] = [];
      for await (const part of reply.fullStream) kinds.push(part.type);
      assert.ok(kinds.includes('error'));
    });
  });
}
