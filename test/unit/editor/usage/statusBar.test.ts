import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Turn } from '../../../../src/conversation/turn.ts';
import { DEFAULT_PRICES } from '../../../../src/service/prices.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, failedBy, turnOf } from '../../conversation/turns.ts';
import { conversation, exchange } from '../../history/support.ts';

const { toStatus } = await withEditorStub(() => import('../../../../src/editor/usage/statusBar.ts'));

describe('The status bar item for a screen reader', () => {
  function spokenFor(turn: Turn): string {
    const asked = conversation('c1', [exchange('e1', 'Why?', [turn])]);
    const status = toStatus(asked, {
      prices: DEFAULT_PRICES,
      routeName: 'direct',
      conversations: [asked],
      isSeen: () => false,
      runsElsewhere: () => false,
      judged: () => undefined,
      now: 0,
    });
    return status?.spoken ?? assert.fail();
  }

  it('names the problem of the last turn, also of one that is complete', () => {
    const other = { ...completeTurn(), responseModel: 'cheap-1' };
    assert.match(spokenFor(other), /The last turn has a problem: Another model answered$/);
    assert.match(spokenFor(turnOf([failedBy('unreachable')])), /problem: Couldn’t reach the service$/);
    assert.doesNotMatch(spokenFor(completeTurn()), /problem/);
  });
});
