import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Emulator } from '../../../../src/emulator/server.ts';
import type { RouteKind } from '../../../../src/service/types.ts';
import { ask, question, startFast, streamed, toJson } from '../plainClient.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const TOOL = { type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } };

const withImage = (url: unknown): readonly unknown[] => [
  {
    role: 'user',
    content: [
      { type: 'image_url', image_url: url },
      { type: 'text', text: 'What is it?' },
    ],
  },
];
const declared = (type: string) => ({ url: `data:${type};base64,${PNG}` });
const USER = { role: 'user', content: 'Why?' };
const SYSTEM = { role: 'system', content: 'Be brief.' };
const loop = (assistant: object, ...results: readonly unknown[]): readonly unknown[] => [
  { role: 'user', content: 'Look.' },
  { role: 'assistant', reasoning_content: 'I look.', tool_calls: [callOf('a')], ...assistant },
  ...results,
];
const callOf = (id: string): object => ({
  id,
  type: 'function',
  function: { name: 'look', arguments: '{}' },
});
const callWith = (change: object): object => ({
  ...callOf('a'),
  function: { name: 'look', arguments: '{}', ...change },
});
const resultOf = (id: string): object => ({ role: 'tool', tool_call_id: id, content: 'a wall' });

/** Refused with 400 `invalid_request_error` on both routes: the rule, the fields, and a part of the message. */
const REFUSED: readonly (readonly [string, Readonly<Record<string, unknown>>, RegExp])[] = [
  ['Q3: a model that is no string', { model: 3 }, /model/],
  ['Q4: empty messages', { messages: [] }, /messages must not be empty/],
  ['Q4: no messages', { messages: undefined }, /messages/],
  ['Q4: only a system message', { messages: [SYSTEM] }, /user/],
  ['Q4: no user message', { messages: [SYSTEM, { role: 'assistant', content: 'x' }] }, /user/],
  ['an unknown role', { messages: [{ role: 'developer', content: 'x' }] }, /role/],
  ['a user message without content', { messages: [{ role: 'user' }] }, /content/],
  ['an empty user message', { messages: [{ role: 'user', content: '' }] }, /content must not be empty/],
  ['a blank user message', { messages: [{ role: 'user', content: ' \n' }] }, /content must not be empty/],
  [
    'a blank answer',
    { messages: [USER, { role: 'assistant', content: ' ' }, USER] },
    /content must not be empty/,
  ],
  [
    'blank content beside tool calls',
    { messages: loop({ content: '\n' }, resultOf('a')) },
    /content must not be empty; leave it out/,
  ],
  ['an empty result', { messages: loop({}, { ...resultOf('a'), content: '' }) }, /content must not be empty/],
  ['Q4: an answer at the end', { messages: [USER, { role: 'assistant', content: 'x' }] }, /must end with/],
  [
    'Q4: an answer at the start',
    { messages: [{ role: 'assistant', content: 'x' }, USER] },
    /must begin with/,
  ],
  ['half of a surrogate pair', { messages: [{ role: 'user', content: '\ud83d' }] }, /surrogate/],
  [
    'half of a surrogate pair in a tool',
    { tools: [{ ...TOOL, function: { name: 'a', description: '\ude00' } }] },
    /surrogate/,
  ],
  ['content that is an object', { messages: [{ role: 'user', content: {} }] }, /content/],
  ['a message that is no object', { messages: [{ role: 'user', content: 'x' }, 'y'] }, /messages\[1\]/],
  [
    'Q6: a public image address',
    { messages: withImage({ url: 'https://example.com/a.png' }) },
    /not supported/,
  ],
  [
    'Q6: bytes that are no image',
    { messages: withImage({ url: 'data:image/png;base64,PHN2Zz4=' }) },
    /format/,
  ],
  ['Q6: damaged base64', { messages: withImage({ url: 'data:image/png;base64,%%%' }) }, /base64/],
  ['Q6: a file path', { messages: withImage({ url: '/tmp/a.png' }) }, /base64|ms:/],
  ['Q6: bytes that are declared as a page', { messages: withImage(declared('text/html')) }, /base64/],
  ['Q6: bytes without a declared type', { messages: withImage(declared('')) }, /base64/],
  ['an image as a bare string', { messages: withImage(`data:image/png;base64,${PNG}`) }, /object/],
  ['Q7: a budget of zero', { max_completion_tokens: 0 }, /max_completion_tokens/],
  ['Q7: a budget that is no integer', { max_completion_tokens: 1.5 }, /max_completion_tokens/],
  ['Q7: a budget in words', { max_completion_tokens: '100' }, /max_completion_tokens/],
  ['Q9: a stream that is no boolean', { stream: 'yes' }, /stream/],
  ['Q10: stream_options without a stream', { stream_options: { include_usage: true } }, /stream_options/],
  ['Q11: a 129th tool', { tools: Array.from({ length: 129 }, (_, i) => named(`t${i}`)) }, /128/],
  ['Q11: a list without tools', { tools: [] }, /tools must not be empty/],
  ['Q11: two tools of one name', { tools: [TOOL, TOOL] }, /duplicated/],
  ['Q11: a tool that is no function', { tools: [{ type: 'retrieval' }] }, /tools\[0\]/],
  [
    'Q11: parameters that are a list',
    { tools: [{ ...TOOL, function: { name: 'a', parameters: [] } }] },
    /object/,
  ],
  ['Q12: tool_choice none', { tools: [TOOL], tool_choice: 'none' }, /tool_choice must be auto/],
  ['Q13: an unknown format', { response_format: { type: 'xml' } }, /response_format/],
  ['Q13: a schema without a name', { response_format: schemaOf({ name: undefined }) }, /name/],
  [
    'Q13: a schema with a name of other characters',
    { response_format: schemaOf({ name: 'a b' }) },
    /name must match/,
  ],
  ['Q13: a schema that is no object', { response_format: schemaOf({ schema: { type: 'array' } }) }, /object/],
  ['Q13: strict in words', { response_format: schemaOf({ strict: 'yes' }) }, /strict/],
  ['Q14: a cache key that is a number', { prompt_cache_key: 7 }, /prompt_cache_key/],
  ['another temperature', { temperature: 0.2 }, /temperature/],
  ['another top_p', { top_p: 0.5 }, /top_p/],
  ['more than one choice', { n: 2 }, /n: only 1/],
  ['a penalty', { presence_penalty: 0.5 }, /presence_penalty/],
  [
    'a tool call without its reasoning',
    { messages: loop({ reasoning_content: undefined }, resultOf('a')) },
    /reasoning_content is missing/,
  ],
  [
    'reasoning under another name',
    { messages: loop({ reasoning_content: undefined, reasoning: 'x' }, resultOf('a')) },
    /reasoning_content is missing/,
  ],
  [
    'empty content beside tool calls',
    { messages: loop({ content: '' }, resultOf('a')) },
    /must not be empty/,
  ],
  ['a result without its id', { messages: loop({}, { role: 'tool', content: 'x' }) }, /tool_call_id/],
  ['a result for no call', { messages: loop({}, resultOf('b')) }, /tool_call_id b/],
  ['two results for one call', { messages: loop({}, resultOf('a'), resultOf('a')) }, /tool_call_id a/],
  [
    'a call without its result',
    { messages: loop({}, { role: 'user', content: 'And?' }) },
    /tool message for each/,
  ],
  ['a call at the end', { messages: loop({}) }, /tool message for each/],
  [
    'arguments that are an object',
    { messages: loop({ tool_calls: [{ ...callOf('a'), function: { name: 'look', arguments: {} } }] }) },
    /arguments/,
  ],
  ...['', '{"path": "a', '[]', 'null', '"{}"'].map(
    (text) =>
      [
        `an earlier call with the arguments ${text || 'of no text'}`,
        { messages: loop({ tool_calls: [callWith({ arguments: text })] }, resultOf('a')) },
        /arguments must be a string with a JSON object/,
      ] as const,
  ),
  ...['', 'look at', 'files.look', 'x'.repeat(65)].map(
    (name) =>
      [
        `an earlier call with the name “${name}”`,
        { messages: loop({ tool_calls: [callWith({ name })] }, resultOf('a')) },
        /function\.name must match/,
      ] as const,
  ),
];

/** Accepted on both routes. */
const ACCEPTED: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['Q6: base64 bytes', { messages: withImage({ url: `data:image/png;base64,${PNG}` }) }],
  [
    'Q6: bytes that beat a wrong declared type',
    { messages: withImage({ url: `data:image/svg+xml;base64,${PNG}` }) },
  ],
  ['Q6: a file reference', { messages: withImage({ url: 'ms://file-1' }) }],
  [
    'Q5: content that is an array in every message',
    {
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
        ...loop({ content: [{ type: 'text', text: 'I look.' }] }),
        { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'a wall' }] },
        ...withImage({ url: 'ms://file-1' }),
      ],
    },
  ],
  ['Q8: a budget beyond the ceiling', { max_completion_tokens: 99_000_000 }],
  ['Q11: 128 tools', { tools: Array.from({ length: 128 }, (_, i) => named(`t${i}`)) }],
  ['Q12: tool_choice auto', { tools: [TOOL], tool_choice: 'auto' }],
  ['Q13: json_schema', { response_format: schemaOf({ strict: true }) }],
  ['Q14: a cache key', { prompt_cache_key: 'c1' }],
  ['Q14: no cache key', { prompt_cache_key: null }],
  ['Q15: effort max', { reasoning_effort: 'max' }],
  ['the sampling that is fixed', { temperature: 1, top_p: 0.95, n: 1, frequency_penalty: 0 }],
  ['the words \\ud83d, and a whole pair', { messages: [{ role: 'user', content: '\\ud83d \u{1f600}' }] }],
  ['a field that nobody knows', { user: 'x', max_tokens: 1 }],
  ['a tool loop that is whole', { messages: loop({}, resultOf('a')) }],
  ['a tool loop with content null', { messages: loop({ content: null }, resultOf('a')) }],
  [
    'results in another order than the calls',
    { messages: loop({ tool_calls: [callOf('a'), callOf('b')] }, resultOf('b'), resultOf('a')) },
  ],
  [
    'a system message',
    {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'x' },
      ],
    },
  ],
];

for (const route of ['direct', 'gateway'] as const) {
  describe(`The emulator's request rules, ${route}`, () => {
    let emulator: Emulator;
    before(async () => {
      emulator = await startFast({ route });
    });
    after(() => emulator.close());

    for (const [what, fields, words] of REFUSED) {
      it(`refuse ${what}`, async () => {
        const reply = await ask(emulator, question(fields));
        assert.equal(reply.status, 400);
        const { error } = toJson(reply.text);
        assert.equal(error?.['type'], 'invalid_request_error');
        assert.match(String(error?.['message']), words);
        assertCode(route, error ?? {});
      });
    }

    for (const [what, fields] of ACCEPTED) {
      it(`accept ${what}`, async () => {
        const reply = await ask(emulator, question(fields));
        assert.equal(reply.status, 200, reply.text);
      });
    }

    for (const choice of [{ type: 'function', function: { name: 'look' } }, 'required']) {
      it(`E5: refuse tool_choice ${JSON.stringify(choice)} as incompatible with thinking, code null`, async () => {
        const reply = await ask(emulator, question({ tools: [TOOL], tool_choice: choice }));
        assert.equal(reply.status, 400);
        const { error } = toJson(reply.text);
        assert.match(String(error?.['message']), /incompatible with thinking enabled/);
        assert.equal(error?.['code'], null);
      });
    }

    it('E1: refuse a missing, wrong, or bare key as invalid_authentication_error', async () => {
      for (const authorization of ['', 'Bearer wrong', emulator.key, `Basic ${emulator.key}`, 'Bearer ']) {
        const reply = await ask(emulator, question(), { headers: { authorization } });
        assert.equal(reply.status, 401, authorization);
        assert.equal(toJson(reply.text)['error']?.['type'], 'invalid_authentication_error');
      }
    });

    it('refuse a body that is not JSON, not an object, or not declared as JSON', async () => {
      assert.match((await ask(emulator, '{"model": ')).text, /not valid JSON/);
      assert.match((await ask(emulator, '[]')).text, /must be a JSON object/);
      const headers = { 'content-type': 'text/plain' };
      assert.match((await ask(emulator, question(), { headers })).text, /Content-Type/);
    });

    it('refuse a body over the limit with 413', async () => {
      const small = await startFast({ route, maxBodyBytes: 1000 });
      const reply = await ask(small, question({ messages: [{ role: 'user', content: 'x'.repeat(5000) }] }));
      await small.close();
      assert.equal(reply.status, 413);
      assert.match(reply.text, /maximum size/);
    });

    it('refuse a prompt that exceeds the context window', async () => {
      const content = 'x'.repeat(4 * 1_048_576);
      const reply = await ask(emulator, streamed({ messages: [{ role: 'user', content }] }));
      assert.equal(reply.status, 400);
      assert.match(reply.text, /exceeded model token limit: 1048576 \(requested: 1048666\)/);
    });
  });
}

describe("The emulator's routes", () => {
  let direct: Emulator;
  let gateway: Emulator;
  before(async () => {
    direct = await startFast({ route: 'direct' });
    gateway = await startFast({ route: 'gateway' });
  });
  after(() => Promise.all([direct.close(), gateway.close()]));

  it('E2: return resource_not_found_error without a code for an unknown model on the direct route', async () => {
    const reply = await ask(direct, question({ model: 'svc-k3-chat' }));
    assert.equal(reply.status, 404);
    const { error } = toJson(reply.text);
    assert.equal(error?.['type'], 'resource_not_found_error');
    assert.equal(error !== undefined && 'code' in error, false);
  });

  it('E3: return model_not_found with a suggestion and without a type for an unknown model on the gateway', async () => {
    const reply = await ask(gateway, question({ model: 'svc-k3-chat' }));
    assert.equal(reply.status, 404);
    const { error } = toJson(reply.text);
    assert.deepEqual(
      { ...error, message: undefined },
      { code: 'model_not_found', did_you_mean: 'svc-k3', message: undefined },
    );
    assert.match(String(error?.['message']), /permanent.*GET \/v1\/models/);
  });

  it('Q2: have another message for an invalid key on the gateway', async () => {
    const headers = { authorization: 'Bearer wrong' };
    const [one, other] = await Promise.all([
      ask(direct, question(), { headers }),
      ask(gateway, question(), { headers }),
    ]);
    assert.notEqual(toJson(one.text)['error']?.['message'], toJson(other.text)['error']?.['message']);
  });

  it('Q15: check and follow the effort on the direct route, and ignore it on the gateway', async () => {
    const reasoningWith = async (emulator: Emulator, effort: string): Promise<number> => {
      const reply = await ask(emulator, question({ reasoning_effort: effort }));
      assert.equal(reply.status, 200);
      return Number(toJson(reply.text)['usage']?.['completion_tokens_details']?.['reasoning_tokens']);
    };
    assert.equal((await ask(direct, question({ reasoning_effort: 'medium' }))).status, 400);
    assert.ok((await reasoningWith(direct, 'low')) < (await reasoningWith(direct, 'max')));
    assert.equal(await reasoningWith(gateway, 'low'), await reasoningWith(gateway, 'max'));
    await reasoningWith(gateway, 'medium');
  });
});

function assertCode(route: RouteKind, error: object): void {
  // E11: absent on the direct route, nullable on the gateway.
  if (route === 'direct') assert.equal('code' in error, false);
  else assert.equal(Reflect.get(error, 'code'), null);
}

function named(name: string): object {
  return { type: 'function', function: { name, parameters: { type: 'object' } } };
}

function schemaOf(change: object): object {
  return { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' }, ...change } };
}
