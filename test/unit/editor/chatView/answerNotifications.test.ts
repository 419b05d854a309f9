import assert from 'node:assert/strict';
import { setImmediate as soon } from 'node:timers/promises';
import { beforeEach, describe, it } from 'mocha';
import type { Turn } from '../../../../src/conversation/turn.ts';
import type { ArrivalsDeps } from '../../../../src/editor/chatView/answerNotifications.ts';
import { EventEmitter } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { calling, OF_A, runWith, toolboxOf } from '../../conversation/toolTurns.ts';
import { completeTurn } from '../../conversation/turns.ts';

const { watchArrivals } = await withEditorStub(
  () => import('../../../../src/editor/chatView/answerNotifications.ts'),
);

const changes = new EventEmitter<object>();
let shown: Set<string>;
let focused: boolean;
let setting: 'whenHidden' | 'always' | 'off';
let badges: (number | undefined)[];
let notes: string[];
let pressed: string | undefined;
let opened: string[];
let listed: Set<string>;
/** Turns that the user has seen elsewhere. */
let seen: Set<string>;
let arrivals: ReturnType<typeof watchArrivals>;

function prepare(): void {
  arrivals?.dispose();
  shown = new Set();
  focused = true;
  setting = 'whenHidden';
  badges = [];
  notes = [];
  pressed = undefined;
  opened = [];
  listed = new Set(['c1', 'c2']);
  seen = new Set();
  const deps = {
    conversations: {
      onDidChange: changes.event,
      isSeen: (id: string) => seen.has(id),
      list: () => [...listed].map((id) => ({ id, title: `Title of ${id}` })),
    },
    isShown: (id: string) => shown.has(id),
    isWindowFocused: () => focused,
    setting: () => setting,
    showBadge: (count: number | undefined) => badges.push(count),
    notify: async (message: string) => {
      notes.push(message);
      return pressed;
    },
    open: (id: string) => opened.push(id),
    log: { warn: assert.fail },
  };
  arrivals = watchArrivals(deps as unknown as ArrivalsDeps);
}

const step = (id: string, outcome?: string, turnId = `turn of ${id}`, turn: Turn = completeTurn()) =>
  changes.fire({
    type: 'turn',
    conversationId: id,
    exchangeId: 'e',
    turn: { ...turn, id: turnId, outcome },
  });
const answer = (id: string, outcome = 'complete') => {
  step(id);
  step(id, outcome);
};

describe('An answer that ends', () => {
  beforeEach(prepare);

  it('shows nothing while its conversation is shown', () => {
    shown.add('c1');
    answer('c1');
    assert.deepEqual([badges, notes], [[], []]);
  });

  it('is not counted if another chat of the editor has shown it, and notifies only of a window without the focus', () => {
    seen.add('turn of c1');
    setting = 'always';
    answer('c1');
    assert.deepEqual([badges, notes], [[], []]);
    focused = false;
    answer('c1');
    assert.deepEqual([badges.length, notes.length], [0, 1]);
  });

  it('is counted on the badge while the chat is hidden, until the conversation is shown', () => {
    answer('c1');
    answer('c2');
    assert.deepEqual(badges, [1, 2]);
    arrivals.shown('c1');
    arrivals.shown('c1');
    arrivals.shown('c2');
    assert.deepEqual(badges, [1, 2, 1, undefined]);
    assert.deepEqual(notes, []);
  });

  it('is counted once for a conversation with two answers', () => {
    answer('c1');
    answer('c1');
    assert.deepEqual(badges, [1]);
  });

  it('leaves the badge when its conversation is deleted', () => {
    answer('c1');
    listed.delete('c1');
    changes.fire({ type: 'listed' });
    assert.deepEqual(badges, [1, undefined]);
  });

  it('is notified when the window is elsewhere, even with the chat open', async () => {
    focused = false;
    shown.add('c1');
    answer('c1');
    answer('c2', 'failed');
    await soon();
    assert.deepEqual(notes, [
      'svc-k3 answered in “Title of c1”.',
      'The answer in “Title of c2” ended with a problem: Failed.',
    ]);
  });

  it('is notified with all of its problems, not only with the first', async () => {
    focused = false;
    const ofOther = { ...completeTurn(), responseModel: 'cheap-1' };
    step('c1');
    step('c1', 'truncated', 'turn of c1', ofOther);
    await soon();
    assert.deepEqual(notes, [
      'The answer in “Title of c1” ended with a problem: Cut off, Another model answered.',
    ]);
  });

  it('is opened from its notification', async () => {
    focused = false;
    pressed = 'Show Answer';
    answer('c1');
    await soon();
    assert.deepEqual(opened, ['c1']);
  });

  it('is notified in a focused window only with k3.notify “always”, and only if it isn’t shown', () => {
    answer('c1');
    setting = 'always';
    shown.add('c2');
    answer('c2');
    assert.deepEqual(notes, []);
    answer('c1');
    assert.deepEqual(notes, ['svc-k3 answered in “Title of c1”.']);
  });

  it('is never notified with k3.notify “off”', () => {
    setting = 'off';
    focused = false;
    answer('c1');
    assert.deepEqual([badges, notes], [[1], []]);
  });

  it('was stopped by the user, who knows', () => {
    focused = false;
    answer('c1', 'stopped');
    assert.deepEqual([badges, notes], [[], []]);
  });

  it('did not run in this window: a turn that is loaded or dismissed has already ended', () => {
    step('c1', 'complete');
    assert.deepEqual([badges, notes], [[], []]);
  });

  it('is part of no listed conversation, for example a commit message', () => {
    focused = false;
    answer('aside');
    assert.deepEqual([badges, notes], [[], []]);
  });

  it('says that it ended with a problem if its last tool calls were not run', async () => {
    focused = false;
    const streams = [calling(['read', OF_A])];
    const { turn: spent } = await runWith(streams, toolboxOf(['read']));
    const { turn: unrun } = await runWith(streams, undefined);
    for (const turn of [spent, { ...unrun, finishReason: 'stop' }, completeTurn()]) {
      step('c1');
      step('c1', turn.outcome, undefined, turn);
    }
    await soon();
    assert.deepEqual(notes, [
      'The answer in “Title of c1” ended with a problem: Stopped after 25 rounds of tool calls.',
      'The answer in “Title of c1” ended with a problem: Tool calls were not run.',
      'svc-k3 answered in “Title of c1”.',
    ]);
  });

  it('says so if it is from another model, in place of the name of svc-k3 (R2)', () => {
    focused = false;
    const other = { ...completeTurn(), responseModel: 'cheap-1' };
    step('c1');
    step('c1', 'complete', undefined, other);
    assert.deepEqual(notes, ['The answer in “Title of c1” ended with a problem: Another model answered.']);
  });
});
