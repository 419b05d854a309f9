import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { after, before, describe, it } from 'mocha';
import { SCENARIOS } from '../../../../src/emulator/scenarios/scenarios.ts';
import type { Emulator } from '../../../../src/emulator/server.ts';
import {
  ask,
  chunksOf,
  eventsOf,
  type Json,
  joined,
  question,
  startFast,
  streamed,
  toJson,
  usageOf,
  type WireReply,
} from '../plainClient.ts';

const ROUTES = ['direct', 'gateway'] as const;
/** Scenarios that are slow on purpose or never end. */
const SLOW = /^(stall|keep-alives|slow)/;

describe('The list of scenarios', () => {
  it('has unique names that need no escaping', () => {
    const names = SCENARIOS.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    for (const name of names) assert.match(name, /^[a-z0-9-]+$/);
  });

  it('has at least one scenario for each documented error and failure', () => {
    const rows = new Set(SCENARIOS.flatMap(({ row }) => row.split(', ')));
    const wanted = ['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8', 'E9', 'E10', 'E11'].concat(
      ['F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7'],
      ['R2', 'R4', 'R5', 'R8', 'R9', 'M1', 'Q5', 'Q8', 'Q9', 'Q10', 'Q12', 'Q15'],
    );
    for (const row of wanted) assert.ok(rows.has(row), row);
  });

  it('matches docs/emulator.md', async () => {
    const page = await readFile('docs/emulator.md', 'utf8');
    const documented = [...page.matchAll(/^\| `([a-z0-9-]+)` \| .* \| .* \|$/gm)].map((match) => match[1]);
    assert.deepEqual(
      documented,
      SCENARIOS.map(({ name }) => name),
    );
  });

  it('is served at GET /s, without a key', async () => {
    const emulator = await startFast();
    const reply = await ask(emulator, undefined, {
      method: 'GET',
      path: '/s',
      headers: { authorization: '' },
    });
    await emulator.close();
    assert.deepEqual(
      JSON.parse(reply.text),
      SCENARIOS.map(({ name, row, title }) => ({ name, row, title })),
    );
  });
});

for (const route of ROUTES) {
  describe(`Every scenario, ${route}`, () => {
    let emulator: Emulator;
    before(async () => {
      emulator = await startFast({ route });
    });
    after(() => emulator.close());

    for (const { name, title } of SCENARIOS) {
      it(`${name}: ${title}`, async () => {
        // On a busy machine, thousands of single bytes take long. Only what hangs reaches this limit.
        const patience = SLOW.test(name) ? 80 : 50_000;
        const path = `/s/${name}/v1/chat/completions`;
        const replies = await Promise.all(
          [streamed(), question()].map((body) => ask(emulator, body, { path, patience })),
        );
        for (const reply of replies) {
          assert.equal(
            reply.ending === 'timeout',
            SLOW.test(name),
            `${reply.ending} ${reply.text.slice(0, 200)}`,
          );
          assert.doesNotMatch(reply.text.slice(0, 200), /The emulator failed/);
        }
        // Scenarios still check the rules.
        const headers = { authorization: 'Bearer wrong' };
        assert.equal((await ask(emulator, question(), { path, headers })).status, 401);
        assert.equal((await ask(emulator, question({ messages: [] }), { path })).status, 400);
      });
    }
  });
}

describe('Each scenario does what its title says:', () => {
  let emulator: Emulator;
  before(async () => {
    emulator = await startFast();
  });
  after(() => emulator.close());

  const play = (name: string, body: unknown = streamed(), patience = 5000): Promise<WireReply> =>
    ask(emulator, body, { path: `/s/${name}/v1/chat/completions`, patience });
  const finishOf = (text: string): unknown =>
    chunksOf(text)
      .map((chunk) => chunk['choices']?.[0]?.['finish_reason'] ?? null)
      .findLast((reason) => reason !== null);
  const plain = async (): Promise<string> => (await ask(emulator, streamed())).text;

  it('F1 spent-on-reasoning: finish reason length, reasoning, no content, all billed as reasoning', async () => {
    const { text } = await play('spent-on-reasoning');
    assert.equal(finishOf(text), 'length');
    assert.equal(joined(text, 'content'), '');
    const usage = usageOf(text);
    assert.equal(
      Number(usage?.['completion_tokens']),
      Number(usage?.['completion_tokens_details']?.['reasoning_tokens']),
    );
    assert.ok(Number(usage?.['completion_tokens']) > 0);
  });

  it('F1: a retry with a larger budget than the default succeeds', async () => {
    assert.equal(
      finishOf((await play('spent-on-reasoning', streamed({ max_completion_tokens: 262_144 }))).text),
      'stop',
    );
  });

  it('F2, F7, R2: truncate, empty and substitute', async () => {
    const cut = (await play('truncate')).text;
    assert.equal(finishOf(cut), 'length');
    assert.notEqual(joined(cut, 'content'), '');
    const empty = (await play('empty')).text;
    assert.deepEqual([finishOf(empty), joined(empty, 'content')], ['stop', '']);
    assert.ok(
      chunksOf((await play('substitute')).text).every((chunk) => String(chunk['model']) !== 'svc-k3'),
    );
  });

  it('F2: a rest that repeats words, opens a code block again, or is no rest', async () => {
    const whole = joined(await plain(), 'content');
    const restAfter = async (name: string): Promise<readonly [string, string]> => {
      const cut = (await play(name)).text;
      assert.equal(finishOf(cut), 'length', name);
      const first = joined(cut, 'content');
      const [asked] = (streamed() as { readonly messages: readonly object[] }).messages;
      const more = { role: 'user', content: 'Continue exactly where your answer was cut off.' };
      const messages = [asked, { role: 'assistant', content: first }, more];
      const rest = (await play(name, streamed({ messages }))).text;
      assert.equal(finishOf(rest), 'stop', name);
      return [first, joined(rest, 'content')];
    };
    const [first, repeating] = await restAfter('truncate-repeats');
    assert.ok(whole.startsWith(first));
    assert.equal(repeating, whole.slice(first.length - 24));
    const [, fenced] = await restAfter('truncate-fence');
    assert.equal(fenced, `\`\`\`ts\n${whole.slice(first.length)}`);
    const [, forgotten] = await restAfter('truncate-forgets');
    assert.ok(!whole.includes(forgotten));
  });

  it('R4: the same reasoning in each field', async () => {
    const expected = joined(await plain(), 'reasoning_content');
    assert.equal(joined((await play('renamed-reasoning')).text, 'reasoning'), expected);
    assert.equal(joined((await play('renamed-reasoning')).text, 'reasoning_content'), '');
    const details = chunksOf((await play('reasoning-details')).text)
      .flatMap((chunk) => chunk['choices']?.[0]?.['delta']?.['reasoning_details'] ?? [])
      .map((list) => toEntry(list));
    assert.equal(details.map((entry) => entry?.['text'] ?? '').join(''), expected);
    assert.equal(String(details.at(-1)?.['type']), 'reasoning.encrypted');
    const both = (await play('both-names')).text;
    assert.equal(joined(both, 'reasoning'), expected);
    assert.equal(joined(both, 'reasoning_content'), expected);
  });

  it('R4: reasoning in tags, with and without the opening tag', async () => {
    const text = await plain();
    const [reasoning, answer] = [joined(text, 'reasoning_content'), joined(text, 'content')];
    const expected: Readonly<Record<string, string>> = {
      'think-tags': `<think>${reasoning}</think>\n\n${answer}`,
      'think-tags-split': `<think>${reasoning}</think>\n\n${answer}`,
      'think-no-open': `${reasoning}</think>\n\n${answer}`,
      'think-triangles': `◁think▷${reasoning}◁/think▷\n\n${answer}`,
    };
    const twin = (await play('think-twin')).text;
    assert.equal(joined(twin, 'content'), expected['think-tags']);
    assert.equal(joined(twin, 'reasoning_content'), reasoning);
    for (const [name, content] of Object.entries(expected)) {
      const reply = (await play(name)).text;
      assert.equal(joined(reply, 'content'), content, name);
      assert.equal(joined(reply, 'reasoning_content'), '');
    }
  });

  it('R4: reasoning must be sent back with the name of its field', async () => {
    const call = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } };
    const loop = (reasoning: object): unknown =>
      question({
        messages: [
          { role: 'user', content: 'Look.' },
          { role: 'assistant', tool_calls: [call], ...reasoning },
          { role: 'tool', tool_call_id: 'a', content: 'a wall' },
        ],
      });
    assert.equal((await play('renamed-reasoning', loop({ reasoning: 'x' }))).status, 200);
    assert.equal((await play('renamed-reasoning', loop({ reasoning_content: 'x' }))).status, 400);
    assert.equal((await play('think-tags', loop({ content: '<think>x</think>' }))).status, 200);
    const renamed = (await play('renamed-in-answers')).text;
    assert.equal(joined(renamed, 'reasoning'), joined(await plain(), 'reasoning_content'));
    assert.equal((await play('renamed-in-answers', loop({ reasoning: 'x' }))).status, 400);
    assert.equal((await play('renamed-in-answers', loop({ reasoning_content: 'x' }))).status, 200);
    for (const [name, status] of [
      ['refuses-reasoning', 400],
      ['refuses-reasoning-200', 200],
    ] as const) {
      const refused = await play(name, loop({ reasoning_content: 'x' }));
      assert.equal(refused.status, status);
      assert.match(refused.text, /^\{"error":\{"message":"property 'reasoning_content' is unsupported"/);
      assert.equal((await play(name)).status, 200);
    }
  });

  it('E10, F6: usage that is missing, zero, in the choice, or duplicated', async () => {
    assert.equal(usageOf((await play('no-usage')).text), undefined);
    assert.equal(Number(usageOf((await play('zero-usage')).text)?.['total_tokens']), 0);
    const spent = await Promise.all(
      ['zero-total', 'no-total'].map(async (name) => usageOf((await play(name)).text)),
    );
    assert.deepEqual(
      spent.map((usage) => usage?.['total_tokens']),
      [0, undefined],
    );
    assert.ok(spent.every((usage) => Number(usage?.['completion_tokens']) > 0));
    const places = async (name: string): Promise<readonly boolean[]> => {
      const chunks = chunksOf((await play(name)).text);
      return [
        chunks.some((chunk) => chunk['choices']?.[0]?.['usage'] !== undefined),
        chunks.some((chunk) => chunk['usage'] !== undefined),
      ];
    };
    assert.deepEqual(await places('usage-in-choice'), [true, false]);
    assert.deepEqual(await places('usage-twice'), [true, true]);
  });

  it('R9: streams without [DONE], with an early one, and with two', async () => {
    const dones = async (name: string): Promise<readonly number[]> => {
      const events = eventsOf((await play(name)).text);
      return events.flatMap((data, index) => (data === '[DONE]' ? [index - events.length] : []));
    };
    assert.deepEqual(await dones('no-done'), []);
    assert.deepEqual(await dones('done-twice'), [-2, -1]);
    assert.deepEqual(await dones('done-early'), [-4, -1]);
  });

  it('R9: connections that break before the headers, in the reasoning, in the answer, and in tool arguments', async () => {
    assert.equal((await play('reset')).ending, 'no-reply');
    for (const how of ['cut-mid', 'reset-mid']) {
      for (const where of ['reasoning', 'answer', 'tools']) {
        const reply = await play(`${how}-${where}`);
        assert.equal(reply.ending, 'cut', `${how}-${where}`);
        assert.notEqual(joined(reply.text, 'reasoning_content'), '');
        assert.equal(joined(reply.text, 'content') !== '', where === 'answer');
        assert.equal(reply.text.includes('tool_calls'), where === 'tools');
      }
    }
    const clean = await play('clean-close');
    assert.deepEqual(
      [clean.ending, finishOf(clean.text), clean.text.includes('[DONE]')],
      ['whole', undefined, false],
    );
  });

  it('E9: no data before the headers, after them, and in each phase', async () => {
    assert.equal((await play('stall-headers', streamed(), 100)).status, 0);
    assert.deepEqual((await play('stall-body', streamed(), 100)).text, '');
    assert.equal(joined((await play('stall-reasoning', streamed(), 200)).text, 'content'), '');
    assert.notEqual(joined((await play('stall-answer', streamed(), 200)).text, 'content'), '');
    const texts: string[] = [];
    // The longer times are for a busy machine.
    for (const patience of [400, 2000, 5000]) {
      texts.push((await play('keep-alives', streamed(), patience)).text);
      if (/PROCESSING.*PROCESSING/s.test(texts.at(-1) ?? '')) break;
    }
    assert.match(texts.at(-1) ?? '', /^(: PROCESSING\n\n){2,}$/);
  });

  it('E6, E8: two refusals and then the answer, repeatedly, per question', async () => {
    for (const [name, status] of [
      ['rate-limit', 429],
      ['overloaded', 503],
      ['502-html', 502],
    ] as const) {
      const statuses: number[] = [];
      for (let i = 0; i < 6; i++) statuses.push((await play(name)).status);
      assert.deepEqual(statuses, [status, status, 200, status, status, 200]);
      // Another question has its own count.
      assert.equal((await play(name, streamed({ prompt_cache_key: 'other' }))).status, status);
    }
  });

  it('E6: Retry-After in seconds, milliseconds, as a date, and over a minute', async () => {
    assert.equal((await play('rate-limit-seconds')).headers['retry-after'], '1');
    assert.equal((await play('rate-limit-ms')).headers['retry-after-ms'], '700');
    assert.ok(Date.parse(String((await play('rate-limit-date')).headers['retry-after'])) > Date.now());
    assert.equal((await play('rate-limit-long')).headers['retry-after'], '120');
    assert.equal(toJson((await play('rate-limit-untyped')).text)['error']?.['code'], null);
  });

  it('errors within a stream, in three formats', async () => {
    assert.match((await play('error-mid-stream')).text, /data: \{"error":\{[^\n]+\n\n$/);
    assert.match((await play('error-event-mid-stream')).text, /event: error\ndata: \{"message"[^\n]+\n\n$/);
    assert.match((await play('error-object-mid-stream')).text, /data: \{"object":"error"[^\n]+\n\n$/);
    assert.equal(joined((await play('error-mid-reasoning')).text, 'content'), '');
  });

  it('status 200 with a page, an error, an empty body, and a JSON body', async () => {
    const [page, error, nothing, whole] = await Promise.all(
      ['html-200', 'error-200', 'empty-200', 'json-instead-of-stream'].map((name) => play(name)),
    );
    assert.deepEqual([page?.status, error?.status, nothing?.status, whole?.status], [200, 200, 200, 200]);
    assert.match(page?.text ?? '', /^<!DOCTYPE html>/);
    assert.equal(String(toJson(error?.text ?? '')['error']?.['type']), 'server_error');
    assert.equal(nothing?.text, '');
    assert.equal(String(toJson(whole?.text ?? '')['object']), 'chat.completion');
  });

  it('redirects to another origin and to another path', async () => {
    const port = new URL(emulator.url).port;
    const away = await play('redirect');
    assert.deepEqual(
      [away.status, away.headers['location']],
      [307, `http://localhost:${port}/v1/chat/completions`],
    );
    assert.equal((await play('redirect-path')).status, 308);
  });

  it('framing: single bytes with BOM and CRLF, bare CR, no space, several lines', async () => {
    const bytes = await play('single-bytes');
    assert.deepEqual([...bytes.body.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
    assert.ok(bytes.pieces > bytes.body.length / 4, `${bytes.pieces} pieces`);
    assert.match(bytes.text, /漢字.*🙂/s);
    assert.doesNotMatch(bytes.text, /[^\r]\n/);
    assert.doesNotMatch((await play('bare-cr')).text, /\n/);
    assert.match((await play('no-space')).text, /^data:\{.*\n\ndata:\[DONE\]\n\n$/s);
    assert.match((await play('multi-line')).text, /^data: \{\ndata: {2}"id"/);
    assert.ok((await play('big-line')).body.length > 10_000_000);
  });

  it('gzip when requested, when not requested, and incomplete', async () => {
    const path = '/s/gzip/v1/chat/completions';
    const headers = { 'accept-encoding': 'gzip, br' };
    assert.equal((await ask(emulator, streamed(), { path, headers })).headers['content-encoding'], 'gzip');
    assert.equal((await play('gzip')).headers['content-encoding'], undefined);
    assert.equal((await play('gzip-cut')).headers['content-encoding'], 'gzip');
    const unasked = await play('gzip-unasked');
    assert.equal(unasked.headers['content-encoding'], 'gzip');
    assert.match(gunzipSync(unasked.body).toString(), /data: \[DONE\]\n\n$/);
    const unnamed = await play('gzip-unnamed');
    assert.equal(unnamed.headers['content-encoding'], undefined);
    assert.match(gunzipSync(unnamed.body).toString(), /data: \[DONE\]\n\n$/);
  });

  it('Q5: content that is a string is refused in every message, but only beside an image', async () => {
    const image = { type: 'image_url', image_url: { url: 'ms://file-1' } };
    const asked = { role: 'user', content: [image, { type: 'text', text: 'What is it?' }] };
    const array = { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] };
    const statusOf = async (...messages: readonly unknown[]) =>
      (await play('image-arrays', question({ messages }))).status;
    for (const role of ['system', 'user', 'assistant'])
      assert.equal(await statusOf(array, { role, content: 'x' }, asked), 400, role);
    assert.equal(await statusOf(asked, array, { role: 'user', content: 'x' }), 400);
    assert.equal(await statusOf(array, asked), 200);
    assert.equal(await statusOf({ ...array, content: 'Be brief.' }, { role: 'user', content: 'x' }), 200);
  });

  it('a field is refused, and the form that is asked for in words instead is kept', async () => {
    const schema = { type: 'object', properties: { heron: { type: 'integer' } }, required: ['heron'] };
    const format = { type: 'json_schema', json_schema: { name: 'x', schema } };
    const refused = await play('refuses-schema', question({ response_format: format }));
    assert.equal(refused.status, 400);
    assert.match(refused.text, /json_schema/);
    assert.equal(
      (await play('refuses-schema', question({ response_format: { type: 'json_object' } }))).status,
      200,
    );
    const content = `How many?\n\nIt has to match this JSON schema:\n${JSON.stringify(schema)}`;
    const { text } = await play('refuses-schema', streamed({ messages: [{ role: 'user', content }] }));
    assert.deepEqual(Object.keys(JSON.parse(joined(text, 'content'))), ['heron']);
    for (const [effort, status] of [
      ['low', 400],
      ['high', 400],
      ['max', 200],
      [undefined, 200],
    ] as const)
      assert.equal(
        (await play('refuses-effort', question({ reasoning_effort: effort }))).status,
        status,
        effort,
      );
  });

  it('tool deltas in unusual orders', async () => {
    const callsOf = async (name: string): Promise<readonly Json[]> =>
      chunksOf((await play(name)).text).flatMap((chunk) =>
        toList(chunk['choices']?.[0]?.['delta']?.['tool_calls']),
      );
    const indexes = (await callsOf('tools-interleaved')).map((call) => Number(call['index']));
    assert.deepEqual(indexes.slice(0, 4), [0, 1, 0, 1]);
    assert.ok((await callsOf('tools-no-index')).every((call) => !('index' in call)));
    const same = await callsOf('tools-same-index');
    assert.equal(new Set(same.map((call) => String(call['index']))).size, 1);
    assert.equal(same.filter((call) => 'id' in call).length, 2);
    assert.ok((await callsOf('tools-empty-names')).some((call) => String(call['id']) === ''));
    const named = (await callsOf('tools-split-names')).filter((call) => call['function']?.['name']);
    assert.deepEqual(
      named.map((call) => [call['index'], 'id' in call]),
      [
        [0, true],
        [0, false],
        [1, true],
        [1, false],
      ],
    );
    assert.equal(chunksOf((await play('tools-one-chunk')).text).filter(hasCalls).length, 1);
    assert.equal(finishOf((await play('tools-truncated')).text), 'length');
    assert.equal(finishOf((await play('tools')).text), 'tool_calls');
  });

  it('a tool that the question names is called in eight rounds, and after the next question that names it', async () => {
    const path = { type: 'string' };
    const parameters = {
      type: 'object',
      properties: { path, from: { type: 'integer' } },
      required: ['path'],
    };
    const tools = ['list_files', 'read_file'].map((name) => ({
      type: 'function',
      function: { name, parameters },
    }));
    const messages: object[] = [];
    const rounds = async (content: string): Promise<number> => {
      messages.push({ role: 'user', content });
      for (let round = 0; ; round++) {
        const reply = toJson((await play('tools-rounds', question({ messages, tools }))).text);
        const { content: answer, ...message } = reply['choices']?.[0]?.['message'] ?? {};
        const calls = toList(message['tool_calls']);
        if (calls.length === 0) {
          messages.push({ role: 'assistant', content: answer });
          return round;
        }
        const called = calls.map((call) => call['function']);
        const read = { name: 'read_file', arguments: '{"path":"src/a.ts"}' };
        assert.deepEqual(called, [read, read]);
        const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'text' }));
        messages.push(message, ...results);
      }
    };
    assert.equal(await rounds('Call read_file for src/a.ts'), 8);
    assert.equal(await rounds('And in short?'), 0);
    assert.equal(await rounds('And read_file again'), 8);
  });

  it('401, 403, and pages also replace the list of models; other refusals do not', async () => {
    const models = async (name: string): Promise<number> =>
      (await ask(emulator, undefined, { method: 'GET', path: `/s/${name}/v1/models` })).status;
    assert.deepEqual(
      [await models('401'), await models('403'), await models('404-gateway')],
      [401, 403, 200],
    );
  });
});

function hasCalls(chunk: Json): boolean {
  return toList(chunk['choices']?.[0]?.['delta']?.['tool_calls']).length > 0;
}

function toList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function toEntry(value: Json | readonly Json[]): Json | undefined {
  return Array.isArray(value) ? value[0] : (value as Json);
}
