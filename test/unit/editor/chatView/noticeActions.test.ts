import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { RequestFacts } from '../../../../src/chat/turn.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { failedBy, turnOf } from '../../chat/turns.ts';

const { actionsFor } = await withEditorStub(() => import('../../../../src/editor/chatView/noticeActions.ts'));

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
