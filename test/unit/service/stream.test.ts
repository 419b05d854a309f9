import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ServiceError } from '../../../src/service/errors.ts';
import {
  bytesOf,
  COMPLETE,
  chunkOf,
  chunksOf,
  kindOf,
  readBodyOf,
  sse,
  sumOf,
  USAGE,
  USAGE_CHUNK,
  utf8,
} from './wire.ts';

const WHOLE = {
  reasoning: 'Let me think.',
  answer: 'Because \u00e9\u4f60\u{1f600}.',
  finish: 'stop',
  total: 2050,
  done: 1,
  damaged: 0,
};

describe('the stream of a completion', () => {
  it('R7 tells reasoning from answer, R8 skips the chunk without choices, R9 sees [DONE]', async () => {
    const { events, error } = await readBodyOf(COMPLETE);
    assert.equal(error, undefined);
    assert.deepEqual(sumOf(events), WHOLE);
  });

  it('R7 says the same for every cut of its bytes, single bytes, BOM and every line end', async () => {
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

  it('R7 reads data: without a space', async () => {
    const { events } = await readBodyOf(COMPLETE.replaceAll('data: ', 'data:'));
    assert.deepEqual(sumOf(events), WHOLE);
  });

  it('reads JSON that is spread over several data lines', async () => {
    const spread = JSON.stringify(chunkOf({ content: 'a' }, 'stop'), undefined, 1).replaceAll(
      '\n',
      '\ndata: ',
    );
    assert.equal((sumOf((await readBodyOf(`data: ${spread}\n\n`)).events) as { answer: string }).answer, 'a');
  });

  it('reads one chunk of 10 MB', async () => {
    const content = 'y'.repeat(10 * 1024 * 1024);
    const { events } = await readBodyOf(
      sse(chunkOf({ reasoning_content: 'r' }), chunkOf({ content }, 'stop')),
    );
    assert.equal((sumOf(events) as { answer: string }).answer.length, content.length);
  });

  it('skips comments, unknown events and damaged ones, and tells only the damaged', async () => {
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

  describe('R9 [DONE]', () => {
    const before = sse(chunkOf({ reasoning_content: 'r' }), chunkOf({ content: 'a' }));

    it('may be missing: the body ends and nothing is lost', async () => {
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

    it('may come twice and counts once', async () => {
      const { events } = await readBodyOf(before + sse('[DONE]', '[DONE]'));
      assert.equal(events.filter((event) => event.type === 'done').length, 1);
    });

    it('may come early: what follows does not count, errors included', async () => {
      const { events, error } = await readBodyOf(
        before + sse('[DONE]', chunkOf({ content: 'b' }), { error: { message: 'x' } }),
      );
      assert.equal(error, undefined);
      assert.equal((sumOf(events) as { answer: string }).answer, 'a');
    });

    it('may be padded', async () => {
      const { events } = await readBodyOf(`${before}data:  [DONE] \n\n`);
      assert.equal(events.at(-1)?.type, 'done');
    });

    it('ends the reading, also when the service leaves the connection open', async () => {
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

    it('alone is no error here: that nothing came is the outcome of the turn', async () => {
      assert.deepEqual(await readBodyOf(sse('[DONE]')), { events: [{ type: 'done' }], error: undefined });
    });
  });

  describe('R4 reasoning in tags', () => {
    it('becomes reasoning under the name tags, whatever the cut of the content', async () => {
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

    it('is told afterwards when the opening tag was missing', async () => {
      const { events } = await readBodyOf(
        sse(chunkOf({ content: 'Hm.' }), chunkOf({ content: '</think>Yes.' }, 'stop'), '[DONE]'),
      );
      assert.equal((sumOf(events) as { reasoning: string }).reasoning, 'Hm.');
      assert.ok(
        events.some((event) => event.type === 'tag-closed' && event.wasReasoning && event.open === ''),
      );
    });

    it('is just text of the answer when reasoning has a name of its own', async () => {
      const { events } = await readBodyOf(
        sse(chunkOf({ reasoning_content: 'r' }), chunkOf({ content: '<think>x</think>' }, 'stop')),
      );
      assert.equal((sumOf(events) as { answer: string }).answer, '<think>x</think>');
    });

    it('loses nothing that was held back when the stream ends, breaks, errs or is done', async () => {
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

    it('keeps the finish reason and usage that came in the same chunk', async () => {
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
        'event: error with a message that is no text',
        'event: error\ndata: {"message":{"toString":1}}\n\n',
        'stream-error',
        '{"message":{"toString":1}}',
      ],
      ['object: error', sse({ object: 'error', message: 'm', code: 500 }), 'server-failed', 'm'],
      [
        'an error beside empty choices',
        sse({ id: 'x', choices: [], error: { message: 'm', code: 429 } }),
        'rate-limited',
        'm',
      ],
    ];
    for (const [name, event, kind, message] of shapes) {
      it(`is told when it is ${name}, with what came before kept`, async () => {
        const { events, error } = await readBodyOf(start + event);
        assert.equal(kindOf(error), kind);
        assert.equal((error as ServiceError).details.serviceMessage, message);
        assert.equal((sumOf(events) as { answer: string }).answer, 'a');
      });
    }

    it('is not seen where a chunk has an error that is null or empty', async () => {
      const chunk = { ...chunkOf({ content: 'a' }, 'stop'), error: null };
      assert.equal((await readBodyOf(sse(chunk, { ...chunk, error: {} }))).error, undefined);
    });
  });

  describe('a 200 that is no stream', () => {
    it('is read when it is a whole completion, whatever the content type', async () => {
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

    it('is a stream all the same under the wrong content type', async () => {
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

    it('is told with its beginning when it is HTML, text, other JSON or cut off', async () => {
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

    it('is told when it is empty, or only keep-alives', async () => {
      for (const body of ['', '\n\n', ': PROCESSING\n\n: PROCESSING\n\n']) {
        const { error } = await readBodyOf(body);
        assert.equal(kindOf(error), 'not-a-completion', JSON.stringify(body));
      }
    });

    it('is an error when it says so', async () => {
      const { error } = await readBodyOf('{"error":{"message":"m","type":"exceeded_current_quota_error"}}');
      assert.ok(error instanceof ServiceError);
      assert.equal(error.kind, 'no-balance');
      assert.equal(error.details.status, 200);
    });
  });
});
