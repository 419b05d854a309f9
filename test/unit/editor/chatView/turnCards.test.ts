import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toShownTurn } from '../../../support/shownTurn.ts';
import { answer, reasoning, turnOf, USER_ENDED } from '../../chat/turns.ts';

describe('The card of an answer that the user stopped', () => {
  const bodyOf = (...received: readonly ReturnType<typeof answer>[]) => {
    return toShownTurn(turnOf([...received, USER_ENDED]))
      .card.split('\n')
      .slice(1)
      .filter(Boolean);
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
