/** Errors that are written over several lines: servers that fail in the middle of a stream print them as any other JSON. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { ServiceError } from '../../../src/service/errors.ts';
import { runsOf } from '../../support/mutations.ts';
import { bytesOf, chunkOf, kindOf, readBodyOf, sse, sumOf, utf8 } from './wire.ts';

const ERROR = { message: 'Too many requests', type: 'rate_limit_reached_error', code: null };
const PRETTY = JSON.stringify({ error: ERROR }, null, 2);
const LINES = PRETTY.split('\n');
/** As some services print it: the brackets of the list and of the object in one line, or in two. */
const LIST = `[${PRETTY}\n]`;
const indented = (text: string) => text.replace(/^/gm, '  ');
const WITH_DETAILS = JSON.stringify({ error: { ...ERROR, details: [{ a: [1] }, { b: '"}]' }] } }, null, 2);
const CHUNK = chunkOf({ content: 'a' });
const start = sse(CHUNK);

const shapes: Readonly<Record<string, string>> = {
  'lines of data': `${start}${LINES.map((line) => `data: ${line}\n`).join('')}\n`,
  'lines that are no fields': `${start}${PRETTY}\n\n`,
  'lines behind those of a chunk': `${start.trimEnd()}\n${PRETTY}\n`,
  'lines that end with the body': start + PRETTY,
  'data, and lines that are no fields': `${start}data: ${PRETTY}\n\n`,
  'data, and lines that end with the body': `${start}data: ${PRETTY}`,
  'the data of event: error, and lines that are no fields': `${start}event: error\ndata: ${PRETTY}\n\n`,
  'a field of its own, and lines that are no fields': `${start}error: ${JSON.stringify(ERROR, null, 2)}\n\n`,
  'a list in a line that is no field': `${start}${JSON.stringify([{ error: ERROR }])}\n\n`,
  'a list in lines that are no fields': `${start}${LIST}\n\n`,
  'a list whose brackets have lines of their own': `${start}[\n${indented(PRETTY)}\n]\n\n`,
  'a list with the end in one line': `${start}[${PRETTY}]\n\n`,
  'data, and a list in lines that are no fields': `${start}data: ${LIST}\n\n`,
  'data, and a list in lines that end with the body': `${start}data: ${LIST}`,
  'data, and a list whose brackets have lines of their own': `${start}data: [\n${indented(PRETTY)}\n]\n\n`,
  'lines after an unknown field': `${start}x-meta: 1\n${PRETTY}\n\n`,
  'lines after a line that is none of JSON': `${start}[error\n${PRETTY}\n\n`,
  'lines that are indented': `${start}${indented(PRETTY)}\n\n`,
  'lines without indentation': `${start}${PRETTY.replace(/^ +/gm, '')}\n\n`,
  'lines with objects in lists': `${start}${WITH_DETAILS}\n\n`,
  'data, and lines with objects in lists': `${start}data: ${WITH_DETAILS}\n\n`,
  'a list behind chunks in lines': `${JSON.stringify(CHUNK)}\n${JSON.stringify(chunkOf({}))}\n${LIST}\n`,
  'a list that ends with a body of chunks in lines': `${JSON.stringify(CHUNK)}\n${JSON.stringify(chunkOf({}))}\n${LIST}`,
  'an indented list behind chunks in lines': `${JSON.stringify(CHUNK)}\n${JSON.stringify(chunkOf({}))}\n[\n${indented(PRETTY)}\n]\n`,
  'lines behind chunks in lines': `${JSON.stringify(CHUNK)}\n${JSON.stringify(chunkOf({}))}\n${PRETTY}\n`,
  'lines that end with a body of chunks in lines': `${JSON.stringify(CHUNK)}\n${JSON.stringify(chunkOf({}))}\n${PRETTY}`,
};

async function assertError(body: Parameters<typeof readBodyOf>[0], shape: string): Promise<void> {
  const { events, error } = await readBodyOf(body);
  assert.equal(kindOf(error), 'rate-limited', shape);
  assert.equal((error as ServiceError).details.serviceMessage, ERROR.message, shape);
  assert.deepEqual(
    sumOf(events),
    { reasoning: '', answer: 'a', finish: undefined, total: undefined, done: 0, damaged: 0 },
    shape,
  );
}

/** Lines that services and gateways write, in an order that none of them would. */
const parts = [
  sse(chunkOf({ content: 'b' })),
  `data: ${JSON.stringify(chunkOf({ content: 'c' }))}\n`,
  `${JSON.stringify(chunkOf({ content: 'd' }))}\n`,
  'data: {"choices":[{"delta":{"con\n',
  'data: [DONE]\n',
  'data: [DONE]\n\n',
  `${JSON.stringify({ error: ERROR })}\n`,
  `${JSON.stringify([{ error: ERROR }])}\n`,
  `${PRETTY}\n`,
  `${JSON.stringify([{ error: ERROR }], null, 2)}\n`,
  `  ${PRETTY.replaceAll('\n', '\n  ')}\n`,
  `data: ${PRETTY}\n`,
  `error: ${JSON.stringify(ERROR)}\n`,
  'event: error\n',
  'event: x\n',
  ': ping\n',
  'x: 1\n',
  'Internal Server Error\n',
  'data: data: [DONE]\n',
  `data: data: ${JSON.stringify(chunkOf({ content: 'e' }))}\n`,
  'da\n',
  '{\n',
  '[\n',
  '}\n',
  ']\n',
  '\n',
] as const;

describe('A stream with lines that are no events', () => {
  /** What is shown of a body whose reads begin at these bytes. */
  const read = async (bytes: Uint8Array, places: readonly number[]) => {
    const pieces = places.map((from, index) => bytes.slice(from, places[index + 1]));
    const { events, error } = await readBodyOf(bytesOf(...pieces));
    return { ...sumOf(events), error: error instanceof ServiceError ? error.details.serviceMessage : error };
  };

  it('has the same text and the same error wherever it is split', async () => {
    const body = fc
      .tuple(
        fc.constantFrom(start, `${JSON.stringify(CHUNK)}\n{}\n`),
        fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 5 }),
        fc.constantFrom('\n', '\r\n', '\r'),
      )
      .map(([begin, lines, end]) => utf8((begin + lines.join('')).replaceAll('\n', end)));
    await fc.assert(
      fc.asyncProperty(body, fc.array(fc.nat(4000), { maxLength: 6 }), async (bytes, cuts) => {
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b)];
        const whole = await read(bytes, [0]);
        assert.deepEqual(await read(bytes, places), whole);
        assert.deepEqual(
          await read(
            bytes,
            Array.from(bytes, (_, at) => at),
          ),
          whole,
        );
      }),
      runsOf(200),
    );
  });

  it('has a line of text before an event where it is, also if an earlier event has the same text', async () => {
    const line = 'Internal Server Error';
    const of = (content: string) => utf8(`${sse(chunkOf({ content }))}${line}\n${sse(CHUNK)}`);
    const [other, same] = [await read(of('x'), [0]), await read(of(`What is an ${line}?`), [0])];
    assert.deepEqual([other.error, same.error], [undefined, undefined]);
  });

  it('ends with an error between the lines of an event, which has what came before it', async () => {
    for (const line of [`${JSON.stringify({ error: ERROR })}\n`, `${PRETTY}\n`]) {
      const text = `${start.trimEnd()}\n${line}data: [DONE]\n\n`;
      const bytes = utf8(text);
      for (let at = 0; at < bytes.length; at++)
        await assertError(bytesOf(bytes.slice(0, at), bytes.slice(at)), `${text.slice(0, at)}|`);
    }
  });
});

describe('An error over several lines of a stream', () => {
  for (const [name, body] of Object.entries(shapes)) {
    it(`is reported if it is ${name}, with everything before it, however the body is split`, async () => {
      for (const text of [body, body.replaceAll('\n', '\r\n')]) {
        const bytes = utf8(text);
        await assertError(text, text);
        for (let at = 1; at < bytes.length; at++)
          await assertError(bytesOf(bytes.slice(0, at), bytes.slice(at)), `${text.slice(0, at)}|`);
      }
    });
  }

  it('is reported when its connection breaks after it', async () => {
    for (const name of [
      'lines that are no fields',
      'data, and lines that end with the body',
      'a list in lines that are no fields',
      'data, and a list in lines that end with the body',
      'a list that ends with a body of chunks in lines',
    ]) {
      const body = shapes[name] ?? '';
      await assertError(bytesOf(body, new Error('reset')), name);
      await assertError(bytesOf(body.trimEnd(), new Error('reset')), name);
    }
  });

  it('is reported when a gateway writes it behind the beginning of an event', async () => {
    for (const name of ['', 'event: error\n']) {
      const begun = `${start}data: {"id":"x","choices":[{"delta":{"con\n${name}`;
      const { events, error } = await readBodyOf(`${begun}data: ${JSON.stringify({ error: ERROR })}\n\n`);
      assert.equal(kindOf(error), 'rate-limited', name);
      assert.equal((error as ServiceError).details.serviceMessage, ERROR.message);
      assert.deepEqual([(sumOf(events) as { damaged: number }).damaged], [1]);
    }
  });

  it('is no error if it is other JSON, or none, and what follows is read', async () => {
    const others = [
      '{\n  "ping": 1\n}',
      '[',
      ']',
      '[{\n}\n]',
      '[info] x',
      '  {\n  }',
      '{\n  "error": {\n}',
      '{',
      '}',
      '{\n}\n}\n{',
      'error: {\n}',
    ];
    for (const other of others)
      for (const between of [`${other}\n`, `${other}\n\n`]) {
        const { events, error } = await readBodyOf(
          start + between + sse(chunkOf({ content: 'b' }, 'stop'), '[DONE]'),
        );
        assert.equal(error, undefined, other);
        assert.deepEqual(
          sumOf(events),
          { reasoning: '', answer: 'ab', finish: 'stop', total: undefined, done: 1, damaged: 0 },
          other,
        );
      }
    const lines = [JSON.stringify(CHUNK), '{', '  "ping": 1', '}', JSON.stringify(chunkOf({ content: 'b' }))];
    const { events, error } = await readBodyOf(`${lines.join('\n')}\n`);
    assert.equal(error, undefined);
    assert.match(JSON.stringify(sumOf(events)), /"answer":"ab"/);
  });

  it('is looked for in lines of any length', async () => {
    const line = `{"text":"${'\\n'.repeat(1e7)}",`;
    for (const body of [`${start}${line}\n`, `${JSON.stringify(CHUNK)}\n${line}\n`]) {
      const { events, error } = await readBodyOf(`${body}${PRETTY}\n`);
      assert.equal(kindOf(error), 'rate-limited');
      assert.equal((sumOf(events) as { answer: string }).answer, 'a');
    }
  });

  it('keeps the events of the same lines that can be read when one of them is damaged', async () => {
    const [one, other] = [chunkOf({ content: 'b' }), chunkOf({ content: 'c' }, 'stop')].map((chunk) =>
      JSON.stringify(chunk),
    );
    const { events } = await readBodyOf(`${start}data: ${one}\ndata: {"cut\ndata: ${other}\n\n`);
    assert.deepEqual(sumOf(events), {
      reasoning: '',
      answer: 'abc',
      finish: 'stop',
      total: undefined,
      done: 0,
      damaged: 1,
    });
  });
});
