import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { decodeChunk } from '../../../src/service/decodeChunk.ts';
import type { Chunk, Usage } from '../../../src/service/types.ts';
import { chunkOf, USAGE } from './wire.ts';

const NO_USAGE: Usage = {
  promptTokens: undefined,
  completionTokens: undefined,
  totalTokens: undefined,
  reasoningTokens: undefined,
  cachedTokens: undefined,
};

function decoded(json: unknown): Chunk {
  const chunk = decodeChunk(json);
  assert.ok(chunk !== undefined, 'is a chunk');
  return chunk;
}

const reasoningIn = (delta: object) => decoded(chunkOf(delta)).reasoning;
const usageIn = (usage: unknown) => decoded({ choices: [], usage }).usage;

describe('Decoding a chunk', () => {
  it('R1 keeps the id and the model', () => {
    const { id, model } = decoded(chunkOf({ content: 'a' }));
    assert.equal(id, 'chatcmpl-1');
    assert.equal(model, 'svc-k3');
  });

  it('R1 R2 treats an empty id or model as missing, as gateways send them before the first token', () => {
    const { id, model } = decoded({ id: '', model: '', choices: [{ delta: { content: 'a' } }] });
    assert.equal(id, undefined);
    assert.equal(model, undefined);
  });

  it('R3 treats an empty or null content as no text', () => {
    assert.equal(decoded(chunkOf({ content: '' })).answer, '');
    assert.equal(decoded(chunkOf({ content: null })).answer, '');
    assert.equal(decoded({ choices: [{ delta: null }] }).answer, '');
    // A gateway that writes texts of digits as numbers.
    assert.equal(decoded({ choices: [{ delta: { content: 42 } }] }).answer, '42');
    assert.equal(decoded({ choices: [{ delta: { reasoning_content: 0 } }] }).reasoning?.text, '0');
  });

  it('takes the text of a choice only where it has no delta, which other services send beside it', () => {
    assert.equal(decoded({ choices: [{ text: 'a' }] }).answer, 'a');
    assert.equal(decoded({ choices: [{ text: 'a', delta: null }] }).answer, 'a');
    assert.equal(decoded({ choices: [{ text: 'a', delta: { content: 'a' } }] }).answer, 'a');
    assert.equal(decoded({ choices: [{ text: 'a', delta: {} }] }).answer, '');
    assert.equal(decoded({ choices: [{ text: 'a', message: { content: 'b' } }] }).answer, 'b');
  });

  it('joins content that is an array of parts', () => {
    const content = [{ type: 'text', text: 'a' }, null, { type: 'image' }, { type: 'text', text: 'b' }];
    assert.equal(decoded(chunkOf({ content })).answer, 'ab');
  });

  for (const [what, part] of [
    ['thinking', { type: 'thinking', thinking: 'hm' }],
    ['thinking with a signature', { type: 'thinking', thinking: 'hm', signature: 's' }],
    ['thinking as text', { type: 'thinking', text: 'hm' }],
    ['thinking in parts', { type: 'thinking', thinking: [{ type: 'text', text: 'h' }, { text: 'm' }] }],
    ['reasoning', { type: 'reasoning', text: 'hm' }],
    ['reasoning under its name', { type: 'reasoning', reasoning: 'hm' }],
    ['a summary of reasoning', { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] }],
    ['reasoning in parts', { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'hm' }] }],
    ['a text of reasoning', { type: 'reasoning_text', text: 'hm' }],
  ] as const)
    it(`R4 reads ${what} in the parts of content as reasoning, not as the answer`, () => {
      const text = { type: 'text', text: 'Yes.' };
      for (const json of [
        chunkOf({ content: [part, text] }),
        { choices: [{ message: { content: [part, text] } }] },
      ]) {
        const { answer, reasoning } = decoded(json);
        assert.deepEqual([reasoning, answer], [{ name: 'reasoning_content', text: 'hm' }, 'Yes.']);
      }
      assert.equal(decoded(chunkOf({ content: [part], reasoning: 'hm' })).reasoning?.name, 'reasoning');
      assert.equal(decoded(chunkOf({ content: part })).reasoning?.text, 'hm');
    });

  it('R4 has nothing to show of thinking that is encrypted', () => {
    const content = [
      { type: 'redacted_thinking', data: 'xyz' },
      { type: 'text', text: 'Yes.' },
    ];
    const { answer, reasoning } = decoded(chunkOf({ content }));
    assert.deepEqual([answer, reasoning], ['Yes.', undefined]);
  });

  it('R4 reads reasoning that is an object or a list of parts', () => {
    for (const value of [{ text: 'hm' }, [{ type: 'text', text: 'h' }, 'm'], [{ summary: 'hm' }]])
      assert.deepEqual(reasoningIn({ reasoning: value }), { name: 'reasoning', text: 'hm' });
  });

  it('reads content that is one part', () => {
    assert.equal(decoded(chunkOf({ content: { type: 'text', text: 'Yes.' } })).answer, 'Yes.');
  });

  for (const name of ['reasoning_content', 'reasoning'] as const) {
    it(`R4 finds reasoning under ${name} and keeps the name`, () => {
      assert.deepEqual(reasoningIn({ [name]: 'hm' }), { name, text: 'hm' });
    });
  }

  it('R4 finds reasoning_details with text and summary, and keeps the entries unchanged', () => {
    const details = [
      { type: 'reasoning.text', text: 'a', index: 0, signature: 's' },
      { type: 'reasoning.summary', summary: 'b', index: 1 },
      { type: 'reasoning.encrypted', data: 'xyz', index: 2 },
    ];
    const chunk = decoded(chunkOf({ reasoning_details: details }));
    assert.deepEqual(chunk.reasoning, { name: 'reasoning_details', text: 'ab' });
    assert.deepEqual(chunk.reasoningDetails, details);
  });

  it('R4 counts reasoning once if it has two or three names', () => {
    const details = [{ type: 'reasoning.text', text: 'hm' }];
    assert.deepEqual(reasoningIn({ reasoning: 'hm', reasoning_content: 'hm', reasoning_details: details }), {
      name: 'reasoning_content',
      text: 'hm',
    });
    assert.deepEqual(reasoningIn({ reasoning: 'hm', reasoning_details: details }), {
      name: 'reasoning',
      text: 'hm',
    });
  });

  it('R4 ignores an empty or null field of the documented name', () => {
    assert.deepEqual(reasoningIn({ reasoning_content: '', reasoning: 'hm' }), {
      name: 'reasoning',
      text: 'hm',
    });
    assert.deepEqual(reasoningIn({ reasoning_content: null, reasoning: 'hm' }), {
      name: 'reasoning',
      text: 'hm',
    });
    assert.equal(reasoningIn({ reasoning_content: '', reasoning: null, reasoning_details: null }), undefined);
  });

  it('takes a refusal, which has a field of its own, as the answer', () => {
    assert.equal(decoded(chunkOf({ content: null, refusal: 'I can’t ' })).answer, 'I can’t ');
    assert.equal(decoded(chunkOf({ content: 'a', refusal: null })).answer, 'a');
    assert.equal(decoded(chunkOf({ content: 'No.', refusal: 'No.' })).answer, 'No.');
    const parts = [
      { type: 'text', text: 'a' },
      { type: 'refusal', refusal: 'b' },
    ];
    assert.equal(decoded(chunkOf({ content: parts })).answer, 'ab');
    assert.equal(decoded(chunkOf({ content: ['a', 'b'] })).answer, 'ab');
    assert.equal(decoded({ choices: [{ message: { content: null, refusal: 'No.' } }] }).answer, 'No.');
  });

  it('R5 keeps every finish reason unchanged, and treats null and an empty one as missing', () => {
    for (const reason of ['stop', 'length', 'tool_calls', 'content_filter', 'eos']) {
      assert.equal(decoded(chunkOf({}, reason)).finishReason, reason);
    }
    assert.equal(decoded(chunkOf({}, null)).finishReason, undefined);
    assert.equal(decoded(chunkOf({}, '')).finishReason, undefined);
  });

  it('R6 reads the documented usage', () => {
    assert.deepEqual(usageIn(USAGE), {
      promptTokens: 2000,
      completionTokens: 50,
      totalTokens: 2050,
      reasoningTokens: 40,
      cachedTokens: 1792,
    });
  });

  it('R6 reads the usage in the choice if that at the top level is missing, empty, or zeros (F6)', () => {
    const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    for (const usage of [undefined, null, {}, zeros]) {
      const choice = { index: 0, delta: {}, finish_reason: 'stop', usage: USAGE };
      assert.equal(decoded({ choices: [choice], usage }).usage?.totalTokens, 2050, JSON.stringify(usage));
    }
  });

  it('R6 finds cached tokens under the names of other services', () => {
    assert.equal(usageIn({ cached_tokens: 7 })?.cachedTokens, 7);
    assert.equal(usageIn({ prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 1 })?.cachedTokens, 8);
    assert.equal(usageIn({ prompt_tokens_details: null, cached_tokens: 9 })?.cachedTokens, 9);
    assert.equal(usageIn({ prompt_tokens_details: { cached_tokens: 7 }, cached_tokens: 9 })?.cachedTokens, 7);
  });

  it('R6 takes no 0 that a gateway adds for the figure that the service reports elsewhere', () => {
    const none = { prompt_tokens_details: { cached_tokens: 0 } };
    for (const more of [
      { cached_tokens: 9 },
      { prompt_cache_hit_tokens: 9, prompt_cache_miss_tokens: 1 },
      { cached_tokens: 0, prompt_cache_hit_tokens: 9 },
      { input_tokens_details: { cached_tokens: 9 } },
      { cache_read_input_tokens: 9 },
    ])
      assert.equal(usageIn({ ...none, ...more })?.cachedTokens, 9, JSON.stringify(more));
    assert.equal(usageIn({ ...none, cached_tokens: 0 })?.cachedTokens, 0);
    assert.equal(usageIn(none)?.cachedTokens, 0);
    const unknown = { completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 0 } };
    for (const more of [{ reasoning_tokens: 5 }, { output_tokens_details: { reasoning_tokens: 5 } }])
      assert.equal(usageIn({ ...unknown, ...more })?.reasoningTokens, 5, JSON.stringify(more));
    assert.equal(usageIn({ ...unknown, reasoning_tokens: 0 })?.reasoningTokens, 0);
  });

  it('R6 finds usage in the field of a vendor, unless the documented one has it', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    const other = { prompt_tokens: 30, completion_tokens: 20, total_tokens: 50 };
    const totalIn = (more: object) => decodeChunk({ choices: [], ...more })?.usage?.totalTokens;
    assert.equal(totalIn({ x_groq: { id: 'r', usage } }), 5);
    assert.equal(totalIn({ usage: null, x_groq: { usage } }), 5);
    assert.equal(totalIn({ usage: { prompt_tokens: 0, total_tokens: 0 }, x_groq: { usage } }), 5);
    assert.equal(totalIn({ usage: other, x_groq: { usage } }), 50);
    assert.equal(totalIn({ x_groq: { id: 'r' } }), undefined);
  });

  it('R6 finds reasoning tokens beside the others, where the details have none', () => {
    assert.equal(usageIn({ completion_tokens: 9, reasoning_tokens: 4 })?.reasoningTokens, 4);
    const details = { completion_tokens_details: { reasoning_tokens: 5 } };
    assert.equal(usageIn({ reasoning_tokens: 4, ...details })?.reasoningTokens, 5);
    // Versions of SGLang give a zero there whatever was reasoned.
    for (const none of [0, -1])
      assert.equal(usageIn({ completion_tokens: 9, reasoning_tokens: none })?.reasoningTokens, undefined);
  });

  it('R6 counts no more cached tokens than the prompt has', () => {
    const details = { prompt_tokens_details: { cached_tokens: 9000 } };
    assert.equal(usageIn({ prompt_tokens: 1500, ...details })?.cachedTokens, 1500);
    assert.equal(usageIn({ prompt_tokens: 1500, cached_tokens: 1501 })?.cachedTokens, 1500);
    assert.equal(usageIn(details)?.cachedTokens, 9000);
  });

  it('R6 reads usage under the names of other interfaces where the documented ones are missing', () => {
    const figuresOf = (usage: object) => {
      const { promptTokens, completionTokens, reasoningTokens, cachedTokens } = usageIn(usage) ?? {};
      return [promptTokens, completionTokens, reasoningTokens, cachedTokens];
    };
    // Here, cached tokens aren't part of the input.
    const apart = { input_tokens: 100, cache_read_input_tokens: 1792, cache_creation_input_tokens: 108 };
    assert.deepEqual(figuresOf({ ...apart, output_tokens: 50 }), [2000, 50, undefined, 1792]);
    assert.deepEqual(figuresOf({ output_tokens: 50 }), [undefined, 50, undefined, undefined]);
    const details = {
      input_tokens_details: { cached_tokens: 1792 },
      output_tokens_details: { reasoning_tokens: 40 },
    };
    assert.deepEqual(figuresOf({ input_tokens: 2000, output_tokens: 50, ...details }), [2000, 50, 40, 1792]);
    // The documented names go first, for the output also with a 0.
    assert.deepEqual(figuresOf({ ...USAGE, ...apart, output_tokens: 7 }), [2000, 50, 40, 1792]);
    assert.deepEqual(figuresOf({ prompt_tokens: 2000, completion_tokens: 0, ...apart, output_tokens: 7 }), [
      2000,
      0,
      undefined,
      1792,
    ]);
    const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    assert.deepEqual(figuresOf({ ...zeros, input_tokens: 0, output_tokens: 0 }), [
      undefined,
      0,
      undefined,
      undefined,
    ]);
  });

  it('Q10 R6 takes an input of 0 for one that is not reported, because no request has 0 tokens', () => {
    const inputOf = (usage: object) => usageIn({ completion_tokens: 50, ...usage })?.promptTokens;
    for (const more of [{}, { total_tokens: 50 }, { total_tokens: 2050 }, { input_tokens: 0 }])
      assert.equal(inputOf({ prompt_tokens: 0, ...more }), undefined, JSON.stringify(more));
    assert.equal(inputOf({ input_tokens: 0 }), undefined);
    assert.equal(inputOf({ prompt_tokens: 0, input_tokens: 2000 }), 2000);
    assert.equal(inputOf({ input_tokens: 0, cache_read_input_tokens: 2000 }), 2000);
    const beside = { total_tokens: 90, completion_tokens_details: { reasoning_tokens: 40 } };
    assert.equal(usageIn({ prompt_tokens: 0, completion_tokens: 50, ...beside })?.completionTokens, 90);
  });

  it('R6 counts reasoning as output if the total shows that it is beside that', () => {
    const figures = (total: number | undefined, reasoning: number) => {
      const details = { completion_tokens_details: { reasoning_tokens: reasoning } };
      const usage = usageIn({ prompt_tokens: 2000, completion_tokens: 10, total_tokens: total, ...details });
      return [usage?.completionTokens, usage?.reasoningTokens];
    };
    assert.deepEqual(figures(2050, 40), [50, 40]);
    // As documented, one above the output, and a total that shows nothing.
    for (const [total, reasoning] of [
      [2010, 8],
      [2010, 11],
      [2049, 40],
      [undefined, 40],
      [0, 40],
    ] as const)
      assert.deepEqual(figures(total, reasoning), [10, reasoning], String(total));
    const apart = { input_tokens: 2000, output_tokens: 10, total_tokens: 2050 };
    assert.equal(
      usageIn({ ...apart, output_tokens_details: { reasoning_tokens: 40 } })?.completionTokens,
      50,
    );
  });

  it('R6 F6 adds up the total of an interface that has none, and no other', () => {
    assert.equal(usageIn({ input_tokens: 20, output_tokens: 5 })?.totalTokens, 25);
    assert.equal(usageIn({ input_tokens: 20, output_tokens: 5, total_tokens: 0 })?.totalTokens, 0);
    assert.equal(usageIn({ prompt_tokens: 20, completion_tokens: 5 })?.totalTokens, undefined);
    assert.equal(usageIn({ output_tokens: 5 })?.totalTokens, undefined);
    assert.equal(usageIn({ input_tokens: 20 })?.totalTokens, 20);
    const both = { prompt_tokens: 1000, completion_tokens: 5, input_tokens: 1000, output_tokens: 5 };
    assert.equal(usageIn({ ...both, cache_read_input_tokens: 900 })?.totalTokens, undefined);
  });

  it('R6 finds usage inside the choice, and prefers usage at the top level', () => {
    const choice = { index: 0, delta: {}, finish_reason: 'stop', usage: USAGE };
    assert.equal(decoded({ choices: [choice] }).usage?.totalTokens, 2050);
    assert.equal(decoded({ choices: [choice], usage: null }).usage?.totalTokens, 2050);
    assert.equal(decoded({ choices: [choice], usage: {} }).usage?.totalTokens, 2050);
    assert.equal(decoded({ choices: [choice], usage: { total_tokens: 1 } }).usage?.totalTokens, 1);
  });

  it('Q10 leaves invalid numbers undefined instead of 0', () => {
    assert.deepEqual(
      usageIn({
        prompt_tokens: 'twelve',
        completion_tokens: null,
        total_tokens: -1,
        completion_tokens_details: 'none',
        prompt_tokens_details: { cached_tokens: 'many' },
      }),
      NO_USAGE,
    );
    assert.equal(decoded(chunkOf({})).usage, undefined);
    assert.equal(decoded({ choices: [], usage: null }).usage, undefined);
  });

  it('Q10 reads numbers that are written as text', () => {
    assert.deepEqual(
      usageIn({
        prompt_tokens: '12',
        completion_tokens: '7',
        total_tokens: '19',
        completion_tokens_details: { reasoning_tokens: '5' },
        cached_tokens: '0',
      }),
      { promptTokens: 12, completionTokens: 7, totalTokens: 19, reasoningTokens: 5, cachedTokens: 0 },
    );
    for (const text of ['', ' ', '1e3', '-1', '0x10', '99999999999'])
      assert.equal(usageIn({ prompt_tokens: text })?.promptTokens, undefined, text);
  });

  it('F6 treats figures that cannot be true as not reported', () => {
    for (const wrong of [-1, 2 ** 64 - 1, 2 ** 32 - 1, 1e300]) {
      const all = usageIn({ prompt_tokens: wrong, completion_tokens: 5, total_tokens: wrong });
      assert.deepEqual(
        [all?.promptTokens, all?.completionTokens, all?.totalTokens],
        [undefined, 5, undefined],
      );
      assert.equal(usageIn({ prompt_tokens_details: { cached_tokens: wrong } })?.cachedTokens, undefined);
    }
    assert.equal(usageIn({ prompt_tokens: 2_000_000 })?.promptTokens, 2_000_000);
  });

  it('R8 reads the usage chunk with empty choices, and with none', () => {
    assert.equal(decoded({ choices: [], usage: USAGE }).usage?.promptTokens, 2000);
    assert.equal(decoded({ usage: USAGE }).usage?.promptTokens, 2000);
    assert.equal(decoded({ choices: null, usage: USAGE }).usage?.promptTokens, 2000);
    assert.equal(decoded({ choices: [null] }).answer, '');
  });

  it('reads a response that was not streamed', () => {
    const chunk = decoded({
      id: 'chatcmpl-2',
      choices: [{ message: { content: 'a', reasoning_content: 'r' }, finish_reason: 'stop' }],
      usage: USAGE,
    });
    assert.equal(chunk.answer, 'a');
    assert.equal(chunk.reasoning?.text, 'r');
    assert.equal(chunk.finishReason, 'stop');
  });

  it('reads tool call deltas, with missing fields undefined', () => {
    const calls = [
      { index: 0, id: 'ping_0', type: 'function', function: { name: 'ping', arguments: '{"a' } },
      { function: { arguments: '":1}' } },
      { index: 1, id: '', function: { name: null, arguments: null } },
      { index: 2, id: 'x', function: null },
      null,
      'junk',
    ];
    assert.deepEqual(decoded(chunkOf({ tool_calls: calls })).toolCalls, [
      { index: 0, id: 'ping_0', name: 'ping', arguments: '{"a' },
      { index: undefined, id: undefined, name: undefined, arguments: '":1}' },
      { index: 1, id: '', name: undefined, arguments: '' },
      { index: 2, id: 'x', name: undefined, arguments: '' },
    ]);
  });

  it('accepts tool arguments that are an object', () => {
    const [call] = decoded(
      chunkOf({ tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }] }),
    ).toolCalls;
    assert.equal(call?.arguments, '{"a":1}');
  });

  it('reads ids that came as numbers, unless they are too large to be exact', () => {
    const calls = decoded(chunkOf({ tool_calls: [7, 1e21, 2 ** 53].map((id) => ({ id })) })).toolCalls;
    assert.deepEqual(
      calls.map(({ id }) => id),
      ['7', undefined, undefined],
    );
  });

  it('never guesses the digits of arguments that came as a number: zeros before them are missing', () => {
    const pieces = ['{"amount": ', 100, 0, 0, '}'].map((piece) => ({ function: { arguments: piece } }));
    const calls = decoded(chunkOf({ tool_calls: pieces })).toolCalls;
    assert.deepEqual(
      calls.map(({ arguments: args, isDamaged }) => [args, isDamaged]),
      [
        ['{"amount": ', undefined],
        ['', true],
        ['', true],
        ['', true],
        ['}', undefined],
      ],
    );
  });

  it('ignores unknown fields, and is undefined without choices or usage', () => {
    assert.equal(
      decoded({ ...chunkOf({ content: 'a', annotations: [] }), system_fingerprint: 'x' }).answer,
      'a',
    );
    for (const json of [undefined, null, 1, 'x', true, [], {}, { choices: 'x' }, { object: 'ping' }]) {
      assert.equal(decodeChunk(json), undefined);
    }
  });

  it('never throws for any JSON, and gives every field its type', () => {
    const interesting = fc.constantFrom(
      'choices',
      'delta',
      'message',
      'content',
      'reasoning',
      'reasoning_content',
      'reasoning_details',
      'tool_calls',
      'function',
      'arguments',
      'usage',
      'prompt_tokens_details',
      'finish_reason',
      'index',
      'id',
      'text',
      '__proto__',
      'constructor',
      'toString',
    );
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom<unknown>(null, '', 0, -1, 1e308, true),
        fc.string(),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(fc.oneof(interesting, fc.string()), tie('json'), { maxKeys: 5 }),
      ),
    }));
    const wrapped = fc.oneof(
      json,
      json.map((delta) => ({ choices: [{ delta }] })),
      json.map((choice) => ({ choices: [choice] })),
      json.map((usage) => ({ choices: [], usage })),
      json.map((tool_calls) => ({ choices: [{ delta: { tool_calls: [tool_calls] } }] })),
    );
    fc.assert(
      fc.property(wrapped, (value) => {
        // Converted to text and back, so that `__proto__` is a field as on the wire.
        const chunk = decodeChunk(JSON.parse(JSON.stringify(value)));
        if (chunk === undefined) return;
        assert.equal(typeof chunk.answer, 'string');
        assert.ok(chunk.finishReason === undefined || typeof chunk.finishReason === 'string');
        for (const figure of Object.values(chunk.usage ?? {})) {
          assert.ok(figure === undefined || (typeof figure === 'number' && figure >= 0));
        }
        for (const call of chunk.toolCalls) assert.equal(typeof call.arguments, 'string');
      }),
      { numRuns: 3000 },
    );
  });

  it('leaves out entries of reasoning that are nested too deeply to be stored', () => {
    const entry = (levels: number): unknown =>
      JSON.parse(`{"text":"a","b":${'['.repeat(levels)}${']'.repeat(levels)}}`);
    const of = (levels: number) => decoded(chunkOf({ reasoning_details: [entry(levels), { text: 'b' }] }));
    assert.equal(of(100).reasoningDetails.length, 2);
    for (const levels of [1000, 20_000]) assert.deepEqual(of(levels).reasoningDetails, [{ text: 'b' }]);
  });

  it('does not throw for JSON that is nested too deeply for the stack', () => {
    const depth = 50_000;
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
    assert.ok(decodeChunk(chunkOf({ tool_calls: [{ function: { name: 'f', arguments: deep } }] })));
    assert.ok(decodeChunk(chunkOf({ content: deep, reasoning_details: [deep] })));
  });
});
