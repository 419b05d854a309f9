import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findStopped, type StoppedChat } from '../../../../src/conversation/otherChats/stoppedChats.ts';

const chat = (conversationId: string, text: string, continued = false): StoppedChat => ({
  conversationId,
  prompt: 'One?',
  text,
  continued,
});
const found = (chats: readonly StoppedChat[], text: string, prompt = 'One?') =>
  findStopped(chats, { prompt, text });

describe('A chat of the editor whose first answer was stopped', () => {
  it('is found by its question and by what it shows of the answer', () => {
    const chats = [chat('c1', 'A beginning'), chat('c2', 'Another'), chat('c3', '')];
    assert.equal(found(chats, 'A beginning'), 'c1');
    assert.equal(found(chats, 'Another\n'), 'c2');
    assert.equal(found(chats, ''), 'c3');
    assert.equal(found(chats, 'Else'), undefined);
    assert.equal(found(chats, 'Another', 'Two?'), undefined);
  });

  it('can show less than was sent, but not nothing', () => {
    assert.equal(found([chat('c1', 'A beginning'), chat('c2', 'A')], 'A'), 'c2');
    assert.equal(found([chat('c1', 'A beginning')], 'A beg'), 'c1');
    assert.equal(found([chat('c1', 'A beginning')], 'A beginning, and more'), undefined);
    assert.equal(found([chat('c1', 'A beginning')], ''), undefined);
  });

  it('is one that was not continued yet, of those that look the same', () => {
    const chats = [chat('c1', 'A', true), chat('c2', 'A'), chat('c3', 'A')];
    assert.equal(found(chats, 'A'), 'c2');
    assert.equal(found(chats.slice(0, 1), 'A'), 'c1');
    // Of neither, all of the answer is shown.
    assert.equal(found([chat('c1', 'A b', true), chat('c2', 'A b c')], 'A'), 'c2');
  });

  it('is the one whose whole answer is shown, also when that was continued', () => {
    assert.equal(found([chat('c1', 'A', true), chat('c2', 'A b')], 'A'), 'c1');
  });
});
