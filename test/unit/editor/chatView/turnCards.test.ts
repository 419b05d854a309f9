import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { RequestFacts } from '../../../../src/chat/turn.ts';
import { toShownTurn } from '../../../support/shownTurn.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { answer, failedBy, reasoning, turnOf, USER_ENDED } from '../../chat/turns.ts';

const { actionsFor } = await withEditorStub(() => import('../../../../src/editor/chatView/turnCards.ts'));

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

describe('The card of a request that the service refused', () => {
  const actionsOf = (facts: Partial<RequestFacts>) =>
    actionsFor({ code: 'failed' }, turnOf([failedBy('invalid-request')], facts), { images: 'none' }).map(
      ({ action }) => action,
    );

  it('offers to send it without what a route can refuse, and to find out what it refuses', () => {
    assert.deepEqual(actionsOf({}), ['retry', 'show-log']);
    assert.deepEqual(actionsOf({ answerFormat: 'abc' }), [
      'retry-without-format',
      'retry',
      'probe-route',
      'show-log',
    ]);
    assert.deepEqual(actionsOf({ answerFormat: 'abc', effort: 'low' }), [
      'retry-without-format',
      'retry-without-effort',
      'retry',
      'probe-route',
      'show-log',
    ]);
    assert.deepEqual(actionsOf({ effort: 'max' }), ['retry', 'show-log']);
  });
});
