import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  oldestWithImages,
  sentImagesOf,
  withOmittedImage,
} from '../../../../src/conversation/images/sentImages.ts';
import { toMessages } from '../../../../src/conversation/requestMessages/transcript.ts';
import { completeTurn, conversationOf, exchangeOf } from '../turns.ts';

describe('An image that is no longer sent', () => {
  const images = [
    { name: 'a.png', url: 'ms://a' },
    { name: 'b.png', url: 'ms://b' },
  ];
  const asked = conversationOf(
    { ...exchangeOf('a', completeTurn()), id: 'a', question: { text: 'a', images, origin: undefined } },
    exchangeOf('b', completeTurn()),
  );

  it('stays in the conversation but not in the request', () => {
    const after = withOmittedImage(asked, 'a', 0, true);
    assert.deepEqual(
      after.exchanges[0]?.question.images.map(({ omitted }) => omitted),
      [true, undefined],
    );
    const sent = JSON.stringify(toMessages('', after.exchanges, { text: 'next', images: [] }));
    assert.ok(!sent.includes('ms://a') && sent.includes('ms://b'));
    assert.deepEqual(withOmittedImage(after, 'a', 0, false), asked, 'and is sent again');
  });

  it('belongs to the oldest exchange that still sends an image', () => {
    assert.equal(oldestWithImages(asked)?.id, 'a');
    assert.equal(
      oldestWithImages(withOmittedImage(withOmittedImage(asked, 'a', 0, true), 'a', 1, true)),
      undefined,
    );
  });

  it('is no image of a request before it', () => {
    const first = conversationOf({ ...exchangeOf('z', completeTurn()), id: 'z' }, ...asked.exchanges);
    assert.equal(sentImagesOf(first, 'z'), 'none');
    assert.equal(sentImagesOf(first, first.exchanges[2]?.id ?? ''), 'earlier');
  });
});
