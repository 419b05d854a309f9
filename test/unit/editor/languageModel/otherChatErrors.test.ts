import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { RequestProblem } from '../../../../src/service/request.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { toRefusalError } = await withEditorStub(
  () => import('../../../../src/editor/languageModel/otherChatErrors.ts'),
);

describe('The error of a request of another chat that is not sent', () => {
  const messageOf = (problem: RequestProblem) => toRefusalError({ kind: 'request', problem }).message;

  it('leads to the tools of that chat, not to those of K3', () => {
    const step = 'svc-k3 accepts at most 128, each with a name of its own. Turn some off in this chat.';
    assert.equal(
      messageOf({ field: 'tools', reason: 'too-many', count: 129 }),
      `The tools of this request can’t be sent (129): ${step}`,
    );
    assert.equal(
      messageOf({ field: 'tools', reason: 'same-name', value: 'run' }),
      `The tools of this request can’t be sent (run): ${step}`,
    );
    assert.equal(
      messageOf({ field: 'messages', reason: 'empty' }),
      'There is nothing to send. Enter a question.',
    );
  });
});
