import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_PRICES } from '../../../../src/service/limits.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { answer, reasoning, turnOf, USER_ENDED } from '../../chat/turns.ts';

const { toCards } = await withEditorStub(() => import('../../../../src/editor/chatView/turnCards.ts'));

describe('The card of an answer that the user stopped', () => {
  const bodyOf = (...received: readonly ReturnType<typeof answer>[]) => {
    const turn = turnOf([...received, USER_ENDED]);
    const [card] = toCards(turn, {
      earlier: undefined,
      prices: DEFAULT_PRICES,
      last: true,
      whole: () => ({ text: turn.answer, parts: 1, fits: true }),
      proposals: () => [],
      images: 'none',
    });
    return card?.body;
  };

  it('says that the text is kept where there is text', () => {
    const words = ['The text received so far is kept. The service may bill it without reporting usage.'];
    assert.deepEqual(bodyOf(answer('Hel')), words);
    assert.deepEqual(bodyOf(reasoning('Hm')), words);
  });

  it('does not speak of text where none was received', () => {
    assert.deepEqual(bodyOf(), [
      'No text was received. The service may bill the request without reporting usage.',
    ]);
  });
});
