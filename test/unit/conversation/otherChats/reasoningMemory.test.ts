import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  type AnswerPosition,
  createReasoningMemory,
  type KnownAnswer,
} from '../../../../src/conversation/otherChats/reasoningMemory.ts';

const at = (before: string, route = 'direct'): AnswerPosition => ({ route, before });
const spoken = (reasoning: string, answer: string): KnownAnswer => ({
  answer,
  reasoning,
  reasoningName: 'reasoning_content',
  reasoningTags: undefined,
  reasoningDetails: [],
  toolCalls: [],
});
const answered = (reasoning: string, id: string, args = '{}'): KnownAnswer => ({
  ...spoken(reasoning, ''),
  toolCalls: [{ index: 0, id, name: 'read', arguments: args }],
});
const said = (id: string, args = '{}') => ({ answer: '', calls: [{ id, name: 'read', arguments: args }] });
const words = (answer: string) => ({ answer, calls: [] });

describe('The reasoning memory', () => {
  it('finds a call by its id, name, and arguments, whatever their white space is', () => {
    const memory = createReasoningMemory();
    memory.remember(at('Q'), answered('Hm.', 'a', '{ "x": 1 }'));
    assert.equal(memory.recall(at('Q'), said('a', '{"x":1}'))?.reasoning, 'Hm.');
    assert.equal(memory.recall(at('Q'), said('a', '{"x":2}')), undefined);
    assert.equal(memory.recall(at('Q'), said('b', '{"x":1}')), undefined);
  });

  it('keeps equal answers at two positions separate', () => {
    const memory = createReasoningMemory();
    memory.remember(at('1'), spoken('First.', 'Done.'));
    memory.remember(at('1'), answered('First call.', 'read:0'));
    memory.remember(at('2'), spoken('Second.', 'Done.'));
    memory.remember(at('2'), answered('Second call.', 'read:0'));
    assert.equal(memory.recall(at('1'), words('Done.'))?.reasoning, 'First.');
    assert.equal(memory.recall(at('2'), words('Done.'))?.reasoning, 'Second.');
    assert.equal(memory.recall(at('1'), said('read:0'))?.reasoning, 'First call.');
    assert.equal(memory.recall(at('2'), said('read:0'))?.reasoning, 'Second call.');
    assert.equal(memory.recall(at('3'), said('read:0')), undefined);
  });

  it('does not find text at another position, even if no other answer has it', () => {
    const memory = createReasoningMemory();
    memory.remember(at('1'), spoken('Hm.', 'Yes.'));
    assert.equal(memory.recall(at('2'), words('Yes.')), undefined);
  });

  it('finds a call after the other chat has shortened the history', () => {
    const memory = createReasoningMemory();
    memory.remember(at('A long story'), answered('Hm.', 'a'));
    assert.equal(memory.recall(at('A summary'), said('a'))?.reasoning, 'Hm.');
  });

  it('finds nothing for another route', () => {
    const memory = createReasoningMemory();
    memory.remember(at('Q'), answered('Hm.', 'a'));
    memory.remember(at('Q'), spoken('Hm.', 'Yes.'));
    assert.equal(memory.recall(at('Q', 'gateway'), said('a')), undefined);
    assert.equal(memory.recall(at('Q', 'gateway'), words('Yes.')), undefined);
  });

  it('returns the same result for the same messages, whatever is answered later', () => {
    const memory = createReasoningMemory();
    memory.remember(at('1'), answered('First.', 'a'));
    assert.equal(memory.recall(at('2'), said('a'))?.reasoning, 'First.');
    assert.equal(memory.recall(at('3'), said('b')), undefined);
    for (const [reasoning, place, id] of [
      ['Second.', '1', 'a'],
      ['Third.', '4', 'a'],
      ['Fourth.', '5', 'b'],
    ] as const)
      memory.remember(at(place), answered(reasoning, id));
    assert.equal(memory.recall(at('1'), said('a'))?.reasoning, 'First.');
    assert.equal(memory.recall(at('2'), said('a'))?.reasoning, 'First.');
    assert.equal(memory.recall(at('3'), said('b')), undefined);
  });

  it('removes the least recently used answers if there are too many or they are too large', () => {
    const few = createReasoningMemory(2);
    few.remember(at('Q'), answered('Hm.', 'a'));
    few.remember(at('Q'), answered('Hm.', 'b'));
    assert.ok(few.recall(at('Q'), said('a')));
    few.remember(at('Q'), answered('Hm.', 'c'));
    assert.ok(few.recall(at('Q'), said('a')) && few.recall(at('Q'), said('c')));
    assert.equal(few.recall(at('Q'), said('b')), undefined);
    const small = createReasoningMemory(100, 1000);
    small.remember(at('Q'), answered('x'.repeat(600), 'a'));
    small.remember(at('Q'), answered('x'.repeat(600), 'b'));
    assert.equal(small.recall(at('Q'), said('a')), undefined);
    assert.equal(small.recall(at('Elsewhere'), said('a')), undefined);
    assert.ok(small.recall(at('Q'), said('b')));
  });

  it('remembers that an answer has no reasoning', () => {
    const memory = createReasoningMemory();
    memory.remember(at('Q'), answered('', 'a'));
    assert.equal(memory.recall(at('Q'), said('a'))?.reasoning, '');
  });
});
