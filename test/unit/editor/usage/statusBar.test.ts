import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import { DEFAULT_PRICES } from '../../../../src/service/prices.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, failedBy, REFUSED_ONCE, turnOf } from '../../conversation/turns.ts';
import { conversation, exchange } from '../../history/support.ts';

const { toStatus } = await withEditorStub(() => import('../../../../src/editor/usage/statusBar.ts'));

describe('The status bar item for a screen reader', () => {
  const spokenFor = (turn: Turn) => spokenAbout(conversation('c1', [exchange('e1', 'Why?', [turn])]));
  function spokenAbout(asked: Conversation, seen: readonly string[] = []): string {
    const status = toStatus(asked, {
      prices: DEFAULT_PRICES,
      routeName: 'direct',
      conversations: [asked],
      isSeen: (id) => seen.includes(id),
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

  it('names the problem of another attempt for an earlier question, until it was seen or something else is shown', () => {
    const at = (turn: Turn, id: string, startedAt: number): Turn => ({ ...turn, id, startedAt });
    const attempts = [at(completeTurn(), 't1', 1), at(turnOf([failedBy('unreachable')]), 't3', 3)];
    const last = exchange('e2', 'And?', [at(completeTurn(), 't2', 2)]);
    const showing = (shown: number) => conversation('c1', [exchange('e1', 'Why?', attempts, shown), last]);
    assert.match(spokenAbout(showing(1)), /problem: Couldn’t reach the service$/);
    assert.doesNotMatch(spokenAbout(showing(0)), /problem/);
    assert.doesNotMatch(spokenAbout(showing(1), ['t3']), /problem/);
    const answered = exchange('e3', 'So?', [at(completeTurn(), 't4', 4)]);
    const later = showing(1);
    assert.doesNotMatch(spokenAbout({ ...later, exchanges: [...later.exchanges, answered] }), /problem/);
  });
});

describe('The status bar item of a turn that has failed', () => {
  it('says why, in place of usage', () => {
    const asked = conversation('c1', [exchange('e1', 'Why?', [turnOf([failedBy('bad-key')])])]);
    const statusOf = (isSeen: boolean) =>
      toStatus(asked, {
        prices: DEFAULT_PRICES,
        routeName: 'direct',
        conversations: [asked],
        isSeen: () => isSeen,
        runsElsewhere: () => false,
        judged: () => undefined,
        now: 0,
      });
    assert.equal(statusOf(false)?.text, '$(warning) The API key was not accepted');
    assert.equal(statusOf(true)?.text, '$(comment-discussion) The API key was not accepted');
    assert.equal(statusOf(true)?.spoken, 'K3 usage: The API key was not accepted');
  });
});

describe('The status bar item before the first question', () => {
  it('cuts a long name of the route, and says all of it', () => {
    const routeName = 'Company gateway number 7 of the data center (production)';
    const status = toStatus(conversation('c1', []), {
      prices: DEFAULT_PRICES,
      routeName,
      conversations: [],
      isSeen: () => false,
      runsElsewhere: () => false,
      judged: () => undefined,
      now: 0,
    });
    assert.equal(status?.text, '$(comment-discussion) K3: Company gateway number 7 of t…');
    assert.equal(status?.spoken, `K3 usage: ${routeName}`);
  });
});

describe('The status bar item of a turn that waits before a retry', () => {
  it('says once that it will retry, and when', () => {
    const turn = turnOf(REFUSED_ONCE);
    const status = toStatus(conversation('c1', [exchange('e1', 'Why?', [turn])]), {
      prices: DEFAULT_PRICES,
      routeName: 'direct',
      conversations: [],
      isSeen: () => false,
      runsElsewhere: () => false,
      judged: () => undefined,
      now: (turn.waiting?.until ?? assert.fail()) - 1000,
    });
    assert.equal(status?.text, '$(loading~spin) Retrying in 1 s');
    assert.equal(status?.spoken, 'K3 usage: Retrying soon');
  });
});
