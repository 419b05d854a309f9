import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { exchangesBefore, toMessages } from '../../../../src/conversation/requestMessages/transcript.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import type { StreamEvent } from '../../../../src/service/client.ts';
import { findMessageProblem } from '../../../../src/service/request.ts';
import {
  answer,
  chunk,
  completeTurn,
  conversationOf,
  DONE,
  exchangeOf,
  failedBy,
  finish,
  reasoning,
  SERVICE_ENDED,
  turnOf,
  USER_ENDED,
} from '../turns.ts';

const asked = (text: string) => ({ text, images: [] });
const image = { name: 'a.png', url: 'data:image/png;base64,AA==' };

describe('The messages of a request', () => {
  it('Q4 always end with the question', () => {
    assert.deepEqual(toMessages('', [], asked('Why?')), [{ role: 'user', content: 'Why?' }]);
  });

  it('contain the prompt of a command, not what is shown instead of it', () => {
    const exchange = exchangeOf('Refactor this code.', completeTurn());
    const shown = { ...exchange, question: { ...exchange.question, asked: 'Refactor · use const' } };
    const next = { ...asked('Fix this code.'), asked: 'Fix' };
    assert.equal(
      JSON.stringify(toMessages('', [shown], next)),
      JSON.stringify(toMessages('', [exchange], asked('Fix this code.'))),
    );
  });

  it('R11 start with the bytes of the previous request', () => {
    const first = toMessages('Be brief.', [], asked('Why?'));
    const second = toMessages('Be brief.', [exchangeOf('Why?', completeTurn())], asked('And then?'));
    assert.equal(JSON.stringify(second.slice(0, first.length)), JSON.stringify(first));
  });

  it('R4 contain the reasoning unchanged, under its original name', () => {
    const [, reply] = toMessages('', [exchangeOf('Why?', completeTurn())], asked('And?'));
    assert.deepEqual(reply, { role: 'assistant', content: 'Because.', reasoning_content: 'Hm.' });
  });

  it('R4 contain every other name of reasoning unchanged', () => {
    const replyTo = (turn: Turn) => toMessages('', [exchangeOf('Why?', turn)], asked('And?'))[1];
    const end = [answer('Yes.'), finish('stop'), SERVICE_ENDED];
    assert.deepEqual(replyTo(turnOf([reasoning('Hm.', 'reasoning'), ...end])), {
      role: 'assistant',
      content: 'Yes.',
      reasoning: 'Hm.',
    });
    const details = [{ type: 'reasoning.text', index: 0, text: 'Hm.' }];
    const named = chunk({ reasoning: { name: 'reasoning_details', text: 'Hm.' }, reasoningDetails: details });
    assert.deepEqual(replyTo(turnOf([named, ...end])), {
      role: 'assistant',
      content: 'Yes.',
      reasoning_details: details,
    });
    const tagged = [
      reasoning('Hm.', 'tags'),
      { type: 'tag-closed', open: '◁think▷', close: '◁/think▷', wasReasoning: false },
    ];
    assert.deepEqual(replyTo(turnOf([...(tagged as StreamEvent[]), ...end])), {
      role: 'assistant',
      content: '◁think▷Hm.◁/think▷Yes.',
    });
  });

  it('R4 contain reasoning that is only encrypted', () => {
    const details = [{ type: 'reasoning.encrypted', index: 0, data: 'x' }];
    const turn = turnOf([
      chunk({ reasoningDetails: details }),
      answer('Yes.'),
      finish('stop'),
      SERVICE_ENDED,
    ]);
    const [, reply] = toMessages('', [exchangeOf('Why?', turn)], asked('And?'));
    assert.deepEqual(reply, { role: 'assistant', content: 'Yes.', reasoning_details: details });
  });

  it('Q5 keep the images of an unanswered question', () => {
    const spent = turnOf([reasoning('Hm.'), finish('length'), SERVICE_ENDED]);
    const exchange = { ...exchangeOf('', spent), question: { text: '', images: [image], origin: undefined } };
    assert.deepEqual(toMessages('', [exchange], asked('What is it?'))[0], {
      role: 'user',
      content: [{ type: 'image_url', image_url: { url: image.url } }],
    });
  });

  for (const [how, events] of Object.entries({
    'was stopped before any text': [USER_ENDED],
    'was stopped while the model reasoned': [reasoning('Hm.'), USER_ENDED],
    'used its budget for reasoning': [reasoning('Hm.'), finish('length'), SERVICE_ENDED],
    'was answered with nothing': [finish('stop'), SERVICE_ENDED],
  }))
    it(`R11 start with the bytes of a request that ${how}`, () => {
      const answered = exchangeOf('a', completeTurn());
      const first = toMessages('S', [answered], asked('b'));
      const unanswered = exchangeOf('b', turnOf(events));
      const second = toMessages('S', [answered, unanswered], asked('c'));
      assert.deepEqual(second.slice(0, first.length), first);
      assert.deepEqual(
        second.slice(first.length).map(({ role }) => role),
        ['assistant', 'user'],
      );
      const third = toMessages('S', [answered, unanswered, exchangeOf('c', completeTurn())], asked('d'));
      assert.deepEqual(third.slice(0, second.length), second);
      assert.equal(findMessageProblem(second), undefined);
    });

  it('Q5 have an array for content as soon as there is an image', () => {
    const [message] = toMessages('', [], { text: 'What is it?', images: [image] });
    assert.deepEqual(message, {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: image.url } },
        { type: 'text', text: 'What is it?' },
      ],
    });
  });

  it('say that a question has no answer, and whether the user stopped it', () => {
    const spent = turnOf([reasoning('Hm.'), finish('length'), DONE, SERVICE_ENDED]);
    assert.deepEqual(toMessages('', [exchangeOf('Why?', spent)], asked('Shorter, please.')), [
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: '[no answer]' },
      { role: 'user', content: 'Shorter, please.' },
    ]);
    const stopped = exchangeOf('Why?', turnOf([USER_ENDED]));
    assert.deepEqual(toMessages('', [stopped], asked('Something else.'))[1], {
      role: 'assistant',
      content: '[no answer: stopped by the user]',
    });
  });

  it('omit a question that failed before the model received it', () => {
    const refused = exchangeOf('Why?', turnOf([failedBy('bad-key')]));
    assert.deepEqual(toMessages('', [refused], asked('Why?')), [{ role: 'user', content: 'Why?' }]);
  });

  it('keep the answer of a turn that failed in the middle', () => {
    const broken = exchangeOf('Why?', turnOf([reasoning('Hm.'), answer('Bec'), failedBy('stream-error')]));
    assert.equal(toMessages('', [broken], asked('Continue.')).length, 3);
  });

  it('contain only what comes before the exchange that is asked again', () => {
    const conversation = conversationOf(exchangeOf('a', completeTurn()), exchangeOf('b', completeTurn()));
    assert.deepEqual(
      exchangesBefore(conversation, 'b').map(({ id }) => id),
      ['a'],
    );
  });
});

describe('The message of a question', () => {
  it('is never empty, even if its only image is no longer sent', () => {
    const question = {
      text: '',
      images: [{ name: 'a.png', url: 'ms://a', omitted: true as const }],
      origin: undefined,
    };
    const asked = { ...exchangeOf('a', completeTurn()), question };
    const [first] = toMessages('', [asked], { text: 'And now?', images: [] });
    assert.ok(first?.role === 'user' && typeof first.content === 'string' && first.content !== '');
  });

  it('is included if its answer failed after it had started', () => {
    const begun = turnOf([reasoning('Hm.'), failedBy('server-failed')]);
    assert.equal(begun.outcome, 'failed');
    const messages = toMessages('', [exchangeOf('a', begun)], { text: 'b', images: [] });
    assert.deepEqual(
      messages.map(({ content }) => content),
      ['a', '[no answer]', 'b'],
    );
  });

  it('is included if the answer failed in its first call, or behind reasoning that is encrypted', () => {
    const call = { index: 0, id: 'c', name: 'read', arguments: '{"of' };
    for (const begun of [
      chunk({ toolCalls: [call] }),
      chunk({ reasoningDetails: [{ type: 'reasoning.encrypted', data: 'x' }] }),
    ]) {
      const failed = exchangeOf('a', turnOf([begun, failedBy('server-failed')]));
      assert.deepEqual(
        toMessages('', [failed], { text: 'b', images: [] }).map(({ content }) => content),
        ['a', '[no answer]', 'b'],
      );
    }
  });
});
