import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { exchangesBefore, toContinuation, toMessages } from '../../../src/chat/transcript.ts';
import type { Turn } from '../../../src/chat/turn.ts';
import type { StreamEvent } from '../../../src/service/client.ts';
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
} from './turns.ts';

const asked = (text: string) => ({ text, images: [] });
const image = { name: 'a.png', url: 'data:image/png;base64,AA==' };

describe('The messages of a request', () => {
  it('Q4 always end with the question', () => {
    assert.deepEqual(toMessages('', [], asked('Why?')), [{ role: 'user', content: 'Why?' }]);
  });

  it('R11 begin with the bytes of the request before', () => {
    const first = toMessages('Be brief.', [], asked('Why?'));
    const second = toMessages('Be brief.', [exchangeOf('Why?', completeTurn())], asked('And then?'));
    assert.equal(JSON.stringify(second.slice(0, first.length)), JSON.stringify(first));
  });

  it('R4 carry the reasoning verbatim, under the name it came by', () => {
    const [, reply] = toMessages('', [exchangeOf('Why?', completeTurn())], asked('And?'));
    assert.deepEqual(reply, { role: 'assistant', content: 'Because.', reasoning_content: 'Hm.' });
  });

  it('R4 carry every other name of reasoning back as it came', () => {
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

  it('R4 carry reasoning back that came encrypted only', () => {
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

  it('Q5 keep the images of a question that got no answer, and begin with no empty lines', () => {
    const spent = turnOf([reasoning('Hm.'), finish('length'), SERVICE_ENDED]);
    const exchange = { ...exchangeOf('', spent), question: { text: '', images: [image], origin: undefined } };
    assert.deepEqual(toMessages('', [exchange], asked('What is it?')), [
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: image.url } },
          { type: 'text', text: 'What is it?' },
        ],
      },
    ]);
  });

  it('R11 stay the same when an unanswered question was put before the next', () => {
    const spent = exchangeOf('a', turnOf([reasoning('Hm.'), finish('length'), SERVICE_ENDED]));
    const first = toMessages('S', [spent], asked('b'));
    const second = toMessages('S', [spent, exchangeOf('b', completeTurn())], asked('c'));
    assert.deepEqual(second.slice(0, first.length), first);
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

  it('put a question that got no answer before the next one', () => {
    const spent = turnOf([reasoning('Hm.'), finish('length'), DONE, SERVICE_ENDED]);
    const messages = toMessages('', [exchangeOf('Why?', spent)], asked('Shorter, please.'));
    assert.deepEqual(messages, [{ role: 'user', content: 'Why?\n\nShorter, please.' }]);
  });

  it('leave out a question that failed before the model saw it', () => {
    const refused = exchangeOf('Why?', turnOf([failedBy('bad-key')]));
    assert.deepEqual(toMessages('', [refused], asked('Why?')), [{ role: 'user', content: 'Why?' }]);
  });

  it('keep the answer of a turn that failed in the middle', () => {
    const broken = exchangeOf('Why?', turnOf([reasoning('Hm.'), answer('Bec'), failedBy('stream-error')]));
    assert.equal(toMessages('', [broken], asked('Go on.')).length, 3);
  });

  it('F1 go on from the reasoning in the question’s own words', () => {
    const text = toContinuation('Why?', 'Hm, so far.');
    assert.ok(text.startsWith('Why?') && text.includes('Hm, so far.'));
  });

  it('count only what was said before the exchange that is asked again', () => {
    const conversation = conversationOf(exchangeOf('a', completeTurn()), exchangeOf('b', completeTurn()));
    assert.deepEqual(
      exchangesBefore(conversation, 'b').map(({ id }) => id),
      ['a'],
    );
  });
});

describe('What a request carries of a question', () => {
  it('is never empty, even when its only image is not sent any more', () => {
    const question = {
      text: '',
      images: [{ name: 'a.png', url: 'ms://a', omitted: true as const }],
      origin: undefined,
    };
    const asked = { ...exchangeOf('a', completeTurn()), question };
    const [first] = toMessages('', [asked], { text: 'And now?', images: [] });
    assert.ok(first?.role === 'user' && typeof first.content === 'string' && first.content !== '');
  });

  it('includes one whose answer failed after it had begun', () => {
    const begun = turnOf([reasoning('Hm.'), failedBy('server-failed')]);
    assert.equal(begun.outcome, 'failed');
    const messages = toMessages('', [exchangeOf('a', begun)], { text: 'b', images: [] });
    assert.deepEqual(messages, [{ role: 'user', content: 'a\n\nb' }]);
  });
});
