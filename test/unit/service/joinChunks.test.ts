import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createTurn, foldTurn } from '../../../src/conversation/fold.ts';
import { joinTextEvents } from '../../../src/service/joinChunks.ts';
import type { BodyStreamEvent, Chunk, ReasoningName } from '../../../src/service/types.ts';
import { CHUNK, FACTS } from '../conversation/turns.ts';

const toEvent = (part: Partial<Chunk>): BodyStreamEvent => ({
  type: 'chunk',
  chunk: { ...CHUNK, ...part },
});
const answer = (text: string, part: Partial<Chunk> = {}) => toEvent({ answer: text, ...part });
const reasoning = (text: string, name: ReasoningName = 'reasoning') => toEvent({ reasoning: { name, text } });
const KEEP_ALIVE: BodyStreamEvent = { type: 'keep-alive' };

describe('Text that arrives with one read', () => {
  it('is one chunk for each kind', () => {
    const events = [reasoning('I '), reasoning('see.'), answer('Yes'), answer(', '), answer('it is.')];
    assert.deepEqual(joinTextEvents(events), [reasoning('I see.'), answer('Yes, it is.')]);
  });

  it('is joined with a chunk before it that has nothing', () => {
    assert.deepEqual(joinTextEvents([answer(''), answer('Yes')]), [answer('Yes')]);
  });

  it('is not joined across another event, another name, or another model', () => {
    const apart = [
      answer('a'),
      KEEP_ALIVE,
      answer('b'),
      answer('c', { model: 'other' }),
      reasoning('d'),
      reasoning('e', 'tags'),
    ];
    assert.deepEqual(joinTextEvents(apart), apart);
  });

  it('leaves chunks alone that have more than text', () => {
    const apart = [
      answer('a'),
      answer('b', { finishReason: 'stop' }),
      toEvent({ toolCalls: [{ index: 0, id: 'c', name: 'f', arguments: '' }] }),
      toEvent({ reasoningDetails: [{ type: 'text' }] }),
    ];
    assert.deepEqual(joinTextEvents(apart), apart);
  });

  it('gives the same turn as the events one by one', () => {
    const text = fc.stringMatching(/^[ab\n]{0,6}$/);
    const event: fc.Arbitrary<BodyStreamEvent> = fc.oneof(
      fc.constant(KEEP_ALIVE),
      fc.constant<BodyStreamEvent>({ type: 'damaged' }),
      fc
        .record({
          id: fc.constantFrom(undefined, 'a', 'b'),
          model: fc.constantFrom(undefined, 'm'),
          answer: fc.oneof(fc.constant(''), text),
          reasoning: fc.option(
            fc.record({ name: fc.constantFrom<ReasoningName>('reasoning', 'reasoning_content'), text }),
            { nil: undefined },
          ),
          finishReason: fc.constantFrom(undefined, undefined, undefined, 'stop'),
        })
        .map(toEvent),
    );
    const fold = (events: readonly BodyStreamEvent[]) =>
      events.reduce((turn, each) => foldTurn(turn, { at: 5, event: each }), createTurn('t', 0, FACTS));
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        assert.deepEqual(fold(joinTextEvents(events)), fold(events));
      }),
    );
  });
});
