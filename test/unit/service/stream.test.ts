import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EMPTY_RESPONSE, foldResponse } from '../../../src/conversation/response.ts';
import { NO_CHOICES, pickChoice } from '../../../src/service/answerChoice.ts';
import type { StreamEvent } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { createStreamReader } from '../../../src/service/stream.ts';
import { createWatchdog } from '../../../src/service/watchdog.ts';
import { startCpu } from '../../support/growth.ts';
import {
  bytesOf,
  COMPLETE,
  chunkOf,
  chunksOf,
  collect,
  kindOf,
  readBodyOf,
  readStream,
  sse,
  sumOf,
  USAGE,
  USAGE_CHUNK,
  utf8,
  WIDE_LIMITS,
} from './wire.ts';

const WHOLE = {
  reasoning: 'Let me think.',
  answer: 'Because \u00e9\u4f60\u{1f600}.',
  finish: 'stop',
  total: 2050,
  done: 1,
  damaged: 0,
};

const QUOTED = JSON.stringify('Provider A failed: {"error":{"message":"busy"}}; going on with B');

/** A body in pieces of so many characters. */
async function* piecesOf(body: string, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield utf8(body.slice(at, at + size));
}

describe('A stream without an end', () => {
  /** Events of a mebibyte each. */
  async function* endless(delta: (text: string) => object, count: { sent: number }) {
    const event = utf8(sse(chunkOf(delta('x'.repeat(1024 * 1024)))));
    for (; count.sent < 80; count.sent++) yield event;
  }
  const callOf = (more: object) => ({ tool_calls: [{ index: 0, id: 'a', ...more }] });

  for (const [what, delta] of [
    ['an answer', (content: string) => ({ content })],
    ['reasoning', (text: string) => ({ reasoning_content: text })],
    ['reasoning that is encrypted', (data: string) => ({ reasoning_details: [{ data }] })],
    ['a call', (text: string) => callOf({ function: { name: 'read', arguments: text } })],
  ] as const)
    it(`ends with an error if it is ${what}, with all that came before it`, async () => {
      const count = { sent: 0 };
      const { events, error } = await readBodyOf(endless(delta, count));
      assert.equal(kindOf(error), 'response-too-large');
      assert.ok(count.sent >= 63 && count.sent < 70, `${count.sent} MB were read`);
      const received = events.reduce(
        // In runs: a list of single letters costs more than to read them.
        (sum, event) => sum + (JSON.stringify(event).match(/x+/g)?.join('').length ?? 0),
        0,
      );
      assert.ok(received >= count.sent * 1024 * 1024, `${received} characters`);
    });

  it('counts text that waits, because it may be that of another choice, when it arrives', () => {
    const watchdog = createWatchdog(WIDE_LIMITS);
    watchdog.stop();
    const reader = createStreamReader({ status: 200, headers: {} }, watchdog, 0);
    const read = (index: number) => {
      const choices = [{ index, delta: { content: 'x'.repeat(40 * 1024 * 1024) }, finish_reason: null }];
      reader.read(utf8(sse({ ...chunkOf({}), choices })));
      return [reader.isOver, reader.isOver && kindOf(reader.error)];
    };
    assert.deepEqual(
      [read(0), read(1)],
      [
        [false, false],
        [true, 'response-too-large'],
      ],
    );
  });
});

describe('The stream of a completion', () => {
  it('R7 separates reasoning and answer, R8 skips the chunk without choices, R9 reports [DONE]', async () => {
    const { events, error } = await readBodyOf(COMPLETE);
    assert.equal(error, undefined);
    assert.deepEqual(sumOf(events), WHOLE);
  });

  it('R7 gives the same text for every split of its bytes, single bytes, a BOM, and every line end', async () => {
    for (const ending of ['\n', '\r', '\r\n']) {
      const bytes = utf8(`\ufeff${COMPLETE.replaceAll('\n', ending)}`);
      const single = Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
      assert.deepEqual(sumOf((await readBodyOf(bytesOf(...single))).events), WHOLE);
      for (let at = 0; at <= bytes.length; at++) {
        const { events } = await readBodyOf(bytesOf(bytes.subarray(0, at), bytes.subarray(at)));
        assert.deepEqual(sumOf(events), WHOLE, `cut at ${at}`);
      }
    }
  });

  it('is one chunk for each event without answer text, also if the reasoning may be in the answer', async () => {
    const { events } = await readBodyOf(
      sse(chunkOf({ role: 'assistant' }), chunkOf({}, 'stop'), USAGE_CHUNK),
    );
    assert.deepEqual(
      chunksOf(events).map(({ finishReason, usage }) => [finishReason, usage?.totalTokens]),
      [
        [undefined, undefined],
        ['stop', undefined],
        [undefined, 2050],
      ],
    );
  });

  it('E9 counts as progress whatever carries something, and as activity whatever arrives', async () => {
    for (const [what, event, expected] of [
      ['a keep-alive', ': ping\n\n', 0],
      ['an empty delta', sse(chunkOf({ role: 'assistant', content: '' })), 0],
      ['reasoning', sse(chunkOf({ reasoning_content: 'a' })), 1],
      ['an answer', sse(chunkOf({ content: 'a' })), 1],
      ['one detail of reasoning', sse(chunkOf({ reasoning_details: [{ type: 'reasoning.encrypted' }] })), 1],
      ['a tool call', sse(chunkOf({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f' } }] })), 1],
      ['usage', sse(USAGE_CHUNK), 1],
    ] as const) {
      const seen = { activity: 0, progress: 0 };
      const watchdog = {
        ...createWatchdog(WIDE_LIMITS),
        activity: () => void seen.activity++,
        progress: () => void seen.progress++,
      };
      const body = bytesOf(event, 'data: [DONE]\n\n');
      await collect(readStream({ status: 200, headers: {}, body }, watchdog));
      watchdog.stop();
      assert.deepEqual(seen, { activity: 2, progress: expected }, what);
    }
  });

  it('R7 accepts data: twice, as gateways write it that wrap events in events', async () => {
    const twice = ['data: data: ', 'data:data:', 'data: data: data: '].map((prefix) =>
      COMPLETE.replaceAll('data: ', prefix),
    );
    for (const body of [...twice, COMPLETE.replaceAll(/(.+)\n\n/g, 'data: $1\r\ndata: \r\ndata: \r\n\r\n')]) {
      for (const pieces of [[body], [...body]]) {
        const { events, error } = await readBodyOf(bytesOf(...pieces));
        assert.equal(error, undefined, body);
        assert.deepEqual(sumOf(events), WHOLE, body);
      }
    }
    const { error } = await readBodyOf('data: data: {"error":{"message":"m","type":"server_error"}}\n\n');
    assert.equal(kindOf(error), 'server-failed');
  });

  it('R7 accepts data: without a space', async () => {
    const { events } = await readBodyOf(COMPLETE.replaceAll('data: ', 'data:'));
    assert.deepEqual(sumOf(events), WHOLE);
  });

  it('E8 keeps the last event if its data line is complete and only the line end is missing at a reset', async () => {
    const reset = new Error('reset');
    const chunk = JSON.stringify(chunkOf({ content: 'b' }));
    const before = sse(chunkOf({ content: 'a' }));
    const read = (...pieces: string[]) => readBodyOf(bytesOf(...pieces, reset));
    for (const last of [`data: ${chunk}`, `data: data: ${chunk}`, `data:data:${chunk}`]) {
      for (const pieces of [[last], [last.slice(0, 9), last.slice(9)]]) {
        const { events } = await read(...pieces);
        assert.equal((sumOf(events) as { answer: string }).answer, 'b', last);
      }
      for (const pieces of [[before + last], [before, last], [before, last.slice(0, 9), last.slice(9)]]) {
        const { events, error } = await read(...pieces);
        assert.equal((sumOf(events) as { answer: string }).answer, 'ab');
        assert.equal(error, reset);
      }
      for (let at = 0; at < last.length; at++) {
        const { events } = await read(before, last.slice(0, at));
        const { answer, damaged } = sumOf(events) as { answer: string; damaged: number };
        assert.deepEqual([answer, damaged], ['a', 0], `cut at ${at}`);
      }
    }
    const last = `data: ${chunk}`;
    const other = await read(before, `${last}\nid: 12`);
    assert.equal((sumOf(other.events) as { answer: string }).answer, 'ab', 'another field');
  });

  it('takes an event that the end of the body cut off for no damage, and keeps what came before it', async () => {
    const before = sse(chunkOf({ content: 'a' }, 'stop'));
    const usage = JSON.stringify(USAGE_CHUNK);
    const lasts = [`data: ${usage}`, 'data: [DONE]', 'data: [{"error":{}}]', `data: data: ${usage}`];
    for (const last of [...lasts, 'data: data: [DONE]', `data:data:${usage}`])
      for (const start of [before, before.trimEnd().concat('\n')])
        for (let at = 0; at < last.length; at++) {
          const { events, error } = await readBodyOf(bytesOf(start, last.slice(0, at)));
          const { answer, damaged } = sumOf(events) as { answer: string; damaged: number };
          assert.deepEqual([answer, damaged, error], ['a', 0, undefined], `cut at ${at}`);
        }
    // Also an event in several lines of data, or whose data are printed over several lines.
    const printed = JSON.stringify(USAGE_CHUNK, null, 1);
    for (const last of [printed, printed.replaceAll('\n', '\ndata: ')].map((data) => `data: ${data}`))
      for (let at = 0; at < last.length; at += 7)
        for (const ending of [[], [new Error('reset')]]) {
          const { events, error } = await readBodyOf(bytesOf(before, last.slice(0, at), ...ending));
          const { answer, damaged } = sumOf(events) as { answer: string; damaged: number };
          assert.deepEqual([answer, damaged, error], ['a', 0, ending[0]], `cut at ${at}`);
        }
    // The error is known without its end.
    const { error } = await readBodyOf(`${before}event: error\ndata: {"message":"Overl`);
    assert.equal(kindOf(error), 'stream-error');
  });

  it('keeps the text, the usage, and the reasoning that a chunk carries beside an error', async () => {
    const error = { message: 'Out of capacity', code: 529 };
    const body = sse(chunkOf({ content: 'a' }), {
      ...chunkOf({ content: 'b', reasoning_content: 'r' }, 'error'),
      usage: USAGE,
      error,
    });
    for (const text of [
      body,
      JSON.stringify({ choices: [{ message: { content: 'ab' } }], usage: USAGE, error }),
    ]) {
      const { events, error: thrown } = await readBodyOf(text);
      const { answer, total, finish, done } = sumOf(events) as Readonly<Record<string, unknown>>;
      assert.deepEqual([answer, total, finish, done], ['ab', 2050, undefined, 0]);
      assert.match(String(thrown), /Out of capacity/);
    }
  });

  it('adds no chunk for an error that carries nothing else', async () => {
    const { events } = await readBodyOf(
      sse({ ...chunkOf({ content: '' }, 'error'), error: { message: 'm' } }),
    );
    assert.deepEqual(events, []);
  });

  describe('with more choices than the one that was asked for', () => {
    /** A chunk with these choices. */
    const choicesOf = (
      ...choices: readonly (readonly [index: number | string | undefined, delta: object, finish?: string])[]
    ) => ({
      ...chunkOf({}),
      choices: choices.map(([index, delta, finish]) => ({ index, delta, finish_reason: finish ?? null })),
    });
    const call = (name: string) => ({
      tool_calls: [{ index: 0, id: name, type: 'function', function: { name, arguments: '{}' } }],
    });
    const read = async (body: string, contentType?: string) => {
      const { events, error } = await readBodyOf(body, contentType);
      assert.equal(error, undefined);
      const calls = chunksOf(events).flatMap(({ toolCalls }) => toolCalls.map(({ name }) => name));
      const others = events.filter(({ type }) => type === 'other-choice').length;
      const { answer, finish, total } = sumOf(events) as Record<string, unknown>;
      return { answer, finish, total, calls, others };
    };

    it('reads choice 0 only, from chunks with one or with several, and says once that there are others', async () => {
      const apart = sse(
        choicesOf([0, { role: 'assistant', content: '' }]),
        choicesOf([1, { role: 'assistant', content: '' }]),
        choicesOf([0, { content: 'One ' }]),
        choicesOf([1, { content: 'Two ' }]),
        choicesOf([0, { content: 'answer.' }]),
        choicesOf([1, { content: 'answers.' }]),
        choicesOf([1, {}, 'length']),
        choicesOf([0, {}, 'stop']),
        USAGE_CHUNK,
        '[DONE]',
      );
      const together = sse(
        choicesOf([1, { content: 'Two ' }], [0, { content: 'One ' }]),
        choicesOf([0, { content: 'answer.' }], [1, { content: 'answers.' }]),
        choicesOf([1, {}, 'length'], [0, {}, 'stop']),
        USAGE_CHUNK,
        '[DONE]',
      );
      const expected = { answer: 'One answer.', finish: 'stop', total: 2050, calls: [], others: 1 };
      assert.deepEqual(await read(apart), expected);
      assert.deepEqual(await read(together), expected);
    });

    it('runs no tool calls of another choice', async () => {
      const body = sse(
        choicesOf([0, { role: 'assistant', content: '' }]),
        choicesOf([1, { role: 'assistant', content: '' }]),
        choicesOf([0, call('read')]),
        choicesOf([1, call('remove')]),
        choicesOf([0, {}, 'tool_calls'], [1, {}, 'tool_calls']),
        '[DONE]',
      );
      const { calls, finish, others } = await read(body);
      assert.deepEqual([calls, finish, others], [['read'], 'tool_calls', 1]);
    });

    it('reads numbers that are written as text', async () => {
      const numbered = (...indexes: readonly string[]) => ({
        ...chunkOf({}),
        choices: indexes.map((index) => ({ index, delta: { content: index === '0' ? 'One.' : 'Two.' } })),
      });
      const whole = (...indexes: readonly string[]) => ({
        choices: indexes.map((index) => ({ index, message: { content: index === '0' ? 'One.' : 'Two.' } })),
      });
      for (const body of [
        sse(
          choicesOf(['0', {}], ['1', {}]),
          numbered('0'),
          numbered('1'),
          numbered('0'),
          numbered('1'),
          '[DONE]',
        ),
        sse(numbered('1', '0'), numbered('1', '0'), '[DONE]'),
      ]) {
        const { answer, others } = await read(body);
        assert.deepEqual([answer, others], ['One.One.', 1]);
      }
      const { answer, others } = await read(JSON.stringify(whole('1', '0')), 'application/json');
      assert.deepEqual([answer, others], ['One.', 1]);
    });

    it('says that there are others in a JSON reply, also in one that breaks off', async () => {
      const text = JSON.stringify({
        choices: ['One.', 'Two, which is cut'].map((content, index) => ({
          index,
          message: { content },
          finish_reason: 'length',
        })),
      });
      for (const [body, expected] of [
        [text, ['One.', 'length', 1]],
        [text.slice(0, text.indexOf('cut')), ['One.', undefined, 1]],
        [text.slice(0, text.indexOf('Two')), ['One.', undefined, 0]],
      ] as const) {
        const { answer, finish, others } = await read(body, 'application/json');
        assert.deepEqual([answer, finish, others], expected);
      }
    });

    it('reads the only choice of a gateway that gives it another number, or none', async () => {
      for (const index of [1, undefined]) {
        const body = sse(
          choicesOf([index, { reasoning_content: 'r' }]),
          choicesOf([index, { content: 'a' }]),
          choicesOf([index, {}, 'stop']),
          '[DONE]',
        );
        const { answer, finish, others } = await read(body);
        assert.deepEqual([answer, finish, others], ['a', 'stop', 0], String(index));
      }
    });

    it('reads the only choice of a gateway that counts its number up, or gives the answer or a call another one', async () => {
      const counted = sse(
        choicesOf([0, { role: 'assistant', content: 'a' }]),
        choicesOf([1, { role: 'assistant', content: 'b' }]),
        choicesOf([2, { role: 'assistant', content: 'c' }]),
        choicesOf([2, {}, 'stop']),
        '[DONE]',
      );
      const { answer, finish, others } = await read(counted);
      assert.deepEqual([answer, finish, others], ['abc', 'stop', 0]);
      const reasoned = sse(
        choicesOf([0, { reasoning_content: 'r' }]),
        choicesOf([1, { content: 'b' }]),
        choicesOf([1, call('read')]),
        choicesOf([0, {}, 'tool_calls']),
        '[DONE]',
      );
      const second = await read(reasoned);
      assert.deepEqual(
        [second.answer, second.finish, second.calls, second.others],
        ['b', 'tool_calls', ['read'], 0],
      );
    });

    it('mixes no texts when choice 0 comes after another one', async () => {
      const body = sse(
        choicesOf([1, { content: 'a' }]),
        choicesOf([0, { content: 'b' }]),
        choicesOf([1, {}, 'stop']),
      );
      const { answer, others } = await read(body);
      assert.deepEqual([answer, others], ['a', 1]);
    });

    it('has nothing of another choice that begins with its text, not even its first piece', async () => {
      for (const number of [0, undefined]) {
        const { answer, finish, calls, total, others } = await read(
          sse(
            choicesOf([number, { role: 'assistant', content: 'One ' }]),
            { ...choicesOf([1, { role: 'assistant', content: 'Two ', ...call('remove') }]), usage: USAGE },
            choicesOf([number, { content: 'answer.' }]),
            choicesOf([1, { content: 'answers.' }]),
            choicesOf([1, {}, 'length']),
            choicesOf([number, {}, 'stop']),
            '[DONE]',
          ),
        );
        assert.deepEqual(
          [answer, finish, calls, total, others],
          ['One answer.', 'stop', [], 2050, 1],
          String(number),
        );
      }
    });

    it('has nothing of another choice that begins when the answer has ended', async () => {
      const role = choicesOf([1, { role: 'assistant', content: '' }]);
      for (const number of [0, undefined])
        for (const before of [[], [role]]) {
          const { answer, finish, others } = await read(
            sse(
              choicesOf([number, { content: 'One.' }]),
              ...before,
              choicesOf([number, {}, 'stop']),
              choicesOf([1, { content: 'Two.' }]),
              choicesOf([1, {}, 'length']),
              '[DONE]',
            ),
          );
          assert.deepEqual([answer, finish, others], ['One.', 'stop', 1], String(number));
        }
    });

    it('loses nothing of a number that may be another choice and isn’t', async () => {
      const begun = [choicesOf([0, { reasoning_content: 'r' }]), choicesOf([1, { content: 'a' }])];
      const ends: readonly (readonly (object | string)[])[] = [
        [],
        ['[DONE]'],
        [USAGE_CHUNK, '[DONE]'],
        [choicesOf([0, {}, 'stop'])],
        [{ error: { message: 'm' }, ...choicesOf([1, { content: '' }]) }],
        [{ error: { message: 'm' } }],
      ];
      for (const end of ends) {
        const { events } = await readBodyOf(sse(...begun, ...end));
        assert.equal((sumOf(events) as { answer: string }).answer, 'a', JSON.stringify(end));
      }
      const { events } = await readBodyOf(bytesOf(sse(...begun), new Error('reset')));
      assert.equal((sumOf(events) as { answer: string }).answer, 'a');
      const ended = await read(
        sse(
          choicesOf([0, { reasoning_content: 'r' }]),
          choicesOf([0, {}, 'stop']),
          choicesOf([1, { content: 'a' }, 'stop']),
          choicesOf([2, { content: 'b' }, 'stop']),
          '[DONE]',
        ),
      );
      assert.deepEqual([ended.answer, ended.others], ['ab', 0]);
    });

    /** The text that each read gives, and what the watchdog is told about the end of the answer. */
    const readApart = (...events: readonly object[]) => {
      const told: string[] = [];
      const watchdog = {
        ...createWatchdog(WIDE_LIMITS),
        finish: () => void told.push('finish'),
        goOn: () => void told.push('text'),
      };
      watchdog.stop();
      const reader = createStreamReader({ status: 200, headers: {} }, watchdog, 0);
      const textOf = (read: readonly StreamEvent[]) =>
        chunksOf(read)
          .map(({ answer, reasoning }) => `${reasoning?.text ?? ''}${answer}`)
          .join('');
      return [
        events.map((event) => {
          told.length = 0;
          return [textOf(reader.read(utf8(sse(event)))), ...told];
        }),
        textOf(reader.end()),
      ];
    };

    it('gives the answer at once if its number is another one than that of the reasoning', () => {
      assert.deepEqual(
        readApart(choicesOf([0, { reasoning_content: 'r' }]), choicesOf([1, { content: 'a' }, 'stop'])),
        [
          [
            ['r', 'text'],
            ['a', 'text', 'finish'],
          ],
          '',
        ],
      );
    });

    it('gives text at once when its number was counted up before', () => {
      const counted = [0, 1, 2, 3].map((index) => choicesOf([index, { content: `${index}` }]));
      assert.deepEqual(readApart(...counted), [
        [
          ['0', 'text'],
          ['', 'text'],
          ['12', 'text'],
          ['3', 'text'],
        ],
        '',
      ]);
    });

    it('waits only a short time for what follows a finish reason, also if its text is held back', () => {
      const held = [choicesOf([0, { content: 'a' }]), choicesOf([1, { content: 'b' }, 'stop'])];
      assert.deepEqual(readApart(...held), [
        [
          ['a', 'text'],
          ['', 'text', 'finish'],
        ],
        'b',
      ]);
      // The end that follows doesn't take the text that was held back for text after the end.
      assert.deepEqual(readApart(...held, choicesOf([0, {}, 'stop'])), [
        [
          ['a', 'text'],
          ['', 'text', 'finish'],
          ['b', 'finish', 'finish'],
        ],
        '',
      ]);
    });

    it('mixes no texts if zeros are left out and both begin in one chunk', async () => {
      for (const begin of ['One ', '']) {
        const { answer, finish, others } = await read(
          sse(
            choicesOf([undefined, { content: begin }], [1, { content: 'Two ' }]),
            choicesOf([1, { content: 'answers' }]),
            choicesOf([undefined, { content: 'answer' }]),
            choicesOf([1, { content: '.' }, 'length']),
            choicesOf([undefined, { content: '.' }, 'stop']),
            '[DONE]',
          ),
        );
        assert.deepEqual([answer, finish, others], [`${begin}answer.`, 'stop', 1]);
      }
    });

    describe('whose numbers say little', () => {
      const role = (index: number | undefined) => choicesOf([index, { role: 'assistant', content: '' }]);
      const end = (index: number | undefined) => choicesOf([index, {}, 'stop']);
      const said = async (...events: readonly object[]) => {
        const { events: all } = await readBodyOf(sse(...events, '[DONE]'));
        const { answer, reasoning } = sumOf(all) as Record<string, unknown>;
        return [reasoning, answer, all.filter(({ type }) => type === 'other-choice').length];
      };
      const text = (index: number | undefined, content: string) => choicesOf([index, { content }]);
      const thought = (index: number | undefined, of: string) =>
        choicesOf([index, { reasoning_content: of }]);

      it('mixes no texts if both began with the role before any text, with and without the number 0', async () => {
        for (const zero of [0, undefined]) {
          const begun = [role(zero), role(1)];
          assert.deepEqual(await said(...begun, text(1, 'A'), text(zero, 'a'), text(1, 'B')), ['', 'AB', 1]);
          assert.deepEqual(await said(...begun, text(zero, 'a'), text(1, 'A'), text(zero, 'b')), [
            '',
            'ab',
            1,
          ]);
          assert.deepEqual(await said(...begun, text(zero, 'a'), end(zero), text(1, 'A')), ['', 'a', 1]);
        }
      });

      it('is read in linear time, however often a role comes before any text', () => {
        for (const counted of [false, true]) {
          const worked = startCpu();
          let seen = NO_CHOICES;
          for (let at = 0; at < 20_000; at++) ({ seen } = pickChoice(role(counted ? at : 0), seen));
          assert.ok(worked() < 1500, `${worked()} ms`);
        }
      });

      it('has nothing of the first piece of an answer that comes while another one is reasoning', async () => {
        assert.deepEqual(await said(thought(0, 'r'), text(1, 'A'), thought(0, 's')), ['rs', '', 1]);
        assert.deepEqual(await said(thought(0, 'r'), text(1, 'A'), text(0, 'a')), ['r', 'a', 1]);
      });

      it('waits for the next chunk if a choice begins with the role behind text, and says so if both may be there', async () => {
        const begun = [role(0), text(0, 'a'), role(1)];
        assert.deepEqual(await said(...begun, text(1, 'A'), text(0, 'b')), ['', 'ab', 1]);
        assert.deepEqual(await said(...begun, text(1, 'A'), text(1, 'B')), ['', 'aAB', 1]);
        // The reasoning and the answer of one choice can have numbers of their own.
        assert.deepEqual(await said(role(0), thought(0, 'r'), role(1), text(1, 'A'), end(1)), ['r', 'A', 0]);
        assert.deepEqual(await said(...begun, choicesOf([1, call('read')]), end(1)), ['', 'a', 0]);
        // So can the parts of one answer, which has one end.
        assert.deepEqual(await said(...begun, text(1, 'A'), text(1, 'B'), end(1)), ['', 'aAB', 0]);
        assert.deepEqual(await said(...begun, text(1, 'A'), text(1, 'B'), end(0)), ['', 'aAB', 0]);
        assert.deepEqual(await said(...begun, text(1, 'A'), text(1, 'B'), end(1), end(0)), ['', 'aAB', 1]);
        // The end can come with the last text.
        const last = (index: number, content: string) => choicesOf([index, { content }, 'stop']);
        assert.deepEqual(await said(...begun, text(1, 'A'), last(1, 'B')), ['', 'aAB', 0]);
        assert.deepEqual(await said(...begun, text(1, 'A'), last(1, 'B'), end(0)), ['', 'aAB', 1]);
        const whole = [text(1, 'A'), text(1, 'B'), end(1), end(0)];
        assert.deepEqual(await said(role(0), thought(0, 'r'), role(1), ...whole), ['r', 'AB', 0]);
      });

      it('says so if two of them end, or the text goes on when the first one has ended', async () => {
        assert.deepEqual(await said(text(0, 'a'), text(1, 'A'), end(0), end(1)), ['', 'aA', 1]);
        assert.deepEqual(await said(text(0, 'a'), text(1, 'A'), end(0), text(1, 'B')), ['', 'aA', 1]);
        assert.deepEqual(await said(thought(0, 'r'), text(1, 'A'), end(1), end(0)), ['r', 'A', 0]);
      });

      it('says so if text without a number comes between text with one', async () => {
        assert.deepEqual(await said(text(1, 'A'), text(undefined, 'a'), text(1, 'B')), ['', 'AaB', 1]);
        assert.deepEqual(await said(thought(1, 'r'), text(undefined, 'a'), end(undefined)), ['r', 'a', 0]);
      });

      it('says so once more if calls may be those of another choice', async () => {
        const called = (index: number) => choicesOf([index, call('remove')]);
        const callsSaid = async (...events: readonly object[]) =>
          (await readBodyOf(sse(...events, '[DONE]'))).events.flatMap((event) =>
            event.type === 'other-choice' ? [event.hasCalls] : [],
          );
        assert.deepEqual(
          await callsSaid(thought(0, 'r'), thought(1, 'R'), called(1), thought(0, 's'), end(0)),
          [true],
        );
        assert.deepEqual(await callsSaid(text(0, 'a'), called(1), text(0, 'b')), [false]);
        assert.deepEqual(await callsSaid(role(0), role(1), called(0), called(1), end(0)), [false]);
      });
    });

    it('says nothing of another choice without text', async () => {
      const { answer, others } = await read(
        sse(choicesOf([0, { content: 'a' }], [1, { content: '' }]), choicesOf([0, {}, 'stop'])),
      );
      assert.deepEqual([answer, others], ['a', 0]);
    });

    it('reads choice 0 of a response that is not a stream, also of one that breaks off', async () => {
      const choice = (index: number, content: string) => ({
        index,
        message: { content },
        finish_reason: 'stop',
      });
      const whole = JSON.stringify({ ...chunkOf({}), choices: [choice(1, 'Two'), choice(0, 'One')] });
      assert.deepEqual(await read(whole, 'application/json'), {
        answer: 'One',
        finish: 'stop',
        total: undefined,
        calls: [],
        others: 1,
      });
      const cut = { ...chunkOf({}), choices: [choice(0, 'One'), choice(1, 'Two')] };
      const { events } = await readBodyOf(JSON.stringify(cut).slice(0, -30), 'application/json');
      assert.equal((sumOf(events) as { answer: string }).answer, 'One');
    });
  });

  it('reads an event with more choices than a function has arguments', async () => {
    const other = { delta: {} };
    const choices = [{ index: 0, delta: { content: 'a' } }, ...Array.from({ length: 200_000 }, () => other)];
    const { events, error } = await readBodyOf(sse({ choices }, chunkOf({ content: 'b' }, 'stop')));
    assert.equal(error, undefined);
    assert.equal((sumOf(events) as { answer: string }).answer, 'ab');
  });

  it('reads the text of a choice without a delta, as of a service for plain completions', async () => {
    const textOf = (text: string, finish_reason: string | null = null) => ({
      id: 'cmpl-1',
      object: 'text_completion',
      choices: [{ index: 0, text, logprobs: null, finish_reason }],
    });
    const { events } = await readBodyOf(sse(textOf('ha'), textOf('ha'), textOf('', 'stop'), '[DONE]'));
    const { answer, finish } = sumOf(events) as Record<string, unknown>;
    assert.deepEqual([answer, finish], ['haha', 'stop']);
  });

  describe('with the whole message behind the deltas', () => {
    const whole = (message: object, more: object = {}) => ({
      ...chunkOf({}),
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', ...more }],
    });
    const start = [
      chunkOf({ reasoning_content: 'Hm.' }),
      chunkOf({ content: 'One ' }),
      chunkOf({ content: 'two' }),
    ];
    const textsOf = async (...chunks: readonly object[]) => {
      const { events } = await readBodyOf(sse(...chunks, '[DONE]'));
      const { reasoning, answer, finish } = sumOf(events) as Record<string, string | undefined>;
      return [reasoning, answer, finish];
    };

    it('has its text once', async () => {
      const message = { content: 'One two', reasoning_content: 'Hm.' };
      assert.deepEqual(await textsOf(...start, whole(message)), ['Hm.', 'One two', 'stop']);
      assert.deepEqual(await textsOf(...start, whole(message, { delta: null })), ['Hm.', 'One two', 'stop']);
      const trimmed = { content: '\nOne two\n', reasoning_content: ' Hm. ' };
      assert.deepEqual(await textsOf(...start, whole(trimmed)), ['Hm.', 'One two', 'stop']);
    });

    it('has what is only in the message', async () => {
      const message = { content: 'One two three', reasoning_content: 'Hm. So.' };
      assert.deepEqual(await textsOf(...start, whole(message)), ['Hm. So.', 'One two three', 'stop']);
      assert.deepEqual(await textsOf(chunkOf({ role: 'assistant' }), whole(message)), [
        'Hm. So.',
        'One two three',
        'stop',
      ]);
    });

    it('R4 has its text once if only one of both has the reasoning in tags', async () => {
      const tagged = '<think>Hm.</think>One two';
      const field = { content: 'One two', reasoning_content: 'Hm.' };
      const expected = ['Hm.', 'One two', 'stop'];
      for (const content of [tagged, '\n<think>\nHm.\n</think>\n\nOne two', 'Hm.</think>One two'])
        for (const message of [field, { content: 'One two' }, { content: tagged }, { ...field, content }])
          assert.deepEqual(
            (await textsOf(chunkOf({ content }), whole(message))).map((text) => text?.trim()),
            expected,
            `${JSON.stringify(content)} ${JSON.stringify(message)}`,
          );
      const both = chunkOf({ reasoning_content: 'Hm.', content: tagged });
      assert.deepEqual(await textsOf(both, whole(field)), expected);
      assert.deepEqual(await textsOf(...start, whole({ content: tagged })), expected);
      assert.deepEqual(await textsOf(...start, whole({ content: '<think>Hm.</think>One two three' })), [
        'Hm.',
        'One two three',
        'stop',
      ]);
      assert.deepEqual(await textsOf(...start, whole({ content: '<think>No.</think>Else' })), [
        'Hm.',
        'One two<think>No.</think>Else',
        'stop',
      ]);
    });

    it('keeps another text, so that nothing is lost', async () => {
      assert.deepEqual(await textsOf(...start, whole({ content: 'Else' })), ['Hm.', 'One twoElse', 'stop']);
    });

    it('has its calls and the entries of its reasoning once', async () => {
      const tool_calls = [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }];
      const reasoning_details = [{ type: 'reasoning.text', text: 'Hm.', index: 0 }];
      const { events } = await readBodyOf(
        sse(chunkOf({ reasoning_details, tool_calls }), whole({ reasoning_details, tool_calls }), '[DONE]'),
      );
      const chunks = events.flatMap((event) => (event.type === 'chunk' ? [event.chunk] : []));
      assert.equal(chunks.flatMap(({ toolCalls }) => toolCalls).length, 1);
      assert.equal(chunks.flatMap(({ reasoningDetails }) => reasoningDetails).length, 1);
    });

    it('has its reasoning once if all of it follows under another name, with its entries', async () => {
      const reasoning_details = [{ type: 'reasoning.text', text: 'Hm.', signature: 's' }];
      const { events } = await readBodyOf(sse(...start, chunkOf({ reasoning_details }, 'stop'), '[DONE]'));
      assert.equal((sumOf(events) as { reasoning: string }).reasoning, 'Hm.');
      const details = events.flatMap((event) => (event.type === 'chunk' ? event.chunk.reasoningDetails : []));
      assert.deepEqual(details, reasoning_details);
      const again = await readBodyOf(sse(...start, chunkOf({ reasoning: 'Hm.' }, 'stop'), '[DONE]'));
      assert.equal((sumOf(again.events) as { reasoning: string }).reasoning, 'Hm.');
    });

    it('has its reasoning once if each piece follows, or comes first, in a delta of its own under another name', async () => {
      const entry = (text: string) => ({ reasoning_details: [{ type: 'reasoning.text', text, index: 0 }] });
      for (const [first, other] of [
        [(reasoning: string) => ({ reasoning }), (text: string) => ({ reasoning_content: text })],
        [(reasoning: string) => ({ reasoning }), entry],
        [entry, (reasoning: string) => ({ reasoning })],
      ] as const) {
        const inTurn = ['I look', ' at', ' a', ' a'].flatMap((text) => [
          chunkOf(first(text)),
          chunkOf(other(text)),
        ]);
        assert.deepEqual(await textsOf(...inTurn, chunkOf({ content: 'b' }, 'stop')), [
          'I look at a a',
          'b',
          'stop',
        ]);
        // Other text goes on, also if it begins alike.
        const alike = ['Let', ' me', ' see.'].map((text) => chunkOf(other(text)));
        assert.deepEqual(await textsOf(chunkOf(first('Let me think. ')), ...alike), [
          'Let me think. Let me see.',
          '',
          undefined,
        ]);
        assert.deepEqual(await textsOf(chunkOf(first('I look')), chunkOf(other(' at a'))), [
          'I look at a',
          '',
          undefined,
        ]);
      }
    });

    it('has each text of messages that go on after deltas', async () => {
      const going = (content: string) => ({ ...chunkOf({}), choices: [{ index: 0, message: { content } }] });
      assert.deepEqual(await textsOf(chunkOf({ content: '1' }), going('10'), going('1')), [
        '',
        '1101',
        undefined,
      ]);
    });

    it('has each text if the stream has messages in place of deltas', async () => {
      assert.deepEqual(await textsOf(whole({ content: 'ha' }), whole({ content: 'ha' })), [
        '',
        'haha',
        'stop',
      ]);
    });

    it('has all of it once if the last delta has the reasoning and the answer again', async () => {
      for (const name of ['reasoning_content', 'reasoning']) {
        const again = chunkOf({ [name]: 'Hm.', content: 'One two' }, 'stop');
        assert.deepEqual(await textsOf(...start, again), ['Hm.', 'One two', 'stop']);
      }
      // Something else goes on.
      const other = chunkOf({ reasoning_content: 'Hm.', content: 'One' }, 'stop');
      assert.deepEqual(await textsOf(...start, other), ['Hm.Hm.', 'One twoOne', 'stop']);
    });

    it('has its text once if it is the text of the choice', async () => {
      const last = { ...chunkOf({}), choices: [{ index: 0, text: 'One two', finish_reason: 'stop' }] };
      assert.deepEqual(await textsOf(...start, last), ['Hm.', 'One two', 'stop']);
    });

    it('has each text of deltas, also if one equals all before it', async () => {
      assert.deepEqual(await textsOf(chunkOf({ content: 'ha' }), chunkOf({ content: 'ha' }, 'stop')), [
        '',
        'haha',
        'stop',
      ]);
    });
  });

  it('R1 reports that another response begins, by an empty chunk with the role and an id of its own behind text', async () => {
    const role = chunkOf({ role: 'assistant', content: '' });
    const text = chunkOf({ content: 'a' });
    const other = (chunk: object) => ({ ...chunk, id: 'chatcmpl-2' });
    const counts = async (...chunks: readonly object[]) => {
      const { events } = await readBodyOf(sse(...chunks, chunkOf({}, 'stop'), '[DONE]'));
      return [
        events.filter(({ type }) => type === 'begun-again').length,
        (sumOf(events) as { answer: string }).answer,
      ];
    };
    assert.deepEqual(await counts(role, text, other(role), other(text)), [1, 'aa']);
    // Each of these is what some gateways do.
    assert.deepEqual(await counts(role, text, chunkOf({}, 'stop'), other(role), other(text)), [0, 'aa']);
    assert.deepEqual(await counts(role, text, other(text), role, text), [0, 'aaa']);
    assert.deepEqual(await counts(role, text, { ...other(role), usage: USAGE }), [0, 'a']);
    assert.deepEqual(await counts(role, text, other(text), text), [0, 'aaa']);
    assert.deepEqual(await counts(role, other(role), text), [0, 'a']);
    assert.deepEqual(await counts(role, text, role, text), [0, 'aa']);
    const both = chunkOf({ role: 'assistant', content: 'a' });
    assert.deepEqual(await counts(both, other(both), both), [0, 'aaa']);
  });

  it('R4 tells reasoning and answer apart in each response of a stream in which one begins again', async () => {
    const role = chunkOf({ role: 'assistant', content: '' });
    const one = [chunkOf({ reasoning_content: 'One.' })];
    const inTags = (text: string) => ['<think>', text, '</think>'].map((content) => chunkOf({ content }));
    const isBare = (text: string) => [text, '</think>'].map((content) => chunkOf({ content }));
    const half = chunkOf({ content: 'Half. ' });
    const whole = chunkOf({ content: 'Whole.' });
    const read = async (first: readonly object[], second: readonly object[]) => {
      const others = [role, ...second].map((chunk) => ({ ...chunk, id: 'chatcmpl-2' }));
      const { events } = await readBodyOf(sse(role, ...first, ...others, '[DONE]'));
      const { reasoning, answer } = sumOf(events) as { reasoning: string; answer: string };
      return [reasoning, answer];
    };
    const end = chunkOf({}, 'stop');
    for (const first of [one, inTags('One.'), isBare('One.')]) {
      const both = [...first, half];
      assert.deepEqual(await read(both, [...inTags('Two.'), whole, end]), ['One.Two.', 'Half. Whole.']);
      assert.deepEqual(await read(both, [...isBare('Two.'), whole, end]), ['One.Half. Two.', 'Whole.']);
      const message = { role: 'assistant', reasoning_content: 'Two.', content: 'Whole.' };
      const again = { ...end, choices: [{ index: 0, message, finish_reason: 'stop' }] };
      const named = chunkOf({ reasoning_content: 'Two.' });
      assert.deepEqual(await read(both, [named, whole, again]), ['One.Two.', 'Half. Whole.']);
    }
    // It was a sign of life: the response goes on.
    const goesOn = [role, ...inTags('One.').slice(0, 2), { ...role, id: 'chatcmpl-2' }, half];
    const { events } = await readBodyOf(sse(...goesOn, chunkOf({ content: '</think>' }), whole, end));
    assert.deepEqual(sumOf(events), {
      ...sumOf([]),
      reasoning: 'One.Half. ',
      answer: 'Whole.',
      finish: 'stop',
    });
  });

  describe('R4 of a response that begins again, in a server of another kind,', () => {
    const role = chunkOf({ role: 'assistant', content: '' });
    const inField = (...texts: readonly string[]) =>
      texts.map((text) => chunkOf({ reasoning_content: text }));
    const inContent = (...texts: readonly string[]) => texts.map((content) => chunkOf({ content }));
    const textsOf = async (first: readonly object[], second: readonly object[]) => {
      const others = [role, ...second, chunkOf({}, 'stop')].map((chunk) => ({ ...chunk, id: 'chatcmpl-2' }));
      const { events } = await readBodyOf(sse(role, ...first, ...others, '[DONE]'));
      const { reasoning, answer } = sumOf(events) as { reasoning: string; answer: string };
      return [reasoning, answer];
    };
    const unfinished = inContent('<think>', 'The user asks');

    it('has its reasoning in a field, after unfinished reasoning in tags, also if both begin alike', async () => {
      for (const begins of ['The', 'The user', 'Hm'])
        assert.deepEqual(
          await textsOf(unfinished, [...inField(begins, ' wants it.'), ...inContent('Roses ', 'are red.')]),
          [`The user asks${begins} wants it.`, 'Roses are red.'],
          begins,
        );
    });

    it('has its reasoning in a field, after reasoning that was cut off in what may be a closing tag', async () => {
      assert.deepEqual(
        await textsOf(
          [...unfinished, ...inContent('</th')],
          [...inField('The user'), ...inContent('Roses.')],
        ),
        ['The user asks</thThe user', 'Roses.'],
      );
    });

    it('has its reasoning in a field and in tags, which count once, whatever the first response reasoned', async () => {
      const twice = [
        ...inField('The user wants'),
        ...inContent('<think>The user', ' wants</think>', 'Roses.'),
      ];
      for (const first of [unfinished, inField('The user asks')])
        assert.deepEqual(await textsOf(first, twice), ['The user asksThe user wants', 'Roses.']);
    });

    it('has its reasoning in tags, which do not count as text of the unfinished reasoning', async () => {
      assert.deepEqual(await textsOf(unfinished, inContent('<think>', 'The user', '</think>', 'Roses.')), [
        'The user asksThe user',
        'Roses.',
      ]);
    });
  });

  it('R4 has the answer after reasoning in a field, and after an opening tag alone before it', async () => {
    const read = async (...deltas: readonly object[]) => {
      const chunks = deltas.map((delta) => chunkOf(delta));
      const { events } = await readBodyOf(sse(...chunks, chunkOf({}, 'stop'), '[DONE]'));
      const { reasoning, answer } = sumOf(events) as { reasoning: string; answer: string };
      return [reasoning, answer];
    };
    const left = [{ content: '<think>\n' }, { reasoning_content: 'Hm' }, { reasoning_content: ' ok.' }];
    for (const answer of [['Roses', ' are red.'], ['Roses are <', 'red.'], ['Roses are <']])
      assert.deepEqual(await read(...left, ...answer.map((content) => ({ content }))), [
        '\nHm ok.',
        answer.join(''),
      ]);
    // The closing tag shows that the text before it was reasoning.
    for (const text of ['Hm ok.</think>Roses.', '\n</think>Roses.'])
      assert.deepEqual(await read(...left, { content: text }), ['\nHm ok.', 'Roses.'], text);
    assert.deepEqual(await read(...left, { content: 'Other.</think>Roses.' }), ['\nHm ok.Other.', 'Roses.']);
  });

  it('R1 reports the first calls of a response that begins again', async () => {
    const role = chunkOf({ role: 'assistant', content: '' });
    const text = chunkOf({ content: 'a' });
    const call = chunkOf({
      tool_calls: [{ index: 0, id: 'x', function: { name: 'read', arguments: '{}' } }],
    });
    const other = (chunk: object) => ({ ...chunk, id: 'chatcmpl-2' });
    const beginningsOf = async (...chunks: readonly object[]) => {
      const { events } = await readBodyOf(sse(...chunks, chunkOf({}, 'tool_calls'), '[DONE]'));
      return events.flatMap((event) => {
        if (event.type === 'begun-again') return [event.hasCalls === true ? 'calls' : 'response'];
        return event.type === 'chunk' && event.chunk.toolCalls.length > 0 ? ['call'] : [];
      });
    };
    const begun = ['call', 'response', 'calls', 'call', 'call'];
    assert.deepEqual(await beginningsOf(role, call, other(role), other(call), other(call)), begun);
    assert.deepEqual(await beginningsOf(role, call, other(role), other(text)), ['call', 'response']);
    assert.deepEqual(await beginningsOf(role, text, call, call), ['call', 'call']);
    // It was a sign of life: the response goes on, and its calls are all there.
    const goesOn = ['call', 'response', 'call'];
    assert.deepEqual(await beginningsOf(role, call, other(role), call), goesOn);
    assert.deepEqual(await beginningsOf(role, call, other(role), text, call), goesOn);
  });

  it('takes a word as data for a sign of life, and what is left of JSON for damage', async () => {
    for (const [data, damaged] of [
      ['ping', 0],
      ['[PING]', 0],
      ['keep-alive', 0],
      ['"content":"a"}}]}', 1],
      ['an answer', 1],
    ] as const) {
      const { events } = await readBodyOf(sse(data, chunkOf({ content: 'a' }, 'stop'), '[DONE]'));
      assert.equal((sumOf(events) as { damaged: number }).damaged, damaged, data);
    }
  });

  it('accepts JSON in several data lines', async () => {
    const spread = JSON.stringify(chunkOf({ content: 'a' }, 'stop'), undefined, 1).replaceAll(
      '\n',
      '\ndata: ',
    );
    assert.equal((sumOf((await readBodyOf(`data: ${spread}\n\n`)).events) as { answer: string }).answer, 'a');
  });

  it('reads the chunks of a list, and counts what has choices in another shape as damaged', async () => {
    const list = [chunkOf({ content: 'b' }), chunkOf({ content: 'c' })];
    const read = async (...events: readonly object[]) => {
      const { events: seen, error } = await readBodyOf(sse(chunkOf({ content: 'a' }), ...events));
      const { answer, damaged } = sumOf(seen) as Record<string, unknown>;
      return [answer, damaged, error instanceof ServiceError ? error.details.serviceMessage : error];
    };
    assert.deepEqual(await read(list), ['abc', 0, undefined]);
    assert.deepEqual(await read([...list, { error: { message: 'gone' } }]), ['abc', 0, 'gone']);
    assert.deepEqual(await read({ choices: { 0: list[0] } }), ['a', 1, undefined]);
    assert.deepEqual(await read([{ data: list }]), ['a', 1, undefined]);
    assert.deepEqual(await read([], [{}], { choices: null }, { choices: {} }), ['a', 0, undefined]);
    const whole = await readBodyOf(JSON.stringify(list));
    assert.deepEqual([whole.error, (sumOf(whole.events) as { answer: string }).answer], [undefined, 'bc']);
  });

  it('counts digits of arguments that came as a number as damage: the zeros before them are lost', async () => {
    const damageOf = async (args: readonly unknown[]) => {
      const calls = args.map((piece) => ({ index: 0, function: { name: 'pay', arguments: piece } }));
      const pieces = calls.map((call) => chunkOf({ tool_calls: [call] }));
      const bodies = [
        sse(...pieces, chunkOf({}, 'tool_calls'), '[DONE]'),
        JSON.stringify({ choices: [{ message: { tool_calls: calls }, finish_reason: 'tool_calls' }] }),
      ];
      const read = await Promise.all(bodies.map((body) => readBodyOf(body)));
      return read.map(({ events }) => (sumOf(events) as { damaged: number }).damaged > 0);
    };
    assert.deepEqual(await damageOf(['{"amount": ', 100, 0, 0, '}']), [true, true]);
    assert.deepEqual(await damageOf(['{"amount": ', '100', { a: 1 }, null, '}']), [false, false]);
  });

  it('accepts a chunk of 10 MB', async () => {
    const content = 'y'.repeat(10 * 1024 * 1024);
    const { events } = await readBodyOf(
      sse(chunkOf({ reasoning_content: 'r' }), chunkOf({ content }, 'stop')),
    );
    assert.equal((sumOf(events) as { answer: string }).answer.length, content.length);
  });

  it('skips comments, unknown events, and damaged ones, and reports only the damaged ones', async () => {
    const body = `: PROCESSING\n\n${sse(chunkOf({ reasoning_content: 'r' }))}event: ping\nid: 3\nretry: 10\n\n${sse('{"cut', '{"object":"ping"}', chunkOf({ content: 'a' }, 'stop'), '[DONE]')}`;
    const { events, error } = await readBodyOf(body);
    assert.equal(error, undefined);
    assert.equal(events.filter((event) => event.type === 'keep-alive').length, 2);
    assert.deepEqual(sumOf(events), {
      reasoning: 'r',
      answer: 'a',
      finish: 'stop',
      total: undefined,
      done: 1,
      damaged: 1,
    });
  });

  describe('behind a comment', () => {
    const COMPLETION = {
      id: 'chatcmpl-1',
      model: 'svc-k3',
      choices: [{ index: 0, message: { content: 'Yes', reasoning_content: 'Hm.' }, finish_reason: 'stop' }],
    };
    const lines = [
      chunkOf({ reasoning_content: 'Hm.' }),
      chunkOf({ content: 'Ye' }),
      chunkOf({ content: 's' }, 'stop'),
    ];
    const bodies: Readonly<Record<string, string>> = {
      'one completion': JSON.stringify(COMPLETION),
      'one completion over several lines': JSON.stringify(COMPLETION, null, 2),
      'one completion over many lines': JSON.stringify(
        { ...COMPLETION, list: Array(20_000).fill(0) },
        null,
        2,
      ),
      'chunks in lines, and [DONE]': `${lines.map((line) => `${JSON.stringify(line)}\n`).join('')}[DONE]\n`,
      'chunks in lines': lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
      'data with a space before it': lines.map((line) => ` data: ${JSON.stringify(line)}\n\n`).join(''),
    };
    for (const [what, body] of Object.entries(bodies))
      it(`reads ${what}, however it is split`, async () => {
        for (const size of [1, 7, 10_000]) {
          const { events, error } = await readBodyOf(piecesOf(`: PROCESSING\n\n${body}\n`, size));
          assert.equal(error, undefined);
          const { reasoning, answer, finish } = sumOf(events) as Record<string, unknown>;
          assert.deepEqual([reasoning, answer, finish], ['Hm.', 'Yes', 'stop'], String(size));
        }
      });

    it('E11 reports a body that can’t be read with its first characters', async () => {
      for (const body of ['<html>\n<p>Bad gateway</p>', 'upstream gone'])
        for (const size of [1, 7, 10_000]) {
          const { error } = await readBodyOf(piecesOf(`: PROCESSING\n\n${body}\n`, size));
          assert.equal(kindOf(error), 'not-a-completion');
          assert.equal((error as ServiceError).details.excerpt?.trim(), body);
        }
    });
  });

  it('reads the data of events that are printed over several lines, also if one of them could be a chunk', async () => {
    const chunk = (content: string) => JSON.stringify(chunkOf({ content }, 'stop'));
    const withUsage = JSON.stringify({
      index: 0,
      delta: { content: 'b' },
      finish_reason: 'stop',
      usage: USAGE,
    });
    for (const body of [
      `${sse(chunkOf({ content: 'a' }))}data:\n${chunk('b')}\n\n`,
      `data:\n${chunk('a')}\n\ndata:\n${chunk('b')}\n\n`,
      `${sse(chunkOf({ content: 'a' }))}data: {"id":"x","choices":[\n${withUsage}\n]}\n\n`,
    ])
      for (const size of [1, 7, 10_000]) {
        const { events } = await readBodyOf(piecesOf(body, size));
        const { answer, damaged, finish } = sumOf(events) as Record<string, unknown>;
        assert.deepEqual([answer, damaged, finish], ['ab', 0, 'stop'], `${body} ${size}`);
      }
  });

  it('counts no [DONE] as damaged, wherever it is', async () => {
    const { events } = await readBodyOf(`${sse(chunkOf({ content: 'a' }, 'stop'))} data: [DONE]\n\n`);
    assert.equal((sumOf(events) as { damaged: number }).damaged, 0);
  });

  it('goes on after news of a service that are no chunks', async () => {
    for (const news of [
      'event: status\ndata: {"detail":"Searching the web"}\n\n',
      'data: {"detail":"Searching the web"}\n\n',
      'event: retry-notice\ndata: {"code":429,"message":"switching upstream"}\n\n',
      'data: {"type":"metadata","errors":["search tool timed out"],"sources":[]}\n\n',
      `data: {"detail":${QUOTED}}\n\n`,
      `data: {"message":${QUOTED}}\n\n`,
      `event: status\ndata: {"detail":${QUOTED}}\n\n`,
      `event: status\ndata: {"message":${QUOTED}}\n\n`,
    ]) {
      const { events, error } = await readBodyOf(
        `${sse(chunkOf({ content: 'a' }))}${news}${sse(chunkOf({ content: 'b' }, 'stop'), '[DONE]')}`,
      );
      assert.equal(error, undefined, news);
      assert.equal((sumOf(events) as { answer: string }).answer, 'ab');
    }
  });

  it('goes on after news with the error of a server before any text', async () => {
    for (const news of [
      `data: {"message":${QUOTED}}\n\n`,
      `event: status\ndata: {"message":${QUOTED}}\n\n`,
      `event: status\ndata: {"detail":${QUOTED}}\n\n`,
    ]) {
      const { events, error } = await readBodyOf(
        `${news}${sse(chunkOf({ content: 'a' }, 'stop'), '[DONE]')}`,
      );
      assert.equal(error, undefined, news);
      assert.equal((sumOf(events) as { answer: string }).answer, 'a');
    }
    for (const error of [
      `data: {"detail":${QUOTED}}\n\n`,
      `event: error\ndata: {"detail":${QUOTED}}\n\n`,
      `event: error\ndata: {"message":${QUOTED}}\n\n`,
    ]) {
      const read = await readBodyOf(error);
      assert.equal((read.error as ServiceError).details.serviceMessage, 'busy', error);
    }
  });

  it('E11 ends with the error of a web framework', async () => {
    for (const body of [
      'data: {"detail":"upstream gone"}\n\n',
      `${sse(chunkOf({ content: 'a' }))}data: {"status":502,"message":"upstream gone"}\n\n`,
      `${sse(chunkOf({ content: 'a' }))}{"detail":"upstream gone"}\n\n`,
    ]) {
      const { error } = await readBodyOf(body);
      assert.equal((error as ServiceError).details.serviceMessage, 'upstream gone', body);
    }
  });

  it('E11 reports the message of an error within an error, in data and in a line of its own', async () => {
    const said = '{"message":"Too many requests","type":"rate_limit_reached_error"}';
    for (const body of [
      `data: {"error":{"error":${said}}}\n\n`,
      `data: {"error":{"code":502,"message":"","error":${said}}}\n\n`,
      `error: {"error":${said}}\n\n`,
    ]) {
      const { error } = await readBodyOf(sse(chunkOf({ content: 'a' })) + body);
      assert.ok(error instanceof ServiceError, body);
      assert.deepEqual(
        [error.kind, error.details.serviceMessage],
        ['rate-limited', 'Too many requests'],
        body,
      );
    }
    const { error } = await readBodyOf('{"error":{"error":"Too many"}}');
    assert.equal((error as ServiceError).details.serviceMessage, 'Too many');
  });

  it('E11 ends with what a service says last, in a shape of its own, if no finish reason has come', async () => {
    for (const [last, message] of [
      ['data: {"code":"InternalError","message":"Engine gone","request_id":"r"}', 'Engine gone'],
      ['data: {"success":false,"message":"Engine gone"}', 'Engine gone'],
      ['data: {"status":"error","message":"Engine gone"}', 'Engine gone'],
      ['data: {"error_code":336501,"error_msg":"Engine gone"}', 'Engine gone'],
      ['data: {"choices":null,"base_resp":{"status_code":1004,"status_msg":"Engine gone"}}', 'Engine gone'],
      ['data: {"detail":"Engine gone"}', 'Engine gone'],
      ['data: Error: Engine gone', 'Error: Engine gone'],
    ] as const)
      for (const end of ['', '\n\n', '\n\ndata: [DONE]\n\n', '\n\n: ping\n\ndata: ping\n\n']) {
        for (const start of [[], [chunkOf({ content: 'a' })]]) {
          const { events, error } = await readBodyOf(sse(...start) + last + end);
          assert.ok(error instanceof ServiceError, last);
          assert.equal(error.details.serviceMessage, message, `${last} ${end}`);
          assert.equal((sumOf(events) as { answer: string }).answer, start.length > 0 ? 'a' : '');
        }
        const { error } = await readBodyOf(sse(chunkOf({ content: 'a' }, 'stop')) + last + end);
        assert.equal(error, undefined, `finished, ${last}`);
        if (last.includes('detail')) continue;
        const { error: none } = await readBodyOf(`${last}\n\n${sse(chunkOf({ content: 'a' }))}`);
        assert.equal(none, undefined, `not last, ${last}`);
      }
  });

  it('E11 ends with a line of text that names an error, as servers write it that fail in the middle', async () => {
    const start = sse(chunkOf({ content: 'a' }));
    const line = 'upstream connect error or disconnect/reset before headers';
    const other = await readBodyOf(`${start}Error: Engine gone\n`);
    assert.equal((other.error as ServiceError).details.serviceMessage, 'Error: Engine gone');
    for (const end of ['', '\n', '\r\n\r\n', '\n\ndata: [DONE]\n\n', '\n: ping\n\n'])
      for (const size of [1, 7, 10_000])
        for (const reset of [[], [new Error('reset')]]) {
          if (end === '' && reset.length > 0) continue;
          const pieces = `${start}${line}${end}`.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
          const { events, error } = await readBodyOf(bytesOf(...pieces, ...reset));
          assert.ok(error instanceof ServiceError, `${JSON.stringify(end)} ${size}`);
          assert.equal(error.details.serviceMessage, line);
          const { answer, damaged } = sumOf(events) as Record<string, unknown>;
          assert.deepEqual([answer, damaged], ['a', 0]);
        }
    for (const goesOn of [`${start}${line}\n\n`, `${start.trimEnd()}\n${line}\n\n`, `${start}a\n${line}\n`])
      for (const size of [1, 7, 10_000]) {
        const { error } = await readBodyOf(piecesOf(`${goesOn}${sse(chunkOf({ content: 'b' }))}`, size));
        assert.equal(error, undefined, 'not last');
      }
    const finished = await readBodyOf(`${sse(chunkOf({ content: 'a' }, 'stop'))}${line}\n`);
    assert.equal(finished.error, undefined, 'finished');
  });

  it('E11 ends with a line of text that names an error right behind the data of an event, without a blank line', async () => {
    const line = 'upstream connect error or disconnect/reset before headers';
    for (const lineEnd of ['\n', '\r\n', '\r'])
      for (const end of [
        '',
        lineEnd,
        lineEnd + lineEnd,
        `${lineEnd}at proxy${lineEnd}${lineEnd}data: [DONE]\n\n`,
      ])
        for (const size of [1, 7, 10_000])
          for (const reset of [[], [new Error('reset')]]) {
            if (end === '' && reset.length > 0) continue;
            const last = sse(chunkOf({ content: 'a' })).replace('\n\n', lineEnd + line + end);
            // Nor between the events before it.
            const first = sse(chunkOf({ reasoning_content: 'r' })).replace('\n\n', lineEnd);
            const body = size === 7 ? first + last : last;
            const pieces = body.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
            const { events, error } = await readBodyOf(bytesOf(...pieces, ...reset));
            assert.ok(error instanceof ServiceError, `${JSON.stringify(end)} ${size}`);
            assert.equal(error.details.serviceMessage, line);
            assert.equal((sumOf(events) as { answer: string }).answer, 'a');
          }
  });

  it('E11 has the message of event: error, not the chunk before it, without a blank line between them', async () => {
    const chunk = JSON.stringify(chunkOf({ content: 'a' }));
    const { events, error } = await readBodyOf(
      `data: ${chunk}\nevent: error\ndata: {"detail":"Engine gone"}\n\n`,
    );
    assert.equal((error as ServiceError).details.serviceMessage, 'Engine gone');
    assert.equal((sumOf(events) as { answer: string }).answer, 'a');
  });

  it('ends without an error behind other news without a finish reason', async () => {
    const body = sse(chunkOf({ content: 'a' }));
    // What is left of an event with a line end in its text isn't what the service says.
    const rest = await readBodyOf(`${body}data: {"choices":[{"delta":{"content":"It\nfails"}}]}\n\n`);
    assert.equal(rest.error, undefined);
    for (const last of [
      ': an error',
      'x-note: none',
      'data: {"object":"ping"}',
      'data: {"type":"stats","message":"3 tokens"}',
      'data: {"cut',
      'data: a b',
    ]) {
      const { error } = await readBodyOf(`${body}${last}\n\n`);
      assert.equal(error, undefined, last);
    }
  });

  it('reports a chunk in a line that is no field as damaged: its text has no certain place', async () => {
    for (const line of [
      JSON.stringify(chunkOf({ content: 'b' })),
      ` data: ${JSON.stringify(chunkOf({ content: 'b' }))}`,
    ])
      for (const size of [1, 7, 10_000]) {
        const body = `${sse(chunkOf({ content: 'a' }))}${line}\n\n${sse(chunkOf({ content: 'c' }, 'stop'), '[DONE]')}`;
        const { events } = await readBodyOf(piecesOf(body, size));
        const { answer, damaged, done } = sumOf(events) as Record<string, unknown>;
        assert.deepEqual([answer, damaged, done], ['ac', 1, 1], `${size}`);
      }
  });

  it('reads events without the blank lines between them', async () => {
    const whole = sse(
      chunkOf({ reasoning_content: 'r' }),
      chunkOf({ content: 'a' }, 'stop'),
      USAGE_CHUNK,
      '[DONE]',
    );
    const expected = { reasoning: 'r', answer: 'a', finish: 'stop', total: 2050, done: 1, damaged: 0 };
    assert.deepEqual(sumOf((await readBodyOf(whole)).events), expected);
    const joined = whole.replaceAll('\n\n', '\n');
    for (const body of [joined, `${joined}\n`, whole.replace(/\n\n(?=data: \[DONE)/, '\n')]) {
      const { events, error } = await readBodyOf(body);
      assert.equal(error, undefined);
      assert.deepEqual(sumOf(events), expected);
    }
    const begun = sse(chunkOf({ content: 'a' }), chunkOf({ content: 'b' })).replaceAll('\n\n', '\n');
    const last = `data: ${JSON.stringify(chunkOf({ content: 'c' }))}`;
    for (const ending of [[], [new Error('reset')]])
      for (let at = 0; at < last.length; at++) {
        const cut = await readBodyOf(bytesOf(begun + last.slice(0, at), ...ending));
        const { answer, damaged } = sumOf(cut.events) as { answer: string; damaged: number };
        assert.deepEqual([answer, damaged, cut.error], ['ab', 0, ending[0]], `cut at ${at}`);
      }
    const { events } = await readBodyOf(sse(chunkOf({ content: 'a' })).replace('\n\n', '\ndata: {"cut\n\n'));
    const { answer, damaged } = sumOf(events) as { answer: string; damaged: number };
    assert.deepEqual([answer, damaged], ['a', 1]);
  });

  it('E11 reports an error that a server writes into the stream as it is', async () => {
    const begun = sse(chunkOf({ content: 'One' }));
    const said = '{"message":"Rate limit exceeded","type":"rate_limit_reached_error"}';
    for (const line of [
      `{"error":${said}}`,
      ` {"error":${said}}\n`,
      `error: ${said}\n\n`,
      `error:${said}\n`,
    ]) {
      for (let at = 0; at <= line.length; at++) {
        const cut = await readBodyOf(bytesOf(begun + line.slice(0, at), line.slice(at)));
        assert.equal((cut.error as ServiceError | undefined)?.kind, 'rate-limited', `${line} cut at ${at}`);
        const more = await readBodyOf(
          bytesOf(begun + line.slice(0, at), `${line.slice(at)}\n\n${sse('[DONE]')}`),
        );
        assert.equal((more.error as ServiceError | undefined)?.kind, 'rate-limited', `${line}, more, ${at}`);
      }
      const { events, error } = await readBodyOf(begun + line);
      assert.equal((sumOf(events) as { answer: string }).answer, 'One');
      assert.ok(error instanceof ServiceError, line);
      assert.equal(error.kind, 'rate-limited');
      assert.equal(error.details.serviceMessage, 'Rate limit exceeded');
    }
    const broken = await readBodyOf(bytesOf(begun, `{"error":${said}}`, new Error('reset')));
    assert.equal((broken.error as ServiceError).kind, 'rate-limited');
    for (const line of ['{"other":1}', 'error: none', '{"error":', '<html>', 'error:', '{"error":{}}x'])
      assert.equal((await readBodyOf(`${begun}${line}\n\n`)).error, undefined, line);
  });

  describe('R9 [DONE]', () => {
    const before = sse(chunkOf({ reasoning_content: 'r' }), chunkOf({ content: 'a' }));

    it('can be missing: the body ends and nothing is lost', async () => {
      const { events, error } = await readBodyOf(before);
      assert.equal(error, undefined);
      assert.deepEqual(sumOf(events), {
        reasoning: 'r',
        answer: 'a',
        finish: undefined,
        total: undefined,
        done: 0,
        damaged: 0,
      });
    });

    it('can come twice and counts once', async () => {
      const { events } = await readBodyOf(before + sse('[DONE]', '[DONE]'));
      assert.equal(events.filter((event) => event.type === 'done').length, 1);
    });

    it('can come early: everything after it is ignored, including errors', async () => {
      const { events, error } = await readBodyOf(
        before + sse('[DONE]', chunkOf({ content: 'b' }), USAGE_CHUNK, { error: { message: 'x' } }),
      );
      assert.equal(error, undefined);
      const { answer, total } = sumOf(events) as { answer: string; total: number | undefined };
      assert.deepEqual([answer, total], ['a', undefined]);
    });

    it('can have white space around it', async () => {
      const { events } = await readBodyOf(`${before}data:  [DONE] \n\n`);
      assert.equal(events.at(-1)?.type, 'done');
    });

    it('ends the reading even if the service keeps the connection open', async () => {
      let closed = false;
      async function* open(): AsyncGenerator<Uint8Array> {
        try {
          yield utf8(before + sse('[DONE]'));
          await new Promise(() => undefined);
        } finally {
          closed = true;
        }
      }
      const { events, error } = await readBodyOf(open());
      assert.equal(error, undefined);
      assert.equal(events.at(-1)?.type, 'done');
      assert.equal(closed, true);
    });

    it('needs no blank line behind it, also if the service keeps the connection open', async () => {
      for (const end of ['\n', '\r', '\r\n'])
        for (const [body, name] of [
          [before, 'data: '],
          [before.replaceAll('\n\n', '\n'), 'data: '],
          [before.replaceAll('\n\n', '\n').replaceAll('data: ', 'data: data: '), 'data: data: '],
          [before, 'data:data:data:'],
        ])
          for (const size of [1, 5, 10_000]) {
            const watchdog = createWatchdog(WIDE_LIMITS);
            const reader = createStreamReader({ status: 200, headers: {} }, watchdog, 0);
            const events: StreamEvent[] = [];
            for await (const part of piecesOf(`${body}${name}[DONE]\n`.replaceAll('\n', end), size))
              events.push(...reader.read(part));
            watchdog.stop();
            assert.equal(reader.isOver, true, `${JSON.stringify(end)} ${size}`);
            const { reasoning, answer, done } = sumOf(events) as Record<string, unknown>;
            assert.deepEqual([reasoning, answer, done], ['r', 'a', 1]);
          }
      const quoted = `${before}: data: [DONE]\n`;
      const { events } = await readBodyOf(quoted);
      assert.equal(events.filter(({ type }) => type === 'done').length, 0, 'a comment');
    });

    it('alone is not an error here: the empty turn is an outcome', async () => {
      assert.deepEqual(await readBodyOf(sse('[DONE]')), { events: [{ type: 'done' }], error: undefined });
    });
  });

  describe('R4 reasoning in tags', () => {
    it('has the name tags, whatever the split of the content', async () => {
      const text = '<think>Hm.</think>Yes.';
      for (let at = 0; at <= text.length; at++) {
        const body = sse(
          chunkOf({ role: 'assistant', content: '' }),
          chunkOf({ content: text.slice(0, at) }),
          chunkOf({ content: text.slice(at) }, 'stop'),
          USAGE_CHUNK,
          '[DONE]',
        );
        const { events } = await readBodyOf(body);
        assert.deepEqual(sumOf(events), {
          reasoning: 'Hm.',
          answer: 'Yes.',
          finish: 'stop',
          total: 2050,
          done: 1,
          damaged: 0,
        });
        const names = chunksOf(events).flatMap((chunk) =>
          chunk.reasoning === undefined ? [] : [chunk.reasoning.name],
        );
        assert.ok(names.every((name) => name === 'tags'));
        assert.deepEqual(
          events.filter((event) => event.type === 'tag-closed'),
          [{ type: 'tag-closed', open: '<think>', close: '</think>', wasReasoning: false }],
        );
      }
    });

    it('is reported afterwards if the opening tag is missing', async () => {
      const { events } = await readBodyOf(
        sse(chunkOf({ content: 'Hm.' }), chunkOf({ content: '</think>Yes.' }, 'stop'), '[DONE]'),
      );
      assert.equal((sumOf(events) as { reasoning: string }).reasoning, 'Hm.');
      assert.ok(
        events.some((event) => event.type === 'tag-closed' && event.wasReasoning && event.open === ''),
      );
    });

    it('is plain text of the answer if reasoning has its own name', async () => {
      const { events } = await readBodyOf(
        sse(chunkOf({ reasoning_content: 'r' }), chunkOf({ content: '<think>x</think>' }, 'stop')),
      );
      assert.equal((sumOf(events) as { answer: string }).answer, '<think>x</think>');
    });

    describe('beside the same reasoning in a field of its own', () => {
      const thoughts = 'I look at < a.\n\nThen at b, and I see it. ';
      const piecesIn = (text: string, size: number) => text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
      const delta = (reasoning_content: string | undefined, content: string | undefined) =>
        chunkOf({ reasoning_content, content });
      const read = async (...events: readonly object[]) => {
        const { events: seen, error } = await readBodyOf(sse(...events));
        assert.equal(error, undefined);
        const { reasoning, answer } = sumOf(seen) as { reasoning: string; answer: string };
        return { reasoning, answer };
      };

      for (const [open, close] of [
        ['<think>', '</think>'],
        ['\n<think>\n', '\n</think>'],
        ['◁think▷', '◁/think▷'],
      ] as const)
        for (const size of [1, 3, 7, 1000])
          it(`R4 is no part of the answer, between ${JSON.stringify(open)} and ${close} in pieces of ${size}`, async () => {
            const expected = { reasoning: thoughts, answer: 'It is b.' };
            const inner = piecesIn(thoughts, size);
            const tagged = piecesIn(`${open}${thoughts}${close}It is b.`, size);
            const behind = [
              ...inner.map((one) => delta(one, undefined)),
              ...tagged.map((one) => delta('', one)),
            ];
            assert.deepEqual(await read(...behind, chunkOf({}, 'stop')), expected, 'behind it');
            const both = inner.map((one, at) => delta(one, `${at === 0 ? open : ''}${one}`));
            const rest = piecesIn(`${close}It is b.`, size).map((one) => delta(undefined, one));
            assert.deepEqual(await read(...both, ...rest), expected, 'in the same deltas');
            const inTurn = inner.flatMap((one) => [delta(one, undefined), delta(undefined, one)]);
            assert.deepEqual(
              await read(delta(undefined, open.trim()), ...inTurn, ...rest),
              expected,
              'in turn',
            );
          });

      for (const [open, close] of [
        ['<think>', '</think>'],
        ['\n<think>\n', '\n</think>'],
      ] as const)
        for (const size of [1, 3, 7])
          it(`R4 is there once if it is some chunks ahead in ${JSON.stringify(open)}, in pieces of ${size}`, async () => {
            const inner = piecesIn(thoughts, size);
            const tagged = inner.map((one, at) => delta(undefined, at === 0 ? open + one : one));
            const named = inner.map((one) => delta(one, undefined));
            const rest = piecesIn(`${close}It is b.`, size).map((one) => delta(undefined, one));
            for (const ahead of [1, 2, inner.length]) {
              const both = [...inner, ...inner].flatMap((_, at) => [
                ...tagged.slice(at, at + 1),
                ...(at < ahead - 1 ? [] : named.slice(at - ahead + 1, at - ahead + 2)),
              ]);
              for (const events of [
                [...both, ...rest],
                [...both.slice(0, -1), ...rest, ...both.slice(-1)],
              ]) {
                const { reasoning, answer } = await read(...events, chunkOf({}, 'stop'));
                assert.deepEqual([reasoning.trim(), answer], [thoughts.trim(), 'It is b.'], `${ahead} ahead`);
              }
            }
          });

      it('R4 is no part of the answer if a finish reason comes with each delta, also with empty ones between them', async () => {
        const each = (one: string, content: string) =>
          chunkOf({ reasoning_content: one || undefined, content }, 'stop');
        const deltas = [
          each('Let me ', '<think>Let me '),
          each('think.', 'think.</think>'),
          each('', 'It is b.'),
        ];
        const empty = chunkOf({}, 'stop');
        for (const events of [deltas, deltas.flatMap((one) => [empty, one])])
          assert.deepEqual(await read(...events, empty), {
            reasoning: 'Let me think.',
            answer: 'It is b.',
          });
      });

      it('R4 is no part of the answer if a finish reason comes with each delta, however its tags are split', async () => {
        const each = (reasoning_content: string, content: string) =>
          chunkOf({ reasoning_content: reasoning_content || undefined, content }, 'stop');
        const fields = [each('Let me ', ''), each('think.', '')];
        const empty = chunkOf({}, 'stop');
        for (const size of [1, 2, 3, 5, 7, 9, 1000])
          for (const lead of ['', '\n']) {
            const content = piecesIn(`${lead}<think>Let me think.</think>It is b.`, size);
            const tagged = content.map((one) => each('', one));
            for (const between of size > 8 ? [[], [empty]] : [[]])
              assert.deepEqual(
                await read(...fields, ...tagged.flatMap((one) => [...between, one]), empty),
                { reasoning: 'Let me think.', answer: 'It is b.' },
                `${size} ${JSON.stringify(lead)}`,
              );
          }
      });

      it('R4 loses nothing of an answer that only begins as it, if a finish reason comes with each delta', async () => {
        for (const content of ['\n', '<', '<think', '<think>', '<think></thin', '<think>It is b.', '</think'])
          for (const size of [1, 2, 1000]) {
            const pieces = piecesIn(content, size).map((one) => chunkOf({ content: one }, 'stop'));
            const field = chunkOf({ reasoning_content: 'Let me think.' }, 'stop');
            assert.equal((await read(field, ...pieces)).answer, content, `in pieces of ${size}`);
          }
      });

      it('R4 is no part of the answer if its tag is not closed, and a finish reason comes with each delta', async () => {
        for (const pieces of [
          ['<think>Let me think.', 'It is b.'],
          ['<think>', 'Let me ', 'think.', 'It is', ' b.'],
          ['<think>Let me ', 'think.', '\n', 'It is b.'],
        ]) {
          const field = chunkOf({ reasoning_content: 'Let me think.' }, 'stop');
          const { answer } = await read(field, ...pieces.map((content) => chunkOf({ content }, 'stop')));
          assert.equal(answer.trim(), 'It is b.', pieces.join('|'));
        }
      });

      it('R4 is shown with its tags if they have more than the field, and a finish reason comes with each delta', async () => {
        for (const pieces of [
          ['<think>Let me think.', ' And more.</think>It is b.'],
          ['<think>', 'Let me think.', ' And more.</think>', 'It is b.'],
          ['<think>Let me think.', ' And', ' more.', '</think>It is b.'],
        ]) {
          const field = chunkOf({ reasoning_content: 'Let me think.' }, 'stop');
          const { answer } = await read(field, ...pieces.map((content) => chunkOf({ content }, 'stop')));
          assert.equal(answer, pieces.join(''));
        }
      });

      it('R4 has the name of its field if the tags are ahead, so that a service that reads only that gets it back', async () => {
        for (const pieces of [[thoughts], piecesIn(thoughts, 3)]) {
          const inTurn = pieces.flatMap((one, at) => [
            delta(undefined, at === 0 ? `<think>${one}` : one),
            delta(one, undefined),
          ]);
          const { events } = await readBodyOf(sse(...inTurn, delta(undefined, '</think>It is b.')));
          const response = events.reduce((so, event) => foldResponse(so, event), EMPTY_RESPONSE);
          assert.deepEqual(
            [response.reasoningName, response.reasoning.trim(), response.answer],
            ['reasoning_content', thoughts.trim(), 'It is b.'],
          );
        }
      });

      it('R4 has all of it if the tags are ahead and the field goes on alone, or the other way round', async () => {
        const begun = [delta(undefined, '<think>I look'), delta('I look', undefined)];
        assert.deepEqual(await read(...begun, delta(' at a.', undefined)), {
          reasoning: 'I look at a.',
          answer: '',
        });
        assert.deepEqual(
          await read(...begun, delta(undefined, ' at a.'), delta(undefined, '</think>It is.')),
          {
            reasoning: 'I look at a.',
            answer: 'It is.',
          },
        );
        assert.deepEqual(
          await read(delta(undefined, '<think>I look'), delta('Else', undefined), delta(undefined, 'It is.')),
          { reasoning: 'I lookElse', answer: 'It is.' },
          'other text',
        );
        for (const named of ['\n', 'I look'])
          assert.deepEqual(
            await read(
              ...[delta(undefined, '<think>\n'), delta(named, undefined), delta(undefined, 'I look')],
              ...[delta('I look'.slice(named.trim().length), undefined), delta(undefined, '</think>It is.')],
            ),
            { reasoning: '\nI look', answer: 'It is.' },
            'white space first',
          );
      });

      it('R4 is no part of the answer of a response that is not a stream', async () => {
        const message = { reasoning: 'Hm.', content: '<think>\nHm.\n</think>\n\nThere.' };
        const { events } = await readBodyOf(
          JSON.stringify({ id: 'x', choices: [{ index: 0, message, finish_reason: 'stop' }] }),
        );
        const { reasoning, answer } = sumOf(events) as { reasoning: string; answer: string };
        assert.deepEqual([reasoning, answer], ['Hm.', '\n\nThere.']);
      });

      it('R4 is no part of the answer without an opening tag either, which can be in the prompt', async () => {
        for (const size of [1, 3, 1000])
          for (const close of ['</think>', '\n</think>', '◁/think▷']) {
            const bare = piecesIn(`${thoughts}${close}It is b.`, size).map((one) => delta(undefined, one));
            const expected = { reasoning: thoughts, answer: 'It is b.' };
            const inner = piecesIn(thoughts, size).map((one) => delta(one, undefined));
            assert.deepEqual(await read(...inner, ...bare, chunkOf({}, 'stop')), expected);
            const inTurn = piecesIn(thoughts, size).map((one) => delta(one, one));
            const rest = piecesIn(`${close}It is b.`, size).map((one) => delta(undefined, one));
            assert.deepEqual(await read(...inTurn, ...rest), expected, 'in turn');
            // Text that is the same as far as it goes is an answer.
            for (const answer of ['I look at < a.', 'I look at < a.</think>So.', thoughts, `${thoughts}So.`])
              assert.equal(
                (await read(...inner, ...piecesIn(answer, size).map((one) => delta(undefined, one)))).answer,
                answer,
              );
          }
      });

      it('F1 is no answer if it is cut off', async () => {
        const deltas = [delta('I look', '<think>I look'), delta(' at', ' a')];
        const expected = { reasoning: 'I look at', answer: '' };
        for (const end of [[], [chunkOf({}, 'length')], ['[DONE]']])
          assert.deepEqual(await read(...deltas, ...(end as object[])), expected);
      });

      it('is the answer if it is other text, also if that begins alike', async () => {
        for (const answer of [
          '<think>I look at it.</think>There.',
          '<think>I look</think>There.',
          '<think>I look at < a.',
          '<think>',
          '<think></think>',
          '  <thin',
          '<thing>',
          'So: <think>I look at a.</think>',
        ])
          for (const size of [1, 5, 100]) {
            const deltas = piecesIn(answer, size).map((one) => delta(undefined, one));
            assert.equal((await read(delta('I look at a.', undefined), ...deltas)).answer, answer);
          }
      });
    });

    it('loses no text that was held back if the stream ends, breaks, fails, or is done', async () => {
      const start = sse(chunkOf({ content: 'a </thi' }));
      const bodies = [
        bytesOf(start),
        bytesOf(start, new Error('reset')),
        bytesOf(start, sse({ error: { message: 'x' } })),
        bytesOf(start, sse('[DONE]')),
      ];
      for (const body of bodies) {
        const { events } = await readBodyOf(body);
        assert.equal((sumOf(events) as { answer: string }).answer, 'a </thi');
      }
    });

    it('gives text that was held back before the finish reason that follows it', async () => {
      const { events } = await readBodyOf(sse(chunkOf({ content: 'a <' }), chunkOf({}, 'stop')));
      const seen = chunksOf(events).map(({ answer, finishReason }) => answer || finishReason);
      assert.deepEqual(seen, ['a ', '<', 'stop']);
    });

    it('gives text that was held back before the calls and the finish reason of the same chunk', async () => {
      const calls = [{ index: 0, id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } }];
      const { events } = await readBodyOf(sse(chunkOf({ content: 'a <', tool_calls: calls }, 'tool_calls')));
      const seen = chunksOf(events).map(({ answer, toolCalls, finishReason }) => [
        answer,
        toolCalls.length,
        finishReason,
      ]);
      assert.deepEqual(seen, [
        ['a ', 0, undefined],
        ['<', 0, undefined],
        ['', 1, 'tool_calls'],
      ]);
    });

    it('keeps the finish reason and usage of the same chunk', async () => {
      const chunk = { ...chunkOf({ content: 'all' }, 'stop'), usage: USAGE };
      const { events } = await readBodyOf(sse(chunk));
      assert.deepEqual(sumOf(events), {
        reasoning: '',
        answer: 'all',
        finish: 'stop',
        total: 2050,
        done: 0,
        damaged: 0,
      });
    });
  });

  describe('E11 an error in the middle of a stream', () => {
    const start = sse(chunkOf({ reasoning_content: 'r' }), chunkOf({ content: 'a' }));
    const shapes: readonly (readonly [string, string, string, string | undefined])[] = [
      ['an error object', sse({ error: { message: 'm', type: 'server_error' } }), 'server-failed', 'm'],
      [
        'event: error with an object',
        'event: error\ndata: {"error":{"message":"m"}}\n\n',
        'stream-error',
        'm',
      ],
      ['event: error with a message', 'event: error\ndata: {"message":"m"}\n\n', 'stream-error', 'm'],
      ['event: error with text', 'event: error\ndata: m\n\n', 'stream-error', 'm'],
      [
        'event: error with a type beside the message',
        'event: error\ndata: {"type":"exceeded_current_quota_error","message":"m"}\n\n',
        'no-balance',
        'm',
      ],
      [
        'event: error with a code beside the message',
        'event: error\ndata: {"code":429,"message":"m"}\n\n',
        'rate-limited',
        'm',
      ],
      [
        'event: error with the code of a balance beside the message',
        'event: error\ndata: {"code":"insufficient_balance","msg":"m"}\n\n',
        'no-balance',
        'm',
      ],
      [
        'event: error with an object behind text',
        'event: error\ndata: upstream: {"error":{"message":"m","type":"overloaded_error"}}\n\n',
        'overloaded',
        'm',
      ],
      [
        'event: error with a message that is no text',
        'event: error\ndata: {"message":{"toString":1}}\n\n',
        'stream-error',
        '{"message":{"toString":1}}',
      ],
      ['object: error', sse({ object: 'error', message: 'm', code: 500 }), 'server-failed', 'm'],
      ['an error object in a list', sse([{ error: { message: 'm', code: 429 } }]), 'rate-limited', 'm'],
      [
        'an error beside empty choices',
        sse({ id: 'x', choices: [], error: { message: 'm', code: 429 } }),
        'rate-limited',
        'm',
      ],
      [
        'an error in the choice',
        sse({
          id: 'x',
          choices: [{ index: 0, delta: {}, finish_reason: 'error', error: { message: 'm', code: 502 } }],
        }),
        'overloaded',
        'm',
      ],
      [
        'an error in the field of a vendor, as Groq stops a stream early',
        sse({ ...chunkOf({}), x_groq: { id: 'r', error: 'm' } }),
        'stream-error',
        'm',
      ],
    ];
    for (const [name, event, kind, message] of shapes) {
      it(`is reported if it is ${name}, with everything before it`, async () => {
        const { events, error } = await readBodyOf(start + event);
        assert.equal(kindOf(error), kind);
        assert.equal((error as ServiceError).details.serviceMessage, message);
        assert.equal((sumOf(events) as { answer: string }).answer, 'a');
      });
    }

    it('is ignored if it is null or empty in a chunk', async () => {
      const chunk = { ...chunkOf({ content: 'a' }, 'stop'), error: null };
      assert.equal((await readBodyOf(sse(chunk, { ...chunk, error: {} }))).error, undefined);
      const raw = JSON.stringify({ error: { message: 'Rate limit' } });
      for (const error of [{ metadata: { raw } }, { code: 0, metadata: { raw } }]) {
        const choice = { index: 0, delta: { content: 'a' }, finish_reason: 'stop', error };
        assert.match(String((await readBodyOf(sse({ choices: [choice] }, '[DONE]'))).error), /Rate limit/);
      }
      const empty = [{}, { code: null, message: '' }, { code: 0, message: '' }, { code: '0', type: '<nil>' }];
      for (const error of [null, ...empty]) {
        assert.equal((await readBodyOf(sse({ ...chunk, error }))).error, undefined, JSON.stringify(error));
        const choice = { index: 0, delta: { content: 'a' }, finish_reason: null, error };
        assert.equal((await readBodyOf(sse({ choices: [choice] }))).error, undefined, JSON.stringify(error));
      }
    });
  });

  describe('a 200 response that is not a stream', () => {
    const field = (events: readonly StreamEvent[], name: keyof typeof WHOLE): unknown =>
      ({ ...WHOLE, ...sumOf(events) })[name];

    it('is read if it is a complete completion, whatever the content type', async () => {
      const body = JSON.stringify({
        id: 'x',
        model: 'svc-k3',
        choices: [{ message: { content: 'a', reasoning_content: 'r' }, finish_reason: 'stop' }],
        usage: USAGE,
      });
      for (const type of ['application/json', 'text/event-stream', 'text/event-stream; x', 'x bogus', '']) {
        const { events, error } = await readBodyOf(body, type);
        assert.equal(error, undefined);
        assert.deepEqual(sumOf(events), {
          reasoning: 'r',
          answer: 'a',
          finish: 'stop',
          total: 2050,
          done: 1,
          damaged: 0,
        });
      }
    });

    it('is read if it has an empty delta beside the message, also if it is cut off', async () => {
      const choice = { delta: { role: 'assistant', content: '' }, message: { content: 'a' } };
      const body = JSON.stringify({ choices: [{ ...choice, finish_reason: 'stop' }], usage: USAGE });
      for (const [text, finish] of [
        [body, 'stop'],
        [body.slice(0, body.indexOf('"finish')), undefined],
      ]) {
        const { events, error } = await readBodyOf(text ?? '');
        assert.equal(error, undefined);
        assert.deepEqual([field(events, 'answer'), field(events, 'finish')], ['a', finish], text);
      }
    });

    it('has an empty delta beside the message, or an empty message beside the delta, also in an event and in a list', async () => {
      const empty = { role: 'assistant', content: '' };
      const whole = { role: 'assistant', content: 'hello' };
      for (const both of [
        { delta: empty, message: whole },
        { delta: whole, message: empty },
      ]) {
        const body = JSON.stringify({ choices: [{ ...both, finish_reason: 'stop' }], usage: USAGE });
        for (const text of [body, `[${body}]`, `data: ${body}\n\ndata: [DONE]\n\n`]) {
          const { events, error } = await readBodyOf(text);
          assert.equal(error, undefined);
          assert.equal(field(events, 'answer'), 'hello', text);
        }
        const choices = [both, both].map((choice, index) => ({ ...choice, index, finish_reason: 'stop' }));
        const { events } = await readBodyOf(JSON.stringify({ choices }));
        assert.equal(field(events, 'answer'), 'hello');
        assert.ok(events.some(({ type }) => type === 'other-choice'));
      }
    });

    it('has each text once where the message beside the deltas is all of it so far', async () => {
      const events = [
        ['', ''],
        ['he', 'he'],
        ['', 'he'],
        ['llo', 'hello'],
        ['', 'hello'],
      ].map(([delta, message], at) => ({
        choices: [
          {
            delta: { content: delta },
            message: { content: message },
            finish_reason: at === 4 ? 'stop' : null,
          },
        ],
      }));
      const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
      assert.equal(field((await readBodyOf(body)).events, 'answer'), 'hello');
    });

    it('is read as a stream if it is one, whatever the content type', async () => {
      for (const type of [
        'text/plain',
        'application/json',
        'text/event-stream;',
        'text/event-stream; charset=utf-8',
        'x bogus',
        '',
      ]) {
        assert.deepEqual(sumOf((await readBodyOf(COMPLETE, type)).events), WHOLE);
      }
    });

    it('is reported with its first characters if it is HTML, text, other JSON, or cut off', async () => {
      for (const body of [
        '<!doctype html><title>Sign in</title>',
        'upstream connect error',
        '{"hello":1}',
        'null',
        '{"choices":[{"mess',
      ]) {
        const { error } = await readBodyOf(body, 'text/html');
        assert.equal(kindOf(error), 'not-a-completion', body);
        assert.equal((error as ServiceError).details.excerpt, body);
        assert.equal((error as ServiceError).details.contentType, 'text/html');
      }
    });

    describe('but JSON in lines', () => {
      const lines = COMPLETE.replaceAll('data: ', '').replaceAll('\n\n', '\n');

      it('is read line by line, with every line end, and however it is split', async () => {
        for (const ending of ['\n', '\r\n', '\n\n'])
          for (const size of [1, 7, 100_000]) {
            const bytes = utf8(lines.replaceAll('\n', ending));
            const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
              bytes.subarray(at * size, (at + 1) * size),
            );
            const { events, error } = await readBodyOf(bytesOf(...parts), 'application/x-ndjson');
            assert.equal(error, undefined);
            assert.deepEqual(sumOf(events), WHOLE);
          }
      });

      it('gives each line as soon as it is complete, and those that came before the connection broke', async () => {
        const reset = new Error('reset');
        const [first = '', second = '', third = ''] = lines.split('\n');
        const { events, error } = await readBodyOf(bytesOf(`${first}\n`, `${second}\n`, third, reset));
        assert.equal(error, reset);
        assert.equal(field(events, 'reasoning'), 'Let me think.');
      });

      it('is not damaged by the end of the body, wherever it comes', async () => {
        const lines = [
          chunkOf({ content: 'a' }),
          chunkOf({ content: 'b' }),
          chunkOf({}, 'stop'),
          USAGE_CHUNK,
        ];
        const [first = '', ...others] = lines.map((line) => JSON.stringify(line));
        const pretty = JSON.stringify(chunkOf({ content: 'b' }), null, 1);
        for (const rest of [others.join('\n'), `${pretty}\n`])
          for (let length = 1; length <= rest.length; length += 9) {
            const { events, error } = await readBodyOf(
              `${first}\n${rest.slice(0, length)}`,
              'application/json',
            );
            assert.equal(error, undefined);
            const { damaged, answer } = sumOf(events) as { damaged: number; answer: string };
            assert.deepEqual([damaged, 'ab'.startsWith(answer)], [0, true], rest.slice(0, length));
          }
      });

      it('can have lines of an event stream among them: a name before the data, comments, and other fields', async () => {
        const [first = '', ...others] = lines.trimEnd().split('\n');
        for (const body of [
          `${lines.replace('[DONE]', 'data: [DONE]\n')}`,
          [first, ...others.map((line) => `data: ${line}`)].join('\n\n'),
          [first, ...others].join('\n: waiting\n\nid: 1\nevent: message\n'),
        ]) {
          const { events, error } = await readBodyOf(body);
          assert.equal(error, undefined);
          assert.deepEqual(sumOf(events), WHOLE, body);
        }
      });

      it('can have names of events among them, which count until a blank line', async () => {
        const [first = '', ...others] = lines.trimEnd().split('\n');
        for (const end of ['\n', '\r\n', '\r']) {
          const read = (event: string) => {
            const body = [first, event, ...others].join('\n').replaceAll('\n', end);
            return readBodyOf(bytesOf(...Array.from(utf8(body), (byte) => Uint8Array.of(byte))));
          };
          for (const event of [
            'event: status\ndata: {"detail":"busy","status":503}\n',
            'event: ping\ndata: still here\n',
            'event:ping\nstill here\n',
            'event: error\n\n{"message":"still here"}',
          ]) {
            const { events, error } = await read(event);
            assert.equal(error, undefined, event);
            assert.deepEqual(sumOf(events), WHOLE, event);
          }
          const { error } = await read('event: error\ndata: {"message":"gone"}\n');
          assert.equal(error instanceof ServiceError && error.details.serviceMessage, 'gone');
        }
      });

      it('can end with an error', async () => {
        const { events, error } = await readBodyOf(
          `${lines.split('\n').slice(0, 3).join('\n')}\n{"error":{"message":"m","type":"server_error"}}\n`,
        );
        assert.equal(kindOf(error), 'server-failed');
        assert.equal(field(events, 'reasoning'), 'Let me think.');
      });

      it('is one reply if there is one line', async () => {
        const reply = { ...chunkOf({}), choices: [{ message: { content: 'a' }, finish_reason: 'stop' }] };
        for (const end of ['', '\n', '\r\n \n']) {
          const { events } = await readBodyOf(`${JSON.stringify(reply)}${end}`);
          assert.deepEqual([field(events, 'answer'), field(events, 'done')], ['a', 1]);
        }
      });
    });

    it('is reported with the name of its compression if it is compressed in a way that can’t be read', async () => {
      const errorFor = (body: Uint8Array) => {
        const watchdog = createWatchdog(WIDE_LIMITS);
        const response = { status: 200, headers: { 'content-encoding': 'Zstd' } };
        const reader = createStreamReader(response, watchdog, 0);
        reader.read(body);
        reader.end();
        watchdog.stop();
        const { details, kind } = reader.error as ServiceError;
        return [kind, details.contentEncoding, details.excerpt];
      };
      const zstd = Buffer.from('28b52ffd0458410100', 'hex');
      assert.deepEqual(errorFor(zstd), ['not-a-completion', 'zstd', undefined]);
      assert.deepEqual(errorFor(utf8('<p>Sign in</p>')), ['not-a-completion', undefined, '<p>Sign in</p>']);
    });

    it('keeps what is readable of a JSON reply that is cut short, but counts it as unfinished', async () => {
      const message = { reasoning_content: 'Let me think.', content: 'Because "\u00e9"\\n.' };
      const reply = {
        id: 'chatcmpl-1',
        model: 'svc-k3',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage: USAGE,
      };
      const text = JSON.stringify(reply);
      const reset = new Error('reset');
      for (let at = 1; at < text.length; at++) {
        for (const breaks of [false, true]) {
          const part = text.slice(0, at);
          const { events, error } = await readBodyOf(breaks ? bytesOf(part, reset) : part);
          const { reasoning, answer, finish, done } = sumOf(events) as Readonly<Record<string, string>>;
          assert.deepEqual([finish, done], [undefined, 0]);
          assert.ok(message.reasoning_content.startsWith(reasoning ?? ''), part);
          assert.ok(message.content.startsWith(answer ?? ''), part);
          if (at > text.indexOf('"finish')) assert.equal(answer, message.content);
          if (at > text.indexOf('think')) assert.notEqual(reasoning, '');
          for (const event of events) {
            if (event.type !== 'chunk') continue;
            assert.ok(event.chunk.model === undefined || event.chunk.model === 'svc-k3');
            assert.ok(event.chunk.id === undefined || event.chunk.id === 'chatcmpl-1');
          }
          if (breaks) assert.equal(error, reset);
          else assert.equal(error === undefined, answer !== '' || reasoning !== '', part);
        }
      }
    });

    it('is reported if it is empty, or only keep-alives', async () => {
      for (const body of ['', '\n\n', ': PROCESSING\n\n: PROCESSING\n\n']) {
        const { error } = await readBodyOf(body);
        assert.equal(kindOf(error), 'not-a-completion', JSON.stringify(body));
      }
    });

    it('is an error if it contains one', async () => {
      const { error } = await readBodyOf('{"error":{"message":"m","type":"exceeded_current_quota_error"}}');
      assert.ok(error instanceof ServiceError);
      assert.equal(error.kind, 'no-balance');
      assert.equal(error.details.status, 200);
    });

    it('E11 is an error if it contains one in a shape of its own, as streams end with', async () => {
      for (const body of [
        '{"code":"InvalidParameter","message":"Engine gone","request_id":"r"}',
        '{"success":false,"message":"Engine gone"}',
        '{"error_code":336501,"error_msg":"Engine gone"}',
        '{"base_resp":{"status_code":1004,"status_msg":"Engine gone"}}',
      ]) {
        const { error } = await readBodyOf(body, 'application/json');
        assert.equal(kindOf(error), 'stream-error', body);
        assert.equal((error as ServiceError).details.serviceMessage, 'Engine gone', body);
      }
      const { error } = await readBodyOf('{"code":0,"message":"ok","data":{}}', 'application/json');
      assert.equal(kindOf(error), 'not-a-completion', 'nothing is wrong');
    });
  });
});
