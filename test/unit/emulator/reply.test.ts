import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Emulator } from '../../../src/emulator/server.ts';
import { countTokens } from '../../../src/emulator/tokens.ts';
import {
  ask,
  chunksOf,
  eventsOf,
  joined,
  question,
  startFast,
  streamed,
  toJson,
  usageOf,
} from './plainClient.ts';

for (const route of ['direct', 'gateway'] as const) {
  describe(`The emulator's replies, ${route}`, () => {
    let emulator: Emulator;
    before(async () => {
      emulator = await startFast({ route });
    });
    after(() => emulator.close());

    it('R1, R6: have the fields of a completion, with reasoning and usage', async () => {
      const reply = toJson((await ask(emulator, question())).text);
      assert.match(String(reply['id']), /^chatcmpl-/);
      assert.equal(reply['object'], 'chat.completion');
      assert.equal(reply['model'], 'svc-k3');
      const choice = reply['choices']?.[0];
      assert.equal(choice?.['finish_reason'], 'stop');
      assert.equal(choice?.['message']?.['role'], 'assistant');
      const reasoning = String(choice?.['message']?.['reasoning_content']);
      const content = String(choice?.['message']?.['content']);
      const usage = reply['usage'];
      assert.equal(
        Number(usage?.['completion_tokens_details']?.['reasoning_tokens']),
        countTokens(reasoning),
      );
      assert.equal(Number(usage?.['completion_tokens']), countTokens(reasoning) + countTokens(content));
      assert.equal(
        Number(usage?.['total_tokens']),
        Number(usage?.['prompt_tokens']) + Number(usage?.['completion_tokens']),
      );
      // 90 of overhead and 16 ASCII characters.
      assert.equal(Number(usage?.['prompt_tokens']), 94);
    });

    it('R7–R9: stream role, reasoning, answer, finish reason, usage, and [DONE], in this order', async () => {
      const { text, headers } = await ask(emulator, streamed());
      assert.match(String(headers['content-type']), /^text\/event-stream/);
      const kinds = chunksOf(text).map((chunk) => {
        const choice = chunk['choices']?.[0];
        if (choice === undefined) return 'usage';
        if (choice['finish_reason'] !== null) return 'finish';
        return Object.keys(choice['delta'] ?? {}).join();
      });
      const order = kinds.filter((kind, index) => kind !== kinds[index - 1]);
      assert.deepEqual(order, ['role,content', 'reasoning_content', 'content', 'finish', 'usage']);
      assert.equal(eventsOf(text).at(-1), '[DONE]');
      assert.deepEqual(chunksOf(text).at(-1)?.['choices'], []);
    });

    it('have the same text and usage when streamed', async () => {
      const whole = toJson((await ask(emulator, question())).text);
      const { text } = await ask(emulator, streamed());
      const message = whole['choices']?.[0]?.['message'];
      assert.equal(joined(text, 'reasoning_content'), message?.['reasoning_content']);
      assert.equal(joined(text, 'content'), message?.['content']);
      assert.equal(
        Number(usageOf(text)?.['completion_tokens']),
        Number(whole['usage']?.['completion_tokens']),
      );
    });

    it('Q10: stream usage only if requested', async () => {
      for (const options of [undefined, {}, { include_usage: false }]) {
        const { text } = await ask(emulator, streamed({ stream_options: options }));
        assert.equal(usageOf(text), undefined);
        assert.equal(eventsOf(text).at(-1), '[DONE]');
      }
    });

    it('F1: use a small budget for reasoning only, without an answer, and bill all of it', async () => {
      const { text } = await ask(emulator, streamed({ max_completion_tokens: 20 }));
      assert.equal(joined(text, 'content'), '');
      assert.notEqual(joined(text, 'reasoning_content'), '');
      assert.equal(finishOf(text), 'length');
      assert.equal(Number(usageOf(text)?.['completion_tokens']), 20);
      assert.equal(Number(usageOf(text)?.['completion_tokens_details']?.['reasoning_tokens']), 20);
    });

    it('F2: are cut when the budget ends within the answer', async () => {
      const whole = toJson((await ask(emulator, question())).text)['usage'];
      const budget = Number(whole?.['completion_tokens']) - 10;
      const { text } = await ask(emulator, streamed({ max_completion_tokens: budget }));
      assert.notEqual(joined(text, 'content'), '');
      assert.equal(finishOf(text), 'length');
      assert.equal(Number(usageOf(text)?.['completion_tokens']), budget);
    });

    it('are complete when the budget is just enough', async () => {
      const whole = toJson((await ask(emulator, question())).text)['usage'];
      const budget = Number(whole?.['completion_tokens']);
      assert.equal(finishOf((await ask(emulator, streamed({ max_completion_tokens: budget }))).text), 'stop');
    });

    it('R11: cache an identical small prompt completely', async () => {
      const body = question({ messages: [{ role: 'user', content: `small ${route}` }] });
      assert.equal(await cachedOf(emulator, body), 0);
      assert.equal(await cachedOf(emulator, body), 92 + (route === 'gateway' ? 2 : 1));
    });

    it('R11: cache a long prefix in blocks of 256, byte by byte', async () => {
      const first = { role: 'user', content: `${route} ${'word '.repeat(2000)}` };
      const ask1 = question({ messages: [first] });
      assert.equal(await cachedOf(emulator, ask1), 0);
      const more = [first, { role: 'assistant', content: 'Yes.' }, { role: 'user', content: 'Why?' }];
      const cached = await cachedOf(emulator, question({ messages: more }));
      // 10,000 ASCII characters and 90 of overhead: ten complete blocks.
      assert.equal(cached, 10 * 256);
      const changed = { role: 'user', content: `X${first.content}` };
      assert.equal(await cachedOf(emulator, question({ messages: [changed] })), 0);
    });
  });
}

async function cachedOf(emulator: Emulator, body: unknown): Promise<number> {
  const reply = toJson((await ask(emulator, body)).text);
  return Number(reply['usage']?.['prompt_tokens_details']?.['cached_tokens']);
}

function finishOf(text: string): unknown {
  return chunksOf(text)
    .map((chunk) => chunk['choices']?.[0]?.['finish_reason'] ?? null)
    .findLast((reason) => reason !== null);
}
