import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';

const { toCutCallViews } = await withEditorStub(
  () => import('../../../../src/editor/chatView/toolCallViews.ts'),
);

describe('Calls that are not run here', () => {
  const call = { index: 0, id: 'a', name: 'weather', arguments: '{}' };
  const labelsOf = (otherChat: boolean, outcome: 'complete' | 'truncated') => {
    const turn = completeTurn('', otherChat ? { otherChat } : {});
    const shown = { ...turn, outcome, toolCalls: [call] };
    return toCutCallViews(shown, { titleOf: () => 'Weather' }).map(({ stateLabel }) => stateLabel);
  };

  it('are those of other chats if such a chat has got them', () => {
    assert.deepEqual(labelsOf(true, 'complete'), ['Other chats']);
  });

  it('are not run if the response was cut off, or nobody has got them', () => {
    assert.deepEqual(labelsOf(true, 'truncated'), ['Not run']);
    assert.deepEqual(labelsOf(false, 'complete'), ['Not run']);
  });
});
