/** Tests the independent service against docs/service.md, with plain fetch and without the client. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type ForeignRequest, startForeignService } from '../../foreign/service.ts';

const key = 'key-for-this-test';
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type Bag = { [name: string]: unknown };
type Delta = { [name: string]: string | null } & { tool_calls?: Bag[] | null };
type Chunk = {
  id: string;
  model: string;
  choices: { delta: Delta | null; finish_reason: string | null; usage?: Bag }[];
  usage?: { total_tokens: number; prompt_tokens_details: Bag; completion_tokens_details: Bag };
  error?: Bag;
};
type Service = Awaited<ReturnType<typeof startForeignService>>;

function bodyOf(text: string, more: Bag = {}): Bag {
  const messages = [{ role: 'user', content: text }];
  return { model: 'svc-k3', messages, stream: true, stream_options: { include_usage: true }, ...more };
}

function post(service: Service, body: Bag, more: RequestInit = {}, path = '/v1/chat/completions') {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body), ...more });
}

async function failure(response: Response) {
  return ((await response.json()) as { error: Bag }).error;
}

/** The data of every event, whatever the line ends are. */
function dataOf(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  return lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).replace(/^ /, ''));
}

async function streamed(response: Response) {
  const text = await response.text();
  const data = dataOf(text);
  const chunks = data.filter((one) => one !== '[DONE]').map((one) => JSON.parse(one) as Chunk);
  const choices = chunks.flatMap((chunk) => chunk.choices ?? []);
  const joined = (name: string) => choices.map(({ delta }) => delta?.[name] ?? '').join('');
  return {
    text,
    data,
    chunks,
    reasoning: joined('reasoning_content'),
    renamed: joined('reasoning'),
    answer: joined('content'),
    finish: choices.map((choice) => choice.finish_reason).find((one) => one),
    usage: chunks.find((chunk) => chunk.usage)?.usage,
    calls: choices.flatMap(({ delta }) => delta?.tool_calls ?? []),
  };
}

function waited(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}

describe('The independent service', () => {
  let direct: Service;
  let gateway: Service;

  beforeEach(async () => {
    direct = await startForeignService({ route: 'direct', key, pace: 0 });
    gateway = await startForeignService({ route: 'gateway', key, pace: 0 });
  });

  afterEach(async () => {
    await Promise.all([direct.close(), gateway.close()]);
  });

  async function ask(text: string, more: Bag = {}, service = direct) {
    return streamed(await post(service, bodyOf(text, more)));
  }

  /** Asserts that there is exactly one violation, which matches. */
  function onlyViolation(pattern: RegExp, service = direct): void {
    assert.equal(service.violations.length, 1, service.violations.join('\n'));
    assert.match(service.violations[0] ?? '', pattern);
  }

  describe('Answers', () => {
    it('contain reasoning, an answer, usage, and [DONE]', async () => {
      const said = await ask('hello');
      assert.match(said.reasoning, /## What is being asked/);
      assert.match(said.answer, /### Sorting names/);
      assert.equal(said.finish, 'stop');
      assert.equal(said.data.at(-1), '[DONE]');
      assert.deepEqual(said.chunks.at(-1)?.choices, []);
      assert.ok(said.reasoning.length > 1200 && (said.usage?.total_tokens ?? 0) > 400);
      assert.deepEqual(direct.violations, []);
    });

    it('take at least 10 ms per piece', async () => {
      const paced = await startForeignService({ route: 'direct', key });
      try {
        const start = performance.now();
        const { chunks } = await streamed(await post(paced, bodyOf('hello', { max_completion_tokens: 100 })));
        const each = (performance.now() - start) / chunks.length;
        // The upper limit depends on the computer.
        assert.ok(each > 10, `${each} ms`);
      } finally {
        await paced.close();
      }
    });

    it('arrive in one body without stream, which is recorded as a violation', async () => {
      const response = await post(direct, { ...bodyOf('hello'), stream: false, stream_options: undefined });
      const body = (await response.json()) as { object: string; choices: { message: Bag }[]; usage: Bag };
      assert.equal(body.object, 'chat.completion');
      assert.match(String(body.choices[0]?.message['reasoning_content']), /Decision/);
      assert.ok(body.usage['completion_tokens']);
      onlyViolation(/stream is not true/);
    });

    it('contain no usage without include_usage', async () => {
      const said = await ask('hello', { stream_options: undefined });
      assert.equal(said.usage, undefined);
      onlyViolation(/include_usage is missing/);
    });

    it('spend a small budget on reasoning, and clamp a large one', async () => {
      const small = await ask('hello', { max_completion_tokens: 128 });
      assert.deepEqual([small.finish, small.answer], ['length', '']);
      assert.equal(small.usage?.completion_tokens_details['reasoning_tokens'], 128);
      assert.equal((await ask('more', { max_completion_tokens: 2_000_000 })).finish, 'stop');
      onlyViolation(/clamped/);
    });

    it('match a schema', async () => {
      const schema = { type: 'object', properties: { count: { type: 'integer' }, of: { enum: ['a', 'b'] } } };
      const format = { type: 'json_schema', json_schema: { name: 'tally', schema, strict: true } };
      const said = await ask('count', { response_format: format });
      assert.deepEqual(JSON.parse(said.answer), { count: 1, of: 'a' });
    });

    it('report cached tokens if a prompt repeats an earlier one', async () => {
      const long = 'word '.repeat(2000);
      assert.equal((await ask(long)).usage?.prompt_tokens_details['cached_tokens'], 0);
      const cached = Number((await ask(long)).usage?.prompt_tokens_details['cached_tokens']);
      assert.ok(cached > 2000 && cached % 256 === 0, String(cached));
    });

    it('report cached tokens as it counts those of a prompt', async () => {
      const long = 'word '.repeat(2000);
      const dense = await startForeignService({ route: 'direct', key, pace: 0, promptFactor: 2 });
      try {
        const cachedBy = async (service: Service) => {
          await ask(long, {}, service);
          return Number((await ask(long, {}, service)).usage?.prompt_tokens_details['cached_tokens']);
        };
        const [plain, twice] = [await cachedBy(direct), await cachedBy(dense)];
        assert.ok(Math.abs(twice - 2 * plain) <= 256, `${plain} and ${twice}`);
      } finally {
        await dense.close();
      }
    });

    it('include the list of models', async () => {
      const headers = { authorization: `Bearer ${key}` };
      const body = (await (await fetch(`${gateway.url}/v1/models`, { headers })).json()) as { data: Bag[] };
      assert.ok(body.data.some(({ id }) => id === 'svc-k3'));
      assert.deepEqual(gateway.violations, []);
    });
  });

  describe('Refusals', () => {
    it('have the documented message of each route for a key without its prefix', async () => {
      const headers = { authorization: key, 'content-type': 'application/json' };
      const [ours, theirs] = await Promise.all(
        [direct, gateway].map(async (service) => {
          const response = await post(service, bodyOf('hello'), { headers });
          assert.equal(response.status, 401);
          return failure(response);
        }),
      );
      assert.equal(ours?.['type'], 'invalid_authentication_error');
      assert.equal(theirs?.['type'], 'invalid_authentication_error');
      assert.ok(ours && !('code' in ours));
      assert.notEqual(ours['message'], theirs?.['message']);
    });

    it('have the documented shape of each route for another model', async () => {
      const body = bodyOf('hello', { model: 'svc-k3-chat' });
      const [ours, theirs] = [await post(direct, body), await post(gateway, body)];
      assert.deepEqual([ours.status, theirs.status], [404, 404]);
      assert.equal((await failure(ours))['type'], 'resource_not_found_error');
      const error = await failure(theirs);
      assert.deepEqual([error['code'], error['did_you_mean']], ['model_not_found', 'svc-k3']);
      assert.ok(!('type' in error));
    });

    const refused: [name: string, more: Bag, line: RegExp][] = [
      ['no messages', { messages: [] }, /messages must not be empty/],
      ['empty content', { messages: [{ role: 'user', content: '' }] }, /messages\[0\]\.content is empty/],
      ['a forced tool', { tool_choice: { type: 'function' }, tools: [] }, /tool_choice forces/],
      ['a temperature', { temperature: 0.2 }, /temperature is fixed/],
      ['another format', { response_format: { type: 'xml' } }, /response_format\.type/],
      [
        'a schema without a name',
        { response_format: { type: 'json_schema', json_schema: { schema: {} } } },
        /name/,
      ],
      ['a budget of half a token', { max_completion_tokens: 0.5 }, /positive integer/],
    ];
    for (const [name, more, line] of refused) {
      it(`are sent for ${name}`, async () => {
        const response = await post(direct, bodyOf('hello', more));
        assert.equal(response.status, 400);
        assert.equal((await failure(response))['type'], 'invalid_request_error');
        onlyViolation(line);
      });
    }

    it('are sent for the 129th tool and for a duplicate name', async () => {
      const tool = (name: string) => ({
        type: 'function',
        function: { name, parameters: { type: 'object' } },
      });
      const many = Array.from({ length: 129 }, (_, index) => tool(`t${index}`));
      assert.equal((await post(direct, bodyOf('hello', { tools: many }))).status, 400);
      assert.equal((await post(direct, bodyOf('hello', { tools: many.slice(0, 128) }))).status, 200);
      assert.equal((await post(direct, bodyOf('hi', { tools: [tool('same'), tool('same')] }))).status, 400);
    });

    it('are sent for image addresses, but not for base64 images and file references', async () => {
      const withImage = (url: string) => {
        const content = [
          { type: 'text', text: 'see' },
          { type: 'image_url', image_url: { url } },
        ];
        return post(direct, bodyOf('', { messages: [{ role: 'user', content }] }));
      };
      assert.equal((await withImage(`data:image/png;base64,${pixel}`)).status, 200);
      assert.equal((await withImage('ms://file-1')).status, 200);
      assert.deepEqual(direct.violations, []);
      assert.equal((await withImage('https://example.com/a.png')).status, 400);
      assert.equal((await withImage('data:image/svg+xml;base64,PHN2Zz4=')).status, 400);
    });
  });

  describe('Image input', () => {
    const image = { type: 'image_url', image_url: { url: 'ms://file-1' } };
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [image] },
    ];

    it('can require an array in every message of a request with an image', async () => {
      const service = await startForeignService({ route: 'direct', key, pace: 0, everyContent: true });
      const refused = await post(service, bodyOf('', { messages }));
      assert.equal(refused.status, 400);
      assert.match(String((await failure(refused))['message']), /messages\[0\]\.content is a plain string/);
      assert.equal((await post(service, bodyOf('see'))).status, 200);
      await service.close();
      assert.equal((await post(direct, bodyOf('', { messages }))).status, 200);
    });
  });

  describe('Violations with status 200', () => {
    const reported: [name: string, more: Bag, line: RegExp][] = [
      ['a parameter that it does not have', { max_tokens: 5 }, /max_tokens is not a parameter/],
      ['an effort that it ignores', { reasoning_effort: 'medium' }, /reasoning_effort/],
      [
        'a field that a message does not have',
        { messages: [{ role: 'user', content: 'a', id: 1 }] },
        /\.id is not/,
      ],
    ];
    for (const [name, more, line] of reported) {
      it(`include ${name}`, async () => {
        assert.equal((await post(direct, bodyOf('hello', more))).status, 200);
        onlyViolation(line);
      });
    }

    it('include a doubled path, a key in the address, and another content type', async () => {
      assert.equal((await post(direct, bodyOf('a'), {}, '/v1/v1/chat/completions')).status, 404);
      assert.match(direct.violations.join('\n'), /the key was sent to \/v1\/v1/);
      await post(direct, bodyOf('b'), {}, `/v1/chat/completions?key=${key}`);
      assert.match(direct.violations.join('\n'), /the key stands in the address/);
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/plain' };
      await post(direct, bodyOf('c'), { headers });
      assert.match(direct.violations.join('\n'), /Content-Type/);
    });
  });

  describe('The memory', () => {
    const first = { role: 'user', content: 'the first question' };
    const next = { role: 'user', content: 'and then?' };

    async function followedBy(change: (turn: Bag) => Bag, opening: Bag = first, marker = '') {
      const start = { ...first, content: first.content + marker };
      const said = await ask('', { messages: [start] });
      const name = said.renamed === '' ? 'reasoning_content' : 'reasoning';
      const turn = { role: 'assistant', content: said.answer, [name]: said.renamed || said.reasoning };
      await ask('', { messages: [opening === first ? start : opening, change(turn), next] });
    }

    it('reports nothing if everything is sent back', async () => {
      await followedBy((turn) => turn);
      await followedBy((turn) => turn, first, '[[renamed-reasoning]]');
      assert.deepEqual(direct.violations, []);
    });

    it('accepts any beginning of an interrupted turn, but no invented text', async () => {
      await post(direct, bodyOf('', { messages: [{ ...first, content: '[[dropped:reasoning]]' }] })).then(
        (response) => assert.rejects(response.text()),
      );
      const user = { role: 'user', content: '[[no-done:early]]' };
      const said = await ask('', { messages: [user] });
      const turn = {
        role: 'assistant',
        content: said.answer.slice(0, 70),
        reasoning_content: said.reasoning,
      };
      await ask('', { messages: [user, turn, next] });
      assert.deepEqual(direct.violations, []);
      await ask('', { messages: [user, { ...turn, content: `${turn.content}!!` }, next] });
      onlyViolation(/content is not the answer/);
    });

    it('reports lost reasoning', async () => {
      await followedBy(({ reasoning_content: _, ...turn }) => turn);
      onlyViolation(/messages\[1\]\.reasoning_content is missing/);
    });

    it('reports reasoning that is sent back under another name', async () => {
      await followedBy(
        ({ reasoning, ...turn }) => ({ ...turn, reasoning_content: reasoning }),
        first,
        '[[renamed-reasoning]]',
      );
      onlyViolation(/reasoning_content carries the reasoning that came as reasoning /);
    });

    it('reports a changed answer and a turn that was never sent', async () => {
      await followedBy((turn) => ({ ...turn, content: `${turn['content']} and more` }));
      onlyViolation(/content is not the answer/);
      await ask('', { messages: [first, { role: 'assistant', content: 'made up' }, next] });
      assert.match(direct.violations[1] ?? '', /never sent/);
    });

    it('reports a start that is not the same byte for byte', async () => {
      await followedBy((turn) => turn, { content: first.content, role: 'user' });
      onlyViolation(/messages\[0\] is not byte-identical to that of request 1/);
    });

    it('accepts a tool loop only if it is complete', async () => {
      const parameters = { type: 'object', properties: { path: { type: 'string' } } };
      const tools = [{ type: 'function', function: { name: 'look', parameters } }];
      const user = { role: 'user', content: '[[tool-calls:look {"path":"a[0]"}]]' };
      const said = await ask('', { messages: [user], tools });
      assert.equal(said.finish, 'tool_calls');
      const pieces = said.calls.map((call) => (call['function'] as Bag)['arguments']);
      assert.equal(pieces.join(''), '{"path":"a[0]"}');
      const id = String(said.calls[0]?.['id']);
      const made = { id, type: 'function', function: { name: 'look', arguments: pieces.join('') } };
      const turn = { role: 'assistant', tool_calls: [made], reasoning_content: said.reasoning };
      const result = { role: 'tool', tool_call_id: id, content: 'found' };
      assert.equal((await ask('', { messages: [user, turn, result], tools })).finish, 'stop');
      assert.deepEqual(direct.violations, []);
      const { reasoning_content: _, ...bare } = turn;
      const response = await post(direct, bodyOf('', { messages: [user, bare, result], tools }));
      assert.match(String((await failure(response))['message']), /thinking is enabled but reasoning_content/);
    });
  });

  describe('Tries', () => {
    it('are rate-limited twice, without a violation for a client that waits', async () => {
      const limited = await post(direct, bodyOf('[[429-twice]]'));
      assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '2']);
      assert.equal((await failure(limited))['code'], null);
      await waited(2010);
      assert.equal((await post(direct, bodyOf('[[429-twice]]'))).status, 429);
      await waited(1010);
      assert.equal((await ask('[[429-twice]]')).finish, 'stop');
      assert.deepEqual(direct.violations, []);
    });

    it('are violations if they come too early, or a fourth time', async () => {
      for (let index = 0; index < 4; index += 1) {
        await post(direct, bodyOf('[[429-always]]'));
      }
      assert.match(direct.violations[0] ?? '', /request 2: tried again \d+ ms after 429, 500 ms were due/);
      assert.match(direct.violations.at(-1) ?? '', /request 4: try 4 of the same messages/);
    });

    for (const name of ['balance', '401', '404-gateway', 'filtered']) {
      it(`are violations after [[${name}]], which refused for good`, async () => {
        const body = bodyOf(`[[${name}]]`);
        const statuses = [(await post(gateway, body)).status, (await post(gateway, body)).status];
        assert.deepEqual(
          statuses,
          Array(2).fill({ balance: 429, filtered: 400 }[name] ?? Number(name.slice(0, 3))),
        );
        onlyViolation(/request 2: sent again unchanged after/, gateway);
      });
    }

    it('are refused once for missing capacity', async () => {
      assert.equal((await post(direct, bodyOf('[[503-once]]'))).status, 503);
      await waited(510);
      assert.equal((await ask('[[503-once]]')).finish, 'stop');
      assert.deepEqual(direct.violations, []);
    });

    it('are violations if a redirect was followed', async () => {
      const response = await post(direct, bodyOf('[[redirect]]'), { redirect: 'manual' });
      assert.equal(response.status, 302);
      assert.deepEqual(direct.violations, []);
      await fetch(response.headers.get('location') ?? '', { headers: { authorization: `Bearer ${key}` } });
      assert.match(direct.violations.join('\n'), /a redirect was followed.*\n.*the key was sent/);
    });
  });

  describe('Faults', () => {
    it('end the response at the budget, in the reasoning or in the answer', async () => {
      const spent = await ask('[[budget-spent]]');
      assert.deepEqual([spent.finish, spent.answer], ['length', '']);
      const cut = await ask('[[cut]]');
      assert.ok(cut.finish === 'length' && cut.answer !== '');
      assert.equal((await ask('[[nothing]]')).answer, '');
      assert.equal((await ask('[[filtered:finish]]')).finish, 'content_filter');
    });

    it('omit what should come last', async () => {
      assert.equal((await ask('[[no-usage]]')).usage, undefined);
      assert.equal((await ask('[[zero-usage]]')).usage?.total_tokens, 0);
      const undone = await ask('[[no-done]]');
      assert.deepEqual([undone.finish, undone.data.includes('[DONE]')], ['stop', false]);
      assert.equal((await ask('[[no-done:early]]')).finish, undefined);
    });

    it('drop the connection in the middle of the answer', async () => {
      const response = await post(direct, bodyOf('[[dropped]]'));
      assert.equal(response.status, 200);
      await assert.rejects(response.text());
      const last: ForeignRequest | undefined = direct.requests.at(-1);
      assert.deepEqual(last?.markers, ['dropped']);
    });

    it('answer 200 with a body that is not a completion', async () => {
      const html = await post(direct, bodyOf('[[html-200]]'));
      assert.match(html.headers.get('content-type') ?? '', /text\/html/);
      const error = await post(direct, bodyOf('[[error-200]]'));
      assert.equal((await failure(error))['type'], 'server_error');
      const said = await ask('[[error-mid-stream]]');
      assert.ok(said.chunks.at(-1)?.error !== undefined && said.answer !== '' && said.finish === undefined);
      assert.match((await ask('[[error-mid-stream:event]]')).text, /event: error\ndata: /);
    });

    it('answer as another model, or with another name of reasoning', async () => {
      assert.notEqual((await ask('[[other-model]]')).chunks[0]?.model, 'svc-k3');
      const renamed = await ask('[[renamed-reasoning]]');
      assert.ok(renamed.reasoning === '' && renamed.renamed !== '');
      assert.match((await ask('[[renamed-reasoning:think]]')).answer, /^<think>[\s\S]+<\/think>/);
      assert.match((await ask('[[renamed-reasoning:reasoning_details]]')).text, /"type":"reasoning.text"/);
    });

    it('change the framing of the same text', async () => {
      const strip = (text: string) => text.replace(/leaf-[a-z0-9]+-\d+/g, '');
      const plain = strip((await ask('hello')).answer);
      const single = await post(direct, bodyOf('[[single-bytes]]'));
      const bytes = Buffer.from(await single.arrayBuffer());
      assert.equal(bytes.subarray(0, 3).toString('hex'), 'efbbbf');
      const said = await streamed(new Response(bytes));
      assert.equal(strip(said.answer), plain);
      assert.ok(said.text.includes('\r\n\r\n'));
      const bare = await ask('[[bare-cr]]');
      assert.equal(strip(bare.answer), plain);
      assert.ok(!bare.text.includes('\n'));
      assert.match((await ask('[[no-space]]')).text, /^data:\{/);
    });

    it('add unusual chunks', async () => {
      assert.match((await ask('[[keep-alive]]')).text, /^: still here\n\n/);
      assert.deepEqual((await ask('[[empty-choices]]')).chunks[0]?.choices, []);
      const inside = await ask('[[usage-in-choice]]');
      assert.equal(inside.usage, undefined);
      assert.ok(inside.chunks.at(-1)?.choices[0]?.usage);
      const nulls = await ask('[[null-deltas]]');
      assert.ok(nulls.chunks.some((chunk) => chunk.choices[0]?.delta === null));
      assert.equal(nulls.finish, 'stop');
    });

    it('delay the first token, and report an unknown marker', async () => {
      const slow = await startForeignService({ route: 'direct', key, pace: 0.1 });
      try {
        const start = performance.now();
        await post(slow, bodyOf('[[slow-first:5000]]'));
        assert.ok(performance.now() - start > 490);
      } finally {
        await slow.close();
      }
      await ask('[[constructor]]');
      onlyViolation(/there is no marker \[\[constructor\]\]/);
    });
  });
});
