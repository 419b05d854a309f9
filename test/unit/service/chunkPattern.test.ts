import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createChunkPattern } from '../../../src/service/chunkPattern.ts';
import { decodeChunk } from '../../../src/service/decodeChunk.ts';
import { createStreamReader } from '../../../src/service/stream.ts';
import type { Watchdog } from '../../../src/service/watchdog.ts';
import { runsOf } from '../../support/mutations.ts';
import { chunkOf, sse, utf8 } from './wire.ts';

const write = (delta: object, more: object = {}) => JSON.stringify({ ...chunkOf(delta), ...more });

/** A pattern that has learned of these data. */
function learnedOf(data: string) {
  const pattern = createChunkPattern();
  const json: unknown = JSON.parse(data);
  const chunk = decodeChunk(json);
  assert.ok(chunk);
  pattern.learn(data, json, chunk);
  return pattern;
}

describe('A chunk that is written like the one before', () => {
  it('is what parsing it gives, reasoning or answer, with escapes, quotes, and halves of characters', () => {
    for (const field of ['content', 'reasoning_content', 'reasoning']) {
      const pattern = learnedOf(write({ [field]: 'a' }));
      for (const text of [
        'b',
        'long text with spaces',
        '"',
        '\\',
        '\n',
        '\u2028',
        '\ud83d',
        '你',
        '{"a":1}',
      ]) {
        const data = write({ [field]: text });
        const chunk = pattern.read(data);
        assert.deepEqual(chunk, decodeChunk(JSON.parse(data)), text);
        assert.deepEqual(Object.keys(chunk ?? {}), Object.keys(decodeChunk(JSON.parse(data)) ?? {}));
      }
    }
  });

  it('is read when its text is written with other escapes than the one before', () => {
    const pattern = learnedOf(write({ content: 'a' }));
    assert.equal(pattern.read(write({ content: 'b' }).replace('"b"', '"\\u4f60\\/"'))?.answer, '你/');
  });

  it('is not read where more than the text of the one before is another', () => {
    const pattern = learnedOf(write({ content: 'a' }));
    for (const data of [
      write({ content: '' }),
      write({ content: null }),
      write({ content: ['b'] }),
      write({ content: 'b', refusal: 'c' }),
      write({ content: 'b', content2: 'c' }),
      write({ reasoning: 'b' }),
      write({ content: 'b' }, { created: 2 }),
      JSON.stringify(chunkOf({ content: 'b' }, 'stop')),
      write({ content: 'b' }).slice(0, -1),
      write({ content: 'b' }).replace('"b"', '"b'),
      write({ content: 'b' }).replace('"b"', '"b\n"'),
      write({ content: 'b' }).replace('"b"', '"b","content":"c"'),
      write({ content: 'b' }).replace('"b"', '"b"},{"content":"c"'),
      '[DONE]',
      '',
    ])
      assert.equal(pattern.read(data), undefined, data);
  });

  it('is not read after one in which the text is not the only place with these letters', () => {
    for (const data of [
      write({ content: 'svc-k3' }),
      write({ content: ':' }),
      write({ content: 'content' }),
      write({ content: 'b', refusal: 'b' }),
      write({ reasoning: 'b', reasoning_content: 'b' }),
      write({ content: 'stop' }).replace('"content":"stop"', '"content":"\\u0073top","stop":1'),
    ])
      assert.equal(learnedOf(data).read(data.replaceAll(/"(b|svc-k3|stop)"/g, '"x"')), undefined, data);
  });

  it('is not read after one with the letters that are put in place of its text, which are in another field as well', () => {
    const text = '\\u006b3';
    for (const more of [{ model: 'k3' }, { choices: [{ delta: { content: 'k3', refusal: text } }] }]) {
      const data = write({ content: text }, more).replaceAll('\\\\u', '\\u');
      assert.equal(learnedOf(data).read(data.replace('"k3"', '"x"')), undefined, data);
    }
  });

  it('is not read after one with more than text', () => {
    for (const delta of [
      { content: 'a', reasoning: 'b' },
      { content: 'a', tool_calls: [{ index: 0, id: 'c', function: { name: 'f' } }] },
      { reasoning_details: [{ type: 'reasoning.text', text: 'a' }] },
      {},
    ])
      assert.equal(learnedOf(write(delta)).read(write(delta).replace('"a"', '"x"')), undefined);
  });

  it('is not looked for any more when each chunk has a number of its own', () => {
    const pattern = createChunkPattern();
    const learn = (n: number) => {
      const data = write({ content: 'a' }, { n });
      pattern.learn(data, JSON.parse(data), decodeChunk(JSON.parse(data)) as never);
    };
    for (let n = 0; n < 10; n++) learn(n);
    assert.equal(pattern.read(write({ content: 'b' }, { n: 9 })), undefined);
  });
});

/** What the watchdog was told. */
function recordingWatchdog() {
  const told: unknown[] = [];
  const record = (name: string) => (value?: unknown) => {
    told.push([name, value]);
  };
  const watchdog = new Proxy({} as Watchdog, { get: (_, name) => record(String(name)) });
  return { told, watchdog };
}

function readAll(events: readonly (object | string)[], parts: readonly number[]) {
  const { told, watchdog } = recordingWatchdog();
  const reader = createStreamReader({ status: 200, headers: {} }, watchdog, 0);
  const given: unknown[] = [];
  let at = 0;
  for (const size of [...parts, events.length]) {
    given.push(...reader.read(utf8(sse(...events.slice(at, at + size)))));
    at += size;
  }
  given.push(...reader.end());
  return { given, told, error: String(reader.error) };
}

/** Texts that one chunk after the other has, which is else the same. */
const texts = fc.array(
  fc.constantFrom('a', 'b', 'ab', '<think>', '</think>', '\n', 'Because', '', null, ['a']),
  { minLength: 1, maxLength: 5 },
);
const call = { index: 0, id: 'c', function: { name: 'f', arguments: '{}' } };
const deltaOf = fc.oneof(
  { weight: 6, arbitrary: fc.constant((text: unknown): object => ({ content: text })) },
  { weight: 4, arbitrary: fc.constant((text: unknown): object => ({ reasoning_content: text })) },
  fc.constantFrom<(text: unknown) => object>(
    (text) => ({ reasoning: text }),
    (text) => ({ role: 'assistant', content: text }),
    (text) => ({ content: 'a', reasoning: text }),
    (text) => ({ content: text, refusal: text }),
    (text) => ({ content: text, tool_calls: [call] }),
    () => ({}),
  ),
);
const few = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));
const chunks: fc.Arbitrary<object[]> = fc
  .record({
    deltaOf,
    texts,
    holder: few('delta', 'message', 'text'),
    index: fc.constantFrom<number | undefined>(0, 0, 0, 1, 2, undefined),
    id: few<string | undefined>('r1', 'r2', '', undefined),
    reason: few<string | null>(null, 'stop', 'length', 'error'),
    usage: few<object | undefined>(undefined, { total_tokens: 7 }),
    error: few<unknown>(undefined, {}, { message: 'Overloaded.' }),
  })
  .map(({ deltaOf, texts, holder, index, id, reason, usage, error }) =>
    texts.map((text) => {
      const own = holder === 'text' ? { text } : { [holder]: deltaOf(text) };
      return { id, choices: [{ index, ...own, finish_reason: reason }], usage, error };
    }),
  );
const events = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: chunks },
      fc.constantFrom<(object | string)[]>(['[DONE]'], ['{"type":"ping"}'], ['{"text":"a"}']),
    ),
    { maxLength: 10 },
  )
  .map((groups) => groups.flat());

describe('A stream of chunks', () => {
  it('ends with the error that an event is named for, although its data are written like the chunks before', () => {
    const { watchdog } = recordingWatchdog();
    const reader = createStreamReader({ status: 200, headers: {} }, watchdog, 0);
    const alike = ['a', 'b', 'c'].map((content) => chunkOf({ content }));
    reader.read(utf8(sse(...alike)));
    assert.equal(reader.error, undefined);
    reader.read(utf8(`event: error\n${sse(chunkOf({ content: 'd' }))}`));
    assert.ok(reader.error);
  });

  it('has the ends of its choices, whatever they are, also where they come with the first text of the answer', () => {
    const ends = (n?: number) =>
      [{ reasoning: 'a' }, { content: 'b' }, { content: 'c' }, { role: 'assistant' }, { content: 'd' }].map(
        (delta, at) => ({
          choices: [{ index: at < 3 ? 0 : 1, delta, finish_reason: at < 3 }],
          n: n && n + at,
        }),
      );
    assert.deepEqual(readAll(ends(), [1, 1, 1, 1]), readAll(ends(1), [1, 1, 1, 1]));
  });

  it('gives the same whether they are written alike or each with a number of its own', () => {
    fc.assert(
      fc.property(events, fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 12 }), (events, parts) => {
        const numbered = events.map((event, n) => (typeof event === 'string' ? event : { ...event, n }));
        assert.deepEqual(readAll(events, parts), readAll(numbered, parts));
      }),
      runsOf(2000),
    );
  });
});
