/** A last delta that has the text of all deltas before it once more (docs/service.md, Stream order). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decodeChunk } from '../../../src/service/decodeChunk.ts';
import { createSentOnce } from '../../../src/service/sentOnce.ts';
import { growthOf, LINEAR } from '../../support/growth.ts';
import { chunkOf, readBodyOf, sse, sumOf } from './wire.ts';

const NAMED = [
  chunkOf({ reasoning_content: 'Hm.' }),
  chunkOf({ content: 'One ' }),
  chunkOf({ content: 'two' }),
];
const IN_TAGS = ['<think>Hm.', '</think>', 'One ', 'two'].map((content) => chunkOf({ content }));
const BARE = ['Hm.', '</think>One two'].map((content) => chunkOf({ content }));
const TAGGED = '<think>Hm.</think>One two';

const textsOf = async (...chunks: readonly object[]) => {
  const { events } = await readBodyOf(sse(...chunks, '[DONE]'));
  const { reasoning, answer, finish } = sumOf(events) as Record<string, string | undefined>;
  return [reasoning, answer, finish];
};

describe('A last delta with all of the text again', () => {
  it('R4 counts once, also if one of both has the reasoning in tags, or other white space', async () => {
    const field = { reasoning_content: 'Hm.', content: 'One two' };
    for (const deltas of [NAMED, IN_TAGS, BARE])
      for (const again of [
        field,
        { reasoning: ' Hm.\n', content: 'One two\n' },
        { content: TAGGED },
        { content: `\n${TAGGED}\n` },
        { ...field, content: TAGGED },
      ])
        for (const end of [[chunkOf(again, 'stop')], [chunkOf({}, 'stop'), chunkOf(again)]])
          assert.deepEqual(
            await textsOf(...deltas, ...end),
            ['Hm.', 'One two', 'stop'],
            JSON.stringify([deltas, again]),
          );
  });

  it('goes on if it repeats only the answer, or has other reasoning', async () => {
    const [only, other] = ['One two', '<think>No.</think>One two'].map((content) =>
      chunkOf({ content }, 'stop'),
    );
    assert.deepEqual(await textsOf(...IN_TAGS, only ?? {}), ['Hm.', 'One twoOne two', 'stop']);
    assert.deepEqual(await textsOf(...NAMED, other ?? {}), [
      'Hm.',
      'One two<think>No.</think>One two',
      'stop',
    ]);
  });

  it('has the entries of its reasoning once', async () => {
    const reasoning_details = [{ type: 'reasoning.text', text: 'Hm.', index: 0 }];
    const { events } = await readBodyOf(
      sse(
        chunkOf({ reasoning_details }),
        chunkOf({ content: 'One' }),
        chunkOf({ reasoning_details, content: 'One' }, 'stop'),
      ),
    );
    const details = events.flatMap((event) => (event.type === 'chunk' ? event.chunk.reasoningDetails : []));
    assert.deepEqual(details, reasoning_details);
  });

  it('is found in linear time, also if each delta has a finish reason', () => {
    const words = 'word '.repeat(40);
    for (const delta of [{ reasoning_content: words, content: words }, { content: `${words}</think>` }]) {
      const event = chunkOf(delta, 'stop');
      const chunk = decodeChunk(event) ?? assert.fail();
      const read = (count: number) => {
        const sentOnce = createSentOnce();
        for (let i = 0; i < count; i++) sentOnce.take(chunk, event);
      };
      assert.ok(growthOf((count) => count, read, 1000) < LINEAR, JSON.stringify(delta));
    }
  });
});

describe('A last delta with all of the reasoning again, and with calls', () => {
  const call = (name: string, id?: string) => ({
    index: 0,
    ...(id !== undefined && { id }),
    function: { name, arguments: '{"a":1}' },
  });
  const calls = { tool_calls: [call('f', 'a')] };
  const named = chunkOf({ reasoning_content: 'Hm.' });
  const read = async (...chunks: readonly object[]) => (await textsOf(...chunks)).slice(0, 2);

  it('has no more reasoning if the calls came before', async () => {
    for (const before of [named, chunkOf({ content: '<think>Hm.</think>' })])
      for (const again of [{ reasoning_content: 'Hm.' }, { content: '<think>Hm.</think>' }])
        for (const tool_calls of [[call('f', 'a')], [call('f')]]) {
          const end = chunkOf({ ...again, tool_calls }, 'tool_calls');
          const said = chunkOf({ content: 'One two' });
          assert.deepEqual(await read(before, chunkOf(calls), end), ['Hm.', ''], JSON.stringify(again));
          assert.deepEqual(await read(before, said, chunkOf(calls), end), ['Hm.', 'One two']);
        }
  });

  it('has it for another call, and before the end', async () => {
    for (const other of [call('g', 'b'), call('f', 'b'), call('g')]) {
      const end = chunkOf({ reasoning_content: 'Hm.', tool_calls: [other] }, 'tool_calls');
      assert.deepEqual(await read(named, chunkOf(calls), end), ['Hm.Hm.', '']);
    }
    const early = chunkOf({ reasoning_content: 'Hm.', ...calls });
    assert.deepEqual(await read(named, chunkOf(calls), early), ['Hm.Hm.', '']);
  });
});
