import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toRound } from '../../../../src/conversation/rounds.ts';
import type { Call } from '../../../../src/conversation/turn.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { toolOf } from '../../conversation/toolTurns.ts';
import { completeTurn, turnOf } from '../../conversation/turns.ts';

const { toCutCallViews, toRoundViews } = await withEditorStub(
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

describe('A call that runs', () => {
  it('is not said to be not run while the model still writes it', () => {
    const [view] = toCutCallViews(
      { ...turnOf([]), toolCalls: [{ index: 0, id: 'a', name: 'weather', arguments: '{"ci' }] },
      { titleOf: () => 'Weather' },
    );
    assert.deepEqual([view?.state, view?.stateLabel, view?.startedAt], ['running', 'Answering', undefined]);
  });

  it('can be stopped in the window that runs it, and only there', () => {
    const running: Call = {
      ...{ index: 0, id: 'a', name: 'weather', arguments: '{}', state: 'running', result: undefined },
      ...{ startedAt: 100, endedAt: undefined },
    };
    const turn = turnOf([]);
    const round = toRound(turn, [running], 50);
    const startOf = (elsewhere: boolean) =>
      toRoundViews(
        { ...turn, rounds: [round] },
        { waitingFor: () => undefined, titleOf: () => 'Weather', runsElsewhere: () => elsewhere },
      ).flatMap(({ calls }) => calls.map(({ startedAt }) => startedAt));
    assert.deepEqual(startOf(false), [turn.startedAt + 100]);
    assert.deepEqual(startOf(true), [undefined]);
  });
});

describe('A call that waits for the user', () => {
  it('has only decisions about itself if every call is asked about', () => {
    const call: Call = {
      ...{ index: 0, id: 'a', name: 'run', arguments: '{}', state: 'waiting', result: undefined },
      ...{ startedAt: undefined, endedAt: undefined },
    };
    const turn = turnOf([]);
    const onlyOnceOf = (onlyOnce: boolean) => {
      const waiting = { approval: 'a1', conversationId: 'c1', tool: toolOf('run'), onlyOnce };
      const waitingFor = () => ({ ...waiting, call: { id: 'a', name: 'run', arguments: {} } });
      return toRoundViews(
        { ...turn, rounds: [toRound(turn, [call], 50)] },
        { waitingFor, titleOf: () => 'Run', runsElsewhere: () => false },
      ).flatMap(({ calls }) => calls.map((one) => one.onlyOnce));
    };
    assert.deepEqual([onlyOnceOf(true), onlyOnceOf(false)], [[true], [undefined]]);
  });
});
