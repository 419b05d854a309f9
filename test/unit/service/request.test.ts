import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { buildRequest, type RequestInput, type RequestProblem } from '../../../src/service/request.ts';
import type { ChatRequest, FunctionTool, Message } from '../../../src/service/types.ts';

const INPUT: RequestInput = {
  model: 'svc-k3',
  messages: [{ role: 'user', content: 'Why?' }],
};

function built(more: Partial<RequestInput> = {}): ChatRequest {
  const result = buildRequest({ ...INPUT, ...more });
  assert.ok(result.ok, JSON.stringify(result));
  return result.request;
}

function clampedFrom(maxCompletionTokens: number): number | undefined {
  const result = buildRequest({ ...INPUT, maxCompletionTokens });
  assert.ok(result.ok);
  return result.clampedFrom;
}

function problemOf(more: Partial<RequestInput>): RequestProblem {
  const result = buildRequest({ ...INPUT, ...more });
  assert.ok(!result.ok, 'is refused');
  return result.problem;
}

const tool = (name: string): FunctionTool => ({
  type: 'function',
  function: { name, parameters: { type: 'object' } },
});
const tools = (count: number) => Array.from({ length: count }, (_, i) => tool(`tool_${i}`));
const withImage = (url: string): Message[] => [
  {
    role: 'user',
    content: [
      { type: 'image_url', image_url: { url } },
      { type: 'text', text: 'What is it?' },
    ],
  },
];

describe('The request of a completion', () => {
  it('contains only parameters that are set: temperature, top_p, n, and penalties give a 400', () => {
    assert.deepEqual(built(), {
      model: 'svc-k3',
      messages: [{ role: 'user', content: 'Why?' }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('R11 has the same bytes for the same parameters, whether omitted or undefined', () => {
    const bytes = JSON.stringify(built());
    assert.equal(
      JSON.stringify(built({ tools: [], effort: undefined, maxCompletionTokens: undefined })),
      bytes,
    );
  });

  it('Q3 sends the model of the route, and refuses an empty one', () => {
    assert.equal(built({ model: 'svc-k3-of-my-gateway' }).model, 'svc-k3-of-my-gateway');
    assert.deepEqual(problemOf({ model: ' ' }), { field: 'model', reason: 'empty' });
  });

  it('Q4 E4 is never sent without messages, or with an empty question', () => {
    assert.deepEqual(problemOf({ messages: [] }), { field: 'messages', reason: 'empty' });
    const nothing: readonly (readonly Message[])[] = [
      [{ role: 'system', content: 'Be brief.' }],
      [{ role: 'user', content: ' \n' }],
      [{ role: 'user', content: [] }],
      [{ role: 'user', content: [{ type: 'text', text: ' ' }] }],
      [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
        { role: 'user', content: '' },
      ],
    ];
    for (const messages of nothing)
      assert.deepEqual(problemOf({ messages }), { field: 'messages', reason: 'nothing-asked' });
  });

  it('Q4 is sent with an image and no text', () => {
    built({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'ms://f1' } }] }] });
  });

  it('Q5 Q6 sends images as base64 bytes or as a file reference', () => {
    for (const url of [
      'ms://file-1',
      ...['png', 'jpeg', 'gif', 'webp'].map((type) => `data:image/${type};base64,AAAA`),
    ]) {
      assert.deepEqual(built({ messages: withImage(url) }).messages, withImage(url));
    }
  });

  it('Q6 refuses a public address before sending, in any message, and names it', () => {
    for (const url of [
      'https://example.com/a.png',
      'http://example.com/a.png',
      'HTTPS://EXAMPLE.COM/A.PNG',
    ]) {
      const problem = { field: 'image_url', reason: 'public-address', value: url };
      assert.deepEqual(problemOf({ messages: withImage(url) }), problem);
      const earlier: Message[] = [
        ...withImage(url),
        { role: 'assistant', content: 'b' },
        { role: 'user', content: 'c' },
      ];
      assert.deepEqual(problemOf({ messages: earlier }), problem);
    }
  });

  it('Q6 refuses images that the service does not accept', () => {
    for (const url of [
      'data:image/svg+xml;base64,AAAA',
      'data:image/png;base64,',
      'data:image/png,AAAA',
      'data:text/plain;base64,AAAA',
      'file:///a.png',
      'ms://',
      'ms:// x',
      'file:///ms://f1',
      ' data:image/png;base64,AAAA',
      '',
    ]) {
      assert.deepEqual(problemOf({ messages: withImage(url) }), {
        field: 'image_url',
        reason: 'not-an-image',
        value: url,
      });
    }
  });

  it('Q6 does not repeat megabytes in the refusal', () => {
    const problem = problemOf({ messages: withImage(`data:image/bmp;base64,${'A'.repeat(1e6)}`) });
    assert.ok(JSON.stringify(problem).length < 200);
  });

  it('Q7 sends a budget only if one is set', () => {
    assert.equal('max_completion_tokens' in built(), false);
    assert.equal(built({ maxCompletionTokens: 500 }).max_completion_tokens, 500);
  });

  it('Q7 refuses a budget that is not a positive whole number', () => {
    for (const maxCompletionTokens of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.deepEqual(problemOf({ maxCompletionTokens }), {
        field: 'max_completion_tokens',
        reason: 'not-a-positive-integer',
      });
    }
  });

  it('Q8 F4 sends the ceiling if the budget is above it, and says what was asked for', () => {
    assert.equal(built({ maxCompletionTokens: 2_000_000 }).max_completion_tokens, 1_048_576);
    assert.deepEqual([clampedFrom(2_000_000), clampedFrom(1_048_576)], [2_000_000, undefined]);
  });

  it('Q9 Q10 always streams and always asks for usage', () => {
    const request = built({ maxCompletionTokens: 1, effort: 'max', tools: tools(1) });
    assert.equal(request.stream, true);
    assert.deepEqual(request.stream_options, { include_usage: true });
  });

  it('Q11 sends 128 tools and refuses the 129th', () => {
    assert.equal(built({ tools: tools(128) }).tools?.length, 128);
    assert.deepEqual(problemOf({ tools: tools(129) }), { field: 'tools', reason: 'too-many', count: 129 });
  });

  it('refuses two tools with the same name', () => {
    assert.deepEqual(problemOf({ tools: [tool('a'), tool('b'), tool('a')] }), {
      field: 'tools',
      reason: 'same-name',
      value: 'a',
    });
  });

  it('sends properties with the schema of a tool that has none, such as one without arguments, which some services refuse', () => {
    const given = { ...tool('list').function, description: 'Lists.' };
    const whole = { type: 'object', required: ['path'], properties: { path: { type: 'string' } } };
    const parametersOf = (parameters: FunctionTool['function']['parameters']) =>
      JSON.stringify(built({ tools: [{ type: 'function', function: { ...given, parameters } }] }).tools?.[0]);
    const sent = (parameters: string) =>
      `{"type":"function","function":{"name":"list","parameters":${parameters},"description":"Lists."}}`;
    assert.equal(parametersOf({ type: 'object' }), sent('{"type":"object","properties":{}}'));
    assert.equal(parametersOf(whole), sent(JSON.stringify(whole)));
  });

  it('Q12 E5 never forces a tool', () => {
    assert.equal(JSON.stringify(built({ tools: tools(1) })).includes('tool_choice'), false);
  });

  it('Q13 sends each answer format', () => {
    const schema = { type: 'object', properties: {} };
    const formats = [
      { type: 'text' },
      { type: 'json_object' },
      { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
    ] as const;
    for (const responseFormat of formats)
      assert.deepEqual(built({ responseFormat }).response_format, responseFormat);
  });

  it('Q13 refuses a schema without a name, or one that is not an object', () => {
    assert.deepEqual(
      problemOf({
        responseFormat: { type: 'json_schema', json_schema: { name: ' ', schema: { type: 'object' } } },
      }),
      { field: 'response_format', reason: 'no-name' },
    );
    assert.deepEqual(
      problemOf({
        responseFormat: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'array' } } },
      }),
      { field: 'response_format', reason: 'no-object-schema' },
    );
  });

  it('Q14 sends a cache key only if there is one', () => {
    assert.equal('prompt_cache_key' in built(), false);
    assert.equal(built({ promptCacheKey: 'c1' }).prompt_cache_key, 'c1');
  });

  it('Q15 sends an effort only if it is set', () => {
    assert.equal('reasoning_effort' in built(), false);
    for (const effort of ['low', 'high', 'max'] as const)
      assert.equal(built({ effort }).reasoning_effort, effort);
  });

  it('Q15 refuses an invalid effort', () => {
    const effort: RequestInput['effort'] = JSON.parse('"medium"');
    assert.deepEqual(problemOf({ effort }), {
      field: 'reasoning_effort',
      reason: 'unknown',
      value: 'medium',
    });
  });

  describe('with tool calls', () => {
    const call = (id: string) =>
      ({ id, type: 'function', function: { name: 'f', arguments: '{}' } }) as const;
    const calls = (...ids: string[]): Message => ({ role: 'assistant', tool_calls: ids.map(call) });
    const result = (id: string): Message => ({ role: 'tool', tool_call_id: id, content: 'ok' });
    const asked: Message = { role: 'user', content: 'Go.' };

    it('is sent if every call has its result, in any order, even if ids are used again in a later turn', () => {
      built({
        messages: [
          asked,
          calls('a', 'b'),
          result('b'),
          result('a'),
          { role: 'assistant', content: 'Done.' },
          asked,
        ],
      });
      built({ messages: [asked, calls('ping_0'), result('ping_0'), calls('ping_0'), result('ping_0')] });
    });

    it('is refused with an empty text beside them, which some routes refuse, but not with an empty answer', () => {
      const beside = { role: 'assistant' as const, content: '', tool_calls: [call('a')] };
      assert.deepEqual(problemOf({ messages: [asked, beside, result('a')] }), {
        field: 'content',
        reason: 'empty-beside-calls',
      });
      built({ messages: [asked, { ...beside, content: 'So.' }, result('a')] });
      built({ messages: [asked, { role: 'assistant', content: '' }, asked] });
    });

    it('is refused if a result has no call, or the same one twice', () => {
      assert.deepEqual(problemOf({ messages: [asked, result('a')] }), {
        field: 'tool_call_id',
        reason: 'unanswered-or-unknown',
        value: 'a',
      });
      assert.equal(
        problemOf({ messages: [asked, calls('a'), result('a'), result('a')] }).field,
        'tool_call_id',
      );
      assert.equal(
        problemOf({ messages: [asked, calls('a'), result('a'), asked, result('a')] }).field,
        'tool_call_id',
      );
    });

    it('is refused if a call has no result, even in the last message', () => {
      assert.equal(
        problemOf({ messages: [asked, calls('a', 'b'), result('a'), asked] }).field,
        'tool_call_id',
      );
      assert.equal(problemOf({ messages: [asked, calls('a', 'b'), result('a')] }).field, 'tool_call_id');
      assert.equal(problemOf({ messages: [asked, calls('a')] }).field, 'tool_call_id');
    });
  });
});
