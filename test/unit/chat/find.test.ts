import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findPlaces } from '../../../src/chat/find.ts';
import { completeTurn, conversationOf, exchangeOf } from './turns.ts';

describe('Find in a conversation', () => {
  const conversation = conversationOf(
    exchangeOf('Why a Heron?', completeTurn('A heron is no heron here.')),
    exchangeOf('And a duck?', completeTurn('No.')),
  );

  it('finds every place, in the order in which it is read, whatever the case', () => {
    assert.deepEqual(
      findPlaces(conversation, 'HERON').map(({ part, occurrence }) => [part, occurrence]),
      [
        ['question', 0],
        ['answer', 0],
        ['answer', 1],
      ],
    );
    assert.deepEqual(
      findPlaces(conversation, 'hm').map(({ exchangeId, part }) => [exchangeId, part]),
      [
        ['Why a Heron?', 'reasoning'],
        ['And a duck?', 'reasoning'],
      ],
    );
  });

  it('finds nothing for nothing', () => {
    assert.deepEqual(findPlaces(conversation, ''), []);
    assert.deepEqual(findPlaces(conversation, 'pelican'), []);
  });
});
