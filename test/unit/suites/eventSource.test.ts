/** The cases of the Web Platform Tests about event streams, through our reading of a body (docs/suites.md). */
import assert from 'node:assert/strict';
import { after, describe, it } from 'mocha';
import { bytesOf, chunkOf, readBody, readBodyOf, sse, sumOf, utf8 } from '../service/wire.ts';
import { EVENT_SOURCE_CASES } from './eventSourceCases.ts';

let readings = 0;
after(() => console.log(`    ${EVENT_SOURCE_CASES.length} cases, read in ${readings} ways`));

/** Each event with data: its data, with its type in front where it has one. */
async function eventsOf(...pieces: readonly Uint8Array[]): Promise<readonly string[]> {
  readings++;
  const read: string[] = [];
  for await (const batch of readBody(bytesOf(...pieces)))
    for (const event of batch)
      if (event.type === 'data') read.push((event.event ? `${event.event}: ` : '') + event.data);
      else if (event.type === 'whole') read.push(`no event stream: ${event.text}`);
  return read;
}

/** Cuts a long run of one letter down, so that all pairs of cuts are few enough. The next test reads all of it. */
const shortened = (body: string) => body.replaceAll(/x{100,}/g, 'xxxx');

describe('The Web Platform Tests of event streams', () => {
  for (const { name, body, events, otherwise } of EVENT_SOURCE_CASES)
    it(`${name}: the events, cut at every pair of positions${otherwise === undefined ? '' : `. ${otherwise}`}`, async () => {
      const bytes = utf8(shortened(body));
      for (let first = 0; first <= bytes.length; first++)
        for (let second = first; second <= bytes.length; second++) {
          const read = await eventsOf(
            bytes.subarray(0, first),
            bytes.subarray(first, second),
            bytes.subarray(second),
          );
          if (read.join('|') !== events.join('|'))
            assert.deepEqual(read, events, `cut at ${first} and ${second}`);
        }
    });

  it('gives the same events byte by byte, and cut at every position', async () => {
    for (const { name, body, events } of EVENT_SOURCE_CASES) {
      const bytes = utf8(body);
      assert.deepEqual(
        await eventsOf(...Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))),
        events,
        name,
      );
      for (let at = 0; at <= bytes.length; at++)
        assert.deepEqual(await eventsOf(bytes.subarray(0, at), bytes.subarray(at)), events, `${name}: ${at}`);
    }
  });

  it('in the middle of a completion loses nothing of it, whatever the content type', async () => {
    for (const { name, body, contentType } of EVENT_SOURCE_CASES) {
      const before = sse(chunkOf({ reasoning_content: 'r' }), chunkOf({ content: 'a' }));
      const after = sse(chunkOf({ content: 'b' }, 'stop'), '[DONE]');
      const { events, error } = await readBodyOf(`${before}${body}\n\n${after}`, contentType);
      assert.equal(error, undefined, name);
      const { reasoning, answer, finish, done } = sumOf(events) as Readonly<Record<string, unknown>>;
      assert.deepEqual([reasoning, answer, finish, done], ['r', 'ab', 'stop', 1], name);
    }
  });

  it('alone is no completion, and says so', async () => {
    for (const { name, body, contentType } of EVENT_SOURCE_CASES) {
      const { events, error } = await readBodyOf(body, contentType);
      assert.match(String(error), /not-a-completion/, name);
      assert.ok(
        events.every(({ type }) => type === 'damaged' || type === 'keep-alive'),
        name,
      );
    }
  });
});
