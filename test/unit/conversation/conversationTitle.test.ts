import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Conversation, createConversation } from '../../../src/conversation/conversation.ts';
import { titleWith, toConversationTitle } from '../../../src/conversation/conversationTitle.ts';
import { answer, completeTurn, conversationOf, exchangeOf, failedBy, turnOf } from './turns.ts';

describe('A title', () => {
  const title = (text: string) => toConversationTitle({ text, images: [] }, 'New conversation');
  it('is the first line of the first question, shortened if it is long', () => {
    assert.equal(title('  Why?\nBecause'), 'Why?');
    assert.equal(title('x'.repeat(80)).length, 60);
    assert.equal(title(''), createConversation('c', 0, 'New conversation', undefined).title);
  });
});

describe('The title of a conversation', () => {
  const failed = turnOf([failedBy('bad-key')]);
  const added = exchangeOf('Why is the sky blue?');
  const titleAfter = (before: Conversation) => titleWith(before, added, 'New');

  it('is that of the next question while no question was answered', () => {
    assert.equal(titleAfter(conversationOf()), 'Why is the sky blue?');
    assert.equal(titleAfter(conversationOf(exchangeOf('test', failed))), 'Why is the sky blue?');
    assert.equal(titleAfter(conversationOf(exchangeOf('a', completeTurn()))), 'A conversation');
    assert.equal(titleAfter(conversationOf(exchangeOf('a', completeTurn(), failed))), 'Why is the sky blue?');
  });

  it('stays when an answer that an error ended is continued', () => {
    const question = { ...exchangeOf('Continue.').question, continues: 't' };
    const broken = turnOf([answer('a'), failedBy('stream-error')]);
    const before = conversationOf(exchangeOf('Why?', broken));
    assert.equal(titleWith(before, { ...added, question }, 'New'), 'A conversation');
  });

  it('stays when the user has entered it, and when a question is asked again', () => {
    assert.equal(titleAfter({ ...conversationOf(), named: true }), 'A conversation');
    assert.equal(titleAfter(conversationOf(added)), 'A conversation');
  });
});
