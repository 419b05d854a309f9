import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  oldestWithImages,
  sentImagesOf,
  withOmittedImage,
  withoutImages,
} from '../../../../src/conversation/images/sentImages.ts';
import { toMessages } from '../../../../src/conversation/requestMessages/transcript.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import { answering, calling, OF_A, runWith, toolboxOf } from '../toolTurns.ts';
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

describe('An image that a tool gave', () => {
  const images = [{ type: 'image/png', base64: 'iVBORw0KGgo=' }];
  const toolbox = toolboxOf(['see'], async () => ({ text: 'A picture.', images }));
  const seeing = async (id: string) => ({
    ...(await runWith([calling(['see', OF_A]), answering('x')], toolbox)).turn,
    id,
  });
  const sentOf = (asked: ReturnType<typeof conversationOf>) =>
    JSON.stringify(toMessages('', asked.exchanges, { text: 'next', images: [] }));

  it('is kept and in no request when its route does not take images', async () => {
    const left = toolboxOf(['see'], async () => ({
      text: 'Left out.',
      images: images.map((image) => ({ ...image, omitted: true as const })),
    }));
    const { turn, requests } = await runWith([calling(['see', OF_A]), answering('x')], left);
    assert.doesNotMatch(JSON.stringify(requests), /data:image|images that/);
    const asked = conversationOf(exchangeOf('a', turn), exchangeOf('b', completeTurn()));
    assert.doesNotMatch(sentOf(asked), /data:image|images that/);
    assert.equal(oldestWithImages(asked), undefined);
    assert.equal(turn.rounds[0]?.toolCalls[0]?.result?.images?.length, 1);
  });

  it('is an image of the requests after it, which the user can stop sending', async () => {
    const asked = conversationOf(exchangeOf('a', await seeing('t1')), exchangeOf('b', completeTurn()));
    assert.equal(sentImagesOf(asked, 'a'), 'earlier');
    assert.equal(sentImagesOf(asked, 'b'), 'earlier');
    const oldest = oldestWithImages(asked) ?? assert.fail();
    assert.equal(oldest.id, 'a');
    assert.match(sentOf(asked), /data:image/);
    const after = conversationOf(withoutImages(oldest), ...asked.exchanges.slice(1));
    assert.equal(oldestWithImages(after), undefined);
    assert.equal(sentImagesOf(after, 'b'), 'none');
    const sent = sentOf(after);
    assert.doesNotMatch(sent, /data:image/);
    assert.match(sent, /A picture\.\\n\[image left out\]/);
    assert.deepEqual(after.exchanges[0]?.attempts[0]?.rounds, asked.exchanges[0]?.attempts[0]?.rounds);
  });

  it('is sent of another attempt, which may have called the tool in another way', async () => {
    const once = withoutImages(exchangeOf('a', await seeing('t1')));
    const again = conversationOf({ ...once, attempts: [...once.attempts, await seeing('t2')], shown: 1 });
    assert.equal(oldestWithImages(again)?.id, 'a');
    assert.match(sentOf(again), /data:image/);
  });

  it('is sent while its answer goes on', async () => {
    const running: Turn = { ...(await seeing('t1')), phase: 'calling', outcome: undefined };
    const asked = exchangeOf('a', running);
    assert.equal(oldestWithImages(conversationOf(asked)), undefined);
    assert.deepEqual(withoutImages(asked), asked);
  });

  it('is left out with those of its question', () => {
    const question = { text: 'a', images: [{ name: 'a.png', url: 'ms://a' }], origin: undefined };
    const asked = { ...exchangeOf('a', completeTurn()), question };
    assert.deepEqual(withoutImages(asked).question.images, [{ name: 'a.png', url: 'ms://a', omitted: true }]);
  });
});
