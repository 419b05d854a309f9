import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Conversation, createConversation } from '../../../../src/conversation/conversation.ts';
import { createTurn } from '../../../../src/conversation/fold.ts';
import { isFailurePast } from '../../../../src/conversation/outcomes/pastFailure.ts';
import type { Outcome, Turn } from '../../../../src/conversation/turn.ts';
import type { ServiceErrorKind } from '../../../../src/service/errors.ts';
import { FACTS } from '../turns.ts';

const turn = (at: number, outcome: Outcome, routeName = 'direct'): Turn => ({
  ...createTurn(`t${at}`, at, { ...FACTS, routeName }),
  phase: 'ended',
  outcome,
});
const failed = (at: number, kind: ServiceErrorKind = 'bad-key'): Turn => ({
  ...turn(at, 'failed'),
  failure: { kind, details: {} },
});
const conversation = (id: string, ...turns: readonly Turn[]): Conversation => ({
  ...createConversation(id, 0, id, undefined),
  exchanges: turns.map((one, index) => ({
    id: `${id}/${index}`,
    question: { text: 'Why?', images: [], origin: undefined },
    attempts: [one],
    shown: 0,
  })),
});
const isPast = (one: Turn, routeName: string | undefined, ...others: readonly Conversation[]) =>
  isFailurePast(one, 'c1', { routeName, conversations: [conversation('c1', one), ...others] });

describe('A failed request', () => {
  it('is a problem until its route answers a later one, in any conversation', () => {
    assert.equal(isPast(failed(2), 'direct'), false);
    assert.equal(isPast(failed(2), 'direct', conversation('c2', turn(1, 'complete'))), false, 'earlier');
    assert.equal(isPast(failed(2), 'direct', conversation('c2', turn(3, 'failed'))), false, 'no success');
    assert.equal(isPast(failed(2), 'direct', conversation('c2', turn(3, 'stopped'))), false);
    assert.equal(isPast(failed(2), 'direct', conversation('c2', turn(3, 'complete', 'other'))), false);
    assert.equal(isPast(failed(2), 'direct', conversation('c2', turn(3, 'complete'))), true);
    assert.equal(isPast(failed(2), 'direct', conversation('c2', turn(3, 'truncated'))), true);
  });

  it('is no problem of another route, and again one when its route is back', () => {
    assert.equal(isPast(failed(2), 'other'), true);
    assert.equal(isPast(failed(2), 'direct'), false);
    assert.equal(isPast(failed(2), undefined), false, 'without a route there is nothing instead of it');
  });

  it('is a problem of the route that was chosen for it, until another one becomes the active one', () => {
    const one = failed(2);
    const route = { name: 'direct', insteadOf: 'work' };
    const elsewhere = { ...one, request: { ...one.request, chosen: { route } } };
    assert.equal(isPast(elsewhere, 'work'), false);
    assert.equal(isPast(elsewhere, 'third'), true);
    assert.equal(isPast(elsewhere, undefined), false);
  });

  it('stays a problem on every route when the request itself was wrong, until its conversation goes on', () => {
    const wrong = failed(2, 'context-overflow');
    assert.equal(isPast(wrong, 'other', conversation('c2', turn(3, 'complete'))), false);
    for (const routeName of ['direct', 'other']) {
      const conversations = [conversation('c1', wrong, turn(3, 'complete', routeName))];
      assert.equal(isFailurePast(wrong, 'c1', { routeName, conversations }), true);
    }
  });

  it('is a problem of its route under another name, until that has answered a later one', () => {
    const at = (name: string, place = 'p1') => ({ routeName: name, routePlace: place });
    const one = failed(2);
    const before = { ...one, request: { ...one.request, ...at('direct') } };
    const later = turn(3, 'complete');
    const after = { ...later, request: { ...later.request, ...at('renamed') } };
    /** With the routes of these names in the settings. */
    const isPastFor = (
      routeName: string,
      place: string,
      names: readonly string[],
      ...turns: readonly Turn[]
    ) =>
      isFailurePast(before, 'c1', {
        routeName,
        place,
        hasRoute: (name) => names.includes(name),
        conversations: [conversation('c1', before, ...turns)],
      });
    assert.equal(isPastFor('renamed', 'p1', ['renamed']), false);
    assert.equal(isPastFor('renamed', 'p1', ['renamed'], after), true);
    assert.equal(isPastFor('renamed', 'p1', ['renamed', 'direct']), true, 'another key at the same address');
    assert.equal(isPastFor('renamed', 'p2', ['renamed']), true, 'another address');
  });

  it('is told from other ends, which stay what they are', () => {
    assert.equal(isPast(turn(2, 'truncated'), 'other'), false);
    assert.equal(isPast(turn(2, 'complete'), 'other'), false);
  });
});
