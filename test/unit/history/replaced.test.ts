/** A database that is replaced by another one while two windows have read and written what is not sent yet. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, it } from 'mocha';
import { createTurn, foldTurn } from '../../../src/conversation/fold.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import type { ConversationStore } from '../../../src/history/conversationStore.ts';
import type { History } from '../../../src/history/history.ts';
import { answer, completeTurn, FACTS } from '../conversation/turns.ts';
import { conversation, exchange, halfTurn, makeFolder, open, storeOn } from './support.ts';

const asked = conversation('c1', [exchange('e1', 'Why?', [{ ...completeTurn(), id: 't0' }])]);
const queued = (id: string) => ({ id, question: { text: id, images: [], origin: undefined } });
const [SHORT, LONG] = [
  { exchangeId: 'e1', text: 'Why' },
  { exchangeId: 'e1', text: 'Why not?' },
];

describe('What is not sent yet, when the database is replaced by another one', () => {
  let here: ConversationStore;
  let there: ConversationStore;
  let replace: () => void;
  let later: () => ConversationStore;

  beforeEach(async () => {
    const [before, after] = [await makeFolder(), await makeFolder()];
    let isReplaced = false;
    const openWindow = () => {
      const [old, next] = [open(before), open(after)];
      return storeOn(
        new Proxy(old, {
          get(_, name: keyof History) {
            const real = isReplaced ? next : old;
            return name === 'version' ? () => `${Number(isReplaced)}/${real.version()}` : real[name];
          },
        }),
      );
    };
    replace = () => {
      isReplaced = true;
    };
    [here, there] = [openWindow(), openWindow()];
    here.put(asked, 'e1');
    there.poll();
    assert.ok(there.get('c1'));
    later = () => storeOn(open(after));
  });

  function changeElsewhere(name: 'first' | 'last'): void {
    const more = exchange('e2', 'And?', [{ ...completeTurn(), id: 't2' }]);
    there.put({ ...asked, title: 'New', named: true, exchanges: [...asked.exchanges, more] }, 'e2');
    replace();
    const windows = name === 'first' ? [there, here] : [here, there];
    const changes = windows.map((one) => one.poll().changed);
    assert.deepEqual(changes, name === 'first' ? [[], ['c1']] : [[], []]);
    windows[0]?.poll();
    for (const one of [later(), ...windows]) {
      const found = one.get('c1');
      assert.deepEqual([found?.title, found?.exchanges.map(({ id }) => id)], ['New', ['e1', 'e2']]);
      assert.deepEqual(found?.branches, []);
    }
  }

  it('is beside a conversation as another window has left it, which comes first', () =>
    changeElsewhere('first'));

  it('is beside a conversation as another window has left it, which comes last', () =>
    changeElsewhere('last'));

  it('is beside the title or the pin of a conversation without a question', () => {
    for (const [id, more] of [
      ['c2', { named: true }],
      ['c3', { pinned: true }],
    ] as const) {
      here.put(conversation(id, []));
      here.put(conversation(id, [], more));
    }
    replace();
    here.poll();
    assert.deepEqual([later().get('c2')?.named, later().get('c3')?.pinned], [true, true]);
  });

  it('is beside the end of a turn that another window had not seen', () => {
    const half = conversation('c1', [...asked.exchanges, exchange('e2', 'And?', [halfTurn()])]);
    assert.equal(here.take('c1'), undefined);
    here.put(half, 'e2');
    there.poll();
    assert.equal(there.get('c1')?.exchanges.length, 2);
    const ended = { ...completeTurn(), id: halfTurn().id };
    here.put(conversation('c1', [...asked.exchanges, exchange('e2', 'And?', [ended])]), 'e2');
    here.release('c1');
    replace();
    for (const one of [there, here, there]) one.poll();
    for (const one of [later(), here, there])
      assert.equal(one.get('c1')?.exchanges.at(-1)?.attempts[0]?.outcome, 'complete');
  });

  it('is beside a turn that runs on in its window, and in no other one', () => {
    const half = conversation('c1', [...asked.exchanges, exchange('e2', 'And?', [halfTurn()])]);
    assert.equal(here.take('c1'), undefined);
    here.put(half, 'e2');
    there.poll();
    replace();
    for (const one of [here, there, here, there]) one.poll();
    assert.ok(there.holder('c1'));
    assert.ok(there.take('c1'), 'a second turn');
    assert.equal(there.get('c1')?.exchanges[1]?.attempts[0]?.outcome, undefined);
    here.release('c1');
    assert.equal(there.take('c1'), undefined);
  });

  it('is beside all text of a turn that runs, also if its window is killed afterwards', async () => {
    const first = halfTurn();
    const second = foldTurn(first, { at: 9, event: answer('wer, and mo') });
    const half = (turn: Turn) => conversation('c1', [...asked.exchanges, exchange('e2', 'And?', [turn])]);
    assert.equal(here.take('c1'), undefined);
    here.put(half(createTurn(first.id, first.startedAt, FACTS)), 'e2');
    here.progress(half(first), first);
    await sleep(600);
    replace();
    here.poll();
    here.progress(half(second), second);
    await sleep(600);
    assert.equal(later().get('c1')?.exchanges[1]?.attempts[0]?.answer, second.answer);
    here.dispose();
  });

  it('is a draft as it was written last, whichever window comes last', () => {
    here.putDraft('c1', 'Why');
    assert.equal(there.draft('c1'), 'Why');
    here.putDraft('c1', 'Why not?');
    replace();
    for (const one of [here, there]) one.poll();
    assert.deepEqual(
      [later(), here, there].map((one) => one.draft('c1')),
      ['Why not?', 'Why not?', 'Why not?'],
    );
  });

  it('is a draft that the window which comes last has written', () => {
    here.putDraft('c1', 'Why');
    assert.equal(there.draft('c1'), 'Why');
    here.putDraft('c1', 'Why not?');
    replace();
    for (const one of [there, here]) one.poll();
    assert.equal(later().draft('c1'), 'Why not?');
  });

  it('is each question that either window has added to the queue', () => {
    here.enqueue('c1', queued('q1'));
    assert.equal(there.queue('c1').length, 1);
    here.enqueue('c1', queued('q2'));
    replace();
    there.poll();
    there.enqueue('c1', queued('q3'));
    here.poll();
    assert.deepEqual(
      later()
        .queue('c1')
        .map(({ id }) => id)
        .toSorted(),
      ['q1', 'q2', 'q3'],
    );
  });

  it('is the preset that was chosen last', () => {
    here.putUnsent('c1', { preset: 'Review' });
    assert.deepEqual([there.unsent('c1').preset, there.choices('c1').preset], ['Review', 'Review']);
    here.putUnsent('c1', { preset: 'Plan', leavesOut: true });
    replace();
    for (const one of [here, there]) one.poll();
    const { preset, leavesOut } = later().choices('c1');
    assert.deepEqual([preset, leavesOut], ['Plan', true]);
  });

  it('is what a window edits, and not what another window showed of it', () => {
    here.putUnsent('c1', { editing: SHORT });
    assert.deepEqual(there.unsent('c1').editing, SHORT);
    const other = { exchangeId: 'e2', text: 'And?' };
    there.putUnsent('c1', { otherEdits: [other] });
    here.putUnsent('c1', { editing: LONG });
    replace();
    for (const one of [here, there]) one.poll();
    assert.deepEqual([later().unsent('c1').editing, here.unsent('c1').editing], [LONG, LONG]);
    assert.deepEqual(there.unsent('c1').otherEdits, [other]);
    here.putUnsent('c1', { editing: undefined });
    assert.deepEqual(later().unsent('c1').editing, undefined);
  });

  it('is an edit that a window shows and nobody else has anymore', () => {
    here.putUnsent('c1', { editing: SHORT });
    here.dispose();
    assert.deepEqual(there.unsent('c1').editing, SHORT);
    replace();
    there.poll();
    assert.deepEqual(later().unsent('c1').editing, SHORT);
  });
});
