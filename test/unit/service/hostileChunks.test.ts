/** Chunks that no service writes: names twice, names in place of texts, escapes, white space, other types. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createTurn, foldTurn } from '../../../src/conversation/fold.ts';
import { createStreamReader } from '../../../src/service/stream.ts';
import type { BodyStreamEvent } from '../../../src/service/types.ts';
import { createWatchdog } from '../../../src/service/watchdog.ts';
import { runsOf } from '../../support/mutations.ts';
import { FACTS } from '../conversation/turns.ts';
import { utf8, WIDE_LIMITS } from './wire.ts';

const TEXTS = [
  'a',
  'b',
  'k3',
  ':',
  ',',
  '"',
  '\\',
  '',
  'content',
  'delta',
  '}],"x":{',
  '\u2028',
  '\ud83d',
  '\ude00',
];
const WORDS = [
  'assistant',
  'stop',
  'thinking',
  'text',
  'error',
  'svc-k3',
  '__proto__',
  '0',
  '<think>',
  '</think>',
];

/** A string of JSON, with some of its characters escaped. */
const literal = fc
  .tuple(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...TEXTS) }, fc.constantFrom(...WORDS)), fc.nat(7))
  .map(([text, mask]) => {
    const signs = [...JSON.stringify(text).slice(1, -1)];
    const hasEscape = signs.includes('\\');
    const written = signs.map((sign, at) =>
      !hasEscape && (mask >> (at % 3)) % 2 === 1 && mask > 4
        ? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
        : sign,
    );
    return `"${written.join('')}"`;
  });
const space = fc.oneof({ weight: 6, arbitrary: fc.constant('') }, fc.constantFrom(' ', '\t', '  '));
const plain = fc.constantFrom('null', 'true', 'false', '0', '-0', '1', '1.0', '1e0', '{}', '[]');

const listOf = (element: fc.Arbitrary<string>, most: number) =>
  fc.array(element, { maxLength: most }).map((all) => `[${all.join(',')}]`);

function objectOf(names: readonly string[], written: (name: string) => fc.Arbitrary<string>, most: number) {
  const field = fc
    .constantFrom(...names)
    .chain((name) => fc.tuple(fc.constant(name), space, space, written(name)))
    .map(([name, before, behind, value]) => `${before}"${name}"${behind}:${value}`);
  return fc.array(field, { minLength: 1, maxLength: most }).map((fields) => `{${fields.join(',')}}`);
}

const part = objectOf(['type', 'text', 'thinking', 'refusal'], () => literal, 2);
const content = fc.oneof({ weight: 8, arbitrary: literal }, plain, part, listOf(fc.oneof(part, literal), 2));
const call = fc.constantFrom(
  '{"index":0,"id":"c","function":{"name":"f","arguments":"{"}}',
  '{"index":0,"function":{"arguments":"}"}}',
  '{"function":{"name":"content","arguments":{"a":1}}}',
);
const DELTA = [
  'content',
  'content',
  'reasoning_content',
  'reasoning',
  'refusal',
  'role',
  'reasoning_details',
];
const delta = objectOf(
  [...DELTA, 'tool_calls', '__proto__', 'delta'],
  (name) => {
    if (name === 'tool_calls') return listOf(call, 2);
    if (name === 'reasoning_details') return listOf(part, 2);
    return name === 'role' ? fc.constant('"assistant"') : content;
  },
  3,
);
const choice = objectOf(
  ['delta', 'delta', 'delta', 'message', 'text', 'index', 'finish_reason', 'usage', 'error', '__proto__'],
  (name) => {
    if (name === 'text') return literal;
    if (name === 'index') return fc.constantFrom('0', '0', '1', '"0"', '0.0', 'null');
    if (name === 'finish_reason') return fc.oneof({ weight: 3, arbitrary: fc.constant('null') }, literal);
    return name === 'usage' || name === 'error' ? fc.oneof(plain, literal) : delta;
  },
  3,
);
const chunk = objectOf(
  ['choices', 'choices', 'choices', 'id', 'model', 'usage', 'error', 'object', '__proto__', 'choicesx'],
  (name) => {
    if (name === 'choices')
      return fc.array(choice, { minLength: 1, maxLength: 2 }).map((all) => `[${all.join(',')}]`);
    if (name === 'usage')
      return fc.constantFrom('null', '{}', '{"total_tokens":3}', '{"prompt_tokens":1,"completion_tokens":2}');
    return name === 'id' || name === 'model' ? literal : fc.oneof(plain, plain, literal);
  },
  3,
);

const LITERAL = /"(?:[^"\\]|\\.)*"/g;

/** Chunks that are written alike, with something else in place of one of their strings. */
const alike = fc
  .tuple(
    chunk,
    fc.nat(20),
    fc.array(
      fc.oneof(
        { weight: 8, arbitrary: literal },
        plain,
        fc.tuple(literal, literal).map(([one, other]) => `${one},"content":${other}`),
        literal.map((text) => ` ${text} `),
      ),
      { minLength: 1, maxLength: 5 },
    ),
  )
  .map(([first, which, values]) => {
    const strings = [...first.matchAll(LITERAL)].filter(
      ({ index, 0: text }) => !/^\s*:/.test(first.slice(index + text.length)),
    );
    const place = strings[which % strings.length];
    if (place === undefined) return [first, first];
    const [before, behind] = [first.slice(0, place.index), first.slice(place.index + place[0].length)];
    return [first, ...values.map((value) => before + value + behind)];
  });

const streams = fc
  .array(fc.oneof({ weight: 8, arbitrary: alike }, fc.constantFrom(['[DONE]'], ['{"type":"ping"}'])), {
    minLength: 1,
    maxLength: 6,
  })
  .map((groups) => groups.flat());

/** What a stream gives, with so many of its events in each read. */
function readAll(events: readonly string[], perRead: number) {
  const watchdog = createWatchdog(WIDE_LIMITS);
  const reader = createStreamReader({ status: 200, headers: {} }, watchdog, 0);
  const given: BodyStreamEvent[] = [];
  for (let at = 0; at < events.length; at += perRead) {
    const lines = events.slice(at, at + perRead).map((data) => `data: ${data}\n\n`);
    given.push(...reader.read(utf8(lines.join(''))));
  }
  given.push(...reader.end());
  watchdog.stop();
  return { given, error: String(reader.error) };
}

describe('A stream of chunks that no service writes', () => {
  it('gives the same with and without white space of its own behind each of them, which is never read like another', () => {
    fc.assert(
      fc.property(streams, fc.constantFrom(1, 2, 50), (events, perRead) => {
        const apart = events.map((data, at) => data + ' '.repeat(at + 1));
        assert.deepEqual(readAll(events, perRead), readAll(apart, perRead));
      }),
      runsOf(2000),
    );
  });

  it('gives the same turn, whatever comes with one read', () => {
    const turnOf = (events: readonly string[], perRead: number) => {
      const { given, error } = readAll(events, perRead);
      const turn = given.reduce((one, event) => foldTurn(one, { at: 5, event }), createTurn('t', 0, FACTS));
      return { turn, error };
    };
    fc.assert(
      fc.property(streams, fc.constantFrom(2, 50), (events, perRead) => {
        assert.deepEqual(turnOf(events, perRead), turnOf(events, 1));
      }),
      runsOf(2000),
    );
  });

  it('gives the same turn, wherever its bytes are cut, with every line end and with lines that are no events', () => {
    const line = fc.oneof(
      { weight: 6, arbitrary: chunk.map((data) => `data: ${data}`) },
      { weight: 3, arbitrary: fc.constant('') },
      fc.constantFrom(
        ': ping',
        'event: error',
        'event: ping',
        'data: [DONE]',
        'data:',
        'data',
        'id: 1',
        '{"error":{"message":"m"}}',
        'data: {"error":{"message":"m"}}',
        'error: {',
        '"message":"n"}',
        'text',
        'data: {',
        'data: "choices":[]}',
        'data: {"choices":[{"delta":{"content":"',
        '{"choices":[{"delta":{"content":"b"}}]}',
        ' data: {"choices":[{"delta":{"content":"c"}}]}',
        '[',
        ']',
        '{',
        '}',
        '<html>',
      ),
    );
    const bodies = fc
      .tuple(
        fc.array(line, { minLength: 1, maxLength: 14 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.constantFrom('', '\ufeff', '\n', ' '),
      )
      .map(([lines, end, start]) => start + lines.join(end));
    const DONE_TWICE = '\ufeffdata: {\rdata: [DONE]\r: ping\rdata: [DONE]\rdata: "choices":[]}';
    const readCut = (bytes: Uint8Array, cuts: readonly number[], isBroken: boolean) => {
      const watchdog = createWatchdog(WIDE_LIMITS);
      const reader = createStreamReader({ status: 200, headers: {} }, watchdog, 0);
      const given: BodyStreamEvent[] = [];
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b)];
      for (const [at, from] of places.entries())
        given.push(...reader.read(bytes.subarray(from, places[at + 1] ?? bytes.length)));
      given.push(...(isBroken ? reader.cut(new Error('reset')) : reader.end()));
      watchdog.stop();
      const turn = given.reduce((one, event) => foldTurn(one, { at: 5, event }), createTurn('t', 0, FACTS));
      return { turn, error: String(reader.error) };
    };
    fc.assert(
      fc.property(bodies, fc.array(fc.nat(600), { maxLength: 8 }), fc.boolean(), (body, cuts, isBroken) => {
        const bytes = utf8(body);
        assert.deepEqual(readCut(bytes, cuts, isBroken), readCut(bytes, [], isBroken), JSON.stringify(body));
      }),
      // The first [DONE] is in the data of an event, and the second one was found in another read only.
      { ...runsOf(500), examples: [[DONE_TWICE, [11, 30, 45], false]] },
    );
  });
});
