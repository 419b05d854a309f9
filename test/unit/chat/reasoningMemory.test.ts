import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Answered, createReasoningMemory } from '../../../src/chat/reasoningMemory.ts';

const answered = (reasoning: string, id: string, args = '{}'): Answered => ({
  answer: '',
  reasoning,
  reasoningName: 'reasoning_content',
  reasoningTags: undefined,
  reasoningDetails: [],
  toolCalls: [{ index: 0, id, name: 'read', arguments: args }],
});
const said = (id: string, args = '{}') => ({ answer: '', calls: [{ id, name: 'read', arguments: args }] });

describe('The memory of what was reasoned', () => {
  it('knows a call by its id, name and arguments, however those are spaced', () => {
    const memory = createReasoningMemory();
    memory.remember('Q', answered('Hm.', 'a', '{ "x": 1 }'));
    assert.equal(memory.recall('Q', said('a', '{"x":1}'))?.reasoning, 'Hm.');
    assert.equal(memory.recall('Q', said('a', '{"x":2}')), undefined);
    assert.equal(memory.recall('Q', said('b', '{"x":1}')), undefined);
  });

  it('keeps two conversations apart whose calls have the same ids', () => {
    const memory = createReasoningMemory();
    memory.remember('One?', answered('First.', 'read:0'));
    memory.remember('Two?', answered('Second.', 'read:0'));
    assert.equal(memory.recall('One?', said('read:0'))?.reasoning, 'First.');
    assert.equal(memory.recall('Two?', said('read:0'))?.reasoning, 'Second.');
    assert.equal(memory.recall('Three?', said('read:0')), undefined);
  });

  it('still knows a call when the other chat has shortened how it began', () => {
    const memory = createReasoningMemory();
    memory.remember('A long story', answered('Hm.', 'a'));
    assert.equal(memory.recall('A summary', said('a'))?.reasoning, 'Hm.');
  });

  it('forgets the oldest beyond its bounds, in number and in size', () => {
    const few = createReasoningMemory(2);
    for (const id of ['a', 'b', 'c']) few.remember('Q', answered('Hm.', id));
    assert.equal(few.recall('Q', said('a')), undefined);
    assert.ok(few.recall('Q', said('b')) && few.recall('Q', said('c')));
    const small = createReasoningMemory(100, 1000);
    small.remember('Q', answered('x'.repeat(600), 'a'));
    small.remember('Q', answered('x'.repeat(600), 'b'));
    assert.equal(small.recall('Q', said('a')), undefined);
    assert.ok(small.recall('Q', said('b')));
  });

  it('keeps nothing of an answer that was not reasoned about', () => {
    const memory = createReasoningMemory();
    memory.remember('Q', answered('', 'a'));
    assert.equal(memory.recall('Q', said('a')), undefined);
  });
});
