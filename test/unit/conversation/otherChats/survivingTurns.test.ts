import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withEnd } from '../../../../src/conversation/branches.ts';
import { type Conversation, type Exchange, withExchange } from '../../../../src/conversation/conversation.ts';
import { createTurn } from '../../../../src/conversation/fold.ts';
import { type ChatTurn, lastSurviving } from '../../../../src/conversation/otherChats/survivingTurns.ts';
import { conversation, exchange } from '../../history/support.ts';
import { FACTS } from '../turns.ts';

let clock = 0;
const asked = (id: string, text: string): Exchange =>
  exchange(id, text, [createTurn(`turn-${id}`, ++clock, FACTS)]);

/** The conversation after a question that follows an exchange. */
const askAfter = (one: Conversation, after: string, id: string, text: string) =>
  withExchange(withEnd(one, after), asked(id, text));

const recorded = (prompt: string, exchangeId: string | undefined): ChatTurn => ({
  prompt,
  conversationId: 'c1',
  exchangeId,
});
/** The editor drops what the response of a stopped request says. */
const stopped = (prompt: string): ChatTurn => ({ prompt, conversationId: undefined, exchangeId: undefined });
const shown = ({ exchanges }: Conversation) => exchanges.map(({ id }) => id);

const three = conversation('c1', [asked('e1', 'One?'), asked('e2', 'Two?'), asked('e3', 'Three?')]);

describe('The last turn that a chat of the editor still has', () => {
  it('is the last one recorded in its history', () => {
    assert.equal(
      lastSurviving(three, [recorded('One?', 'e1'), recorded('Two?', 'e2'), recorded('Three?', 'e3')]),
      'e3',
    );
    assert.equal(lastSurviving(three, [recorded('One?', 'e1')]), 'e1');
    assert.equal(lastSurviving(three, []), undefined);
  });

  it('is found by its question after a stop, and is the newest one when the question was retried', () => {
    assert.equal(lastSurviving(three, [recorded('One?', 'e1'), stopped('Two?')]), 'e2');
    assert.equal(lastSurviving(three, [stopped('One?'), stopped('Two?')]), 'e2');
    const twice = askAfter(askAfter(three, 'e1', 'e4', 'Two?'), 'e1', 'e5', 'Two?');
    assert.equal(lastSurviving(twice, [recorded('One?', 'e1'), stopped('Two?')]), 'e5');
    const back = withEnd(twice, 'e3');
    assert.equal(lastSurviving(back, [recorded('One?', 'e1'), stopped('Two?')]), 'e5');
  });

  it('is found by what the user wrote, when a prompt file made the text of it', () => {
    const prompt = asked('e1', 'Find races in src/a.ts.');
    const one = conversation('c1', [{ ...prompt, question: { ...prompt.question, asked: '/races' } }]);
    assert.equal(lastSurviving(one, [stopped('/races')]), 'e1');
  });

  it('is the one before a request that was never recorded, such as a refused one', () => {
    assert.equal(lastSurviving(three, [recorded('One?', 'e1'), stopped('Too long')]), 'e1');
    assert.equal(lastSurviving(three, [stopped('Too long')]), undefined);
  });

  it('is found by the questions in chats of earlier versions', () => {
    assert.equal(lastSurviving(three, [recorded('One?', undefined), recorded('Two?', undefined)]), 'e2');
  });

  it('is not one of another conversation', () => {
    const other = { prompt: 'One?', conversationId: 'c0', exchangeId: 'e0' };
    assert.equal(lastSurviving(three, [other]), undefined);
    assert.equal(lastSurviving(three, [other, recorded('One?', 'e1')]), 'e1');
  });
});

describe('A conversation that continues after an earlier exchange', () => {
  it('keeps everything after it as a branch', () => {
    const next = askAfter(three, 'e1', 'e4', 'Two again?');
    assert.deepEqual(shown(next), ['e1', 'e4']);
    assert.deepEqual(
      next.branches.map(({ after, exchanges }) => [after, exchanges.map(({ id }) => id)]),
      [['e1', ['e2', 'e3']]],
    );
  });

  it('shows the branch of that exchange, also a branch of a branch', () => {
    const one = askAfter(three, 'e1', 'e4', 'Two again?');
    const two = askAfter(one, 'e2', 'e5', 'Three again?');
    assert.deepEqual(shown(two), ['e1', 'e2', 'e5']);
    const four = withEnd(two, 'e4');
    assert.deepEqual(shown(four), ['e1', 'e4']);
    assert.deepEqual(shown(withEnd(four, 'e3')), ['e1', 'e2', 'e3']);
    assert.deepEqual(shown(withEnd(four, 'e5')), ['e1', 'e2', 'e5']);
  });

  it('is unchanged when the exchange is its last one or does not exist', () => {
    assert.equal(withEnd(three, 'e3'), three);
    assert.equal(withEnd(three, 'e9'), three);
  });
});
