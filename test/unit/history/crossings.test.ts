/** What is stored after two features met: a fork, a rename, a reload, a branch, and a second window. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { withBranch, withEnd, withoutTail } from '../../../src/conversation/branches.ts';
import { type Conversation, type Exchange, withExchange } from '../../../src/conversation/conversation.ts';
import { createTurn, foldTurn } from '../../../src/conversation/fold.ts';
import { forkOf } from '../../../src/conversation/fork.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { type ConversationStore, createConversationStore } from '../../../src/history/conversationStore.ts';
import { toWholeAnswer } from '../../../src/requests/wholeAnswer.ts';
import { answer, completeTurn, FACTS, finish, SERVICE_ENDED, turnOf } from '../conversation/turns.ts';
import { conversation, exchange, makeFolder, onFullDisk, open, PRICES } from './support.ts';

const IMAGE = { name: 'a.png', url: 'data:image/png;base64,iVBORw0KGgo=' };
const queued = { id: 'q1', question: { text: 'Then this', images: [IMAGE], origin: undefined } };
const done = (id: string, text = 'Because.'): Turn => ({ ...completeTurn(text), id });
const running = (id: string, text = ''): Turn =>
  foldTurn(createTurn(id, 2000, FACTS), { at: 1, event: answer(text) });
const asked = (...more: readonly Exchange[]) =>
  conversation('c1', [exchange('e1', 'Why?', [done('t1')]), ...more]);

let folder: string;
let here: ConversationStore;
let there: ConversationStore;

const openWindow = (history = open(folder)) =>
  createConversationStore({
    history,
    prices: () => PRICES,
    onTrouble: () => undefined,
    onFailure: (_, error) => assert.fail(String(error)),
  });
const titles = () => [here, there].map((store) => store.get('c1')?.title);

async function prepare(): Promise<void> {
  folder = await makeFolder();
  here = openWindow();
  there = openWindow();
  here.put(asked(), 'e1');
}

describe('A fork', () => {
  beforeEach(prepare);

  const fork = (of: Conversation) => {
    let n = 0;
    return forkOf(of, undefined, { createdAt: 3000, newId: () => `new-${++n}` });
  };

  it('has no queue and no draft, costs nothing, and keeps its images when the original is deleted and purged', () => {
    const question = { text: 'What is it?', images: [IMAGE], origin: undefined };
    const original = asked({ ...exchange('e2', '', [done('t2')]), question });
    here.put(original, 'e2');
    here.enqueue('c1', queued);
    here.putDraft('c1', 'Half');
    const cost = here.costSince(0);
    const copy = fork(original);
    here.putCopy(copy);
    assert.deepEqual([here.queue(copy.id), here.draft(copy.id), here.costSince(0)], [[], '', cost]);
    here.remove('c1');
    open(folder).purge(Date.now() + 1);
    const kept = openWindow().get(copy.id);
    assert.deepEqual(kept?.exchanges[1]?.question.images, [IMAGE]);
    assert.equal(kept.exchanges[1]?.attempts[0]?.answer, 'Because.');
  });

  it('has the answers so far when another window still answers, and is not changed by the end of that answer', () => {
    here.take('c1');
    const more = asked(exchange('e2', 'And?', [running('t2', 'Half')]));
    here.put(more, 'e2');
    const seen = there.get('c1');
    assert.ok(seen);
    const copy = fork(seen);
    there.putCopy(copy);
    here.put(asked(exchange('e2', 'And?', [done('t2')])), 'e2');
    there.poll();
    assert.deepEqual(
      there.get(copy.id)?.exchanges.map(({ question }) => question.text),
      ['Why?'],
    );
    assert.equal(there.get('c1')?.exchanges.length, 2);
  });
});

describe('A conversation that is renamed', () => {
  beforeEach(prepare);

  it('keeps its title when another window gave it during an answer, before and after this window looked', () => {
    for (const looks of [true, false]) {
      const title = `Renamed, ${looks ? 'seen' : 'not seen'}`;
      const id = looks ? 't2' : 't3';
      const before = here.latest('c1') ?? assert.fail();
      here.take('c1');
      here.put(
        withExchange(before, exchange(`e of ${id}`, 'And?', [createTurn(id, 2000, FACTS)])),
        `e of ${id}`,
      );
      there.poll();
      there.put({ ...(there.latest('c1') ?? assert.fail()), title, named: true, pinned: looks });
      if (looks) here.poll();
      const now = here.latest('c1') ?? assert.fail();
      here.put(withExchange(now, exchange(`e of ${id}`, 'And?', [done(id)])), `e of ${id}`);
      here.release('c1');
      there.poll();
      assert.deepEqual(titles(), [title, title]);
      assert.deepEqual([here.get('c1')?.named, here.get('c1')?.pinned], [true, looks]);
      assert.equal(there.get('c1')?.exchanges.at(-1)?.attempts[0]?.outcome, 'complete');
    }
  });

  it('keeps its title when another window gave it before the first question was written whole', () => {
    const disk = onFullDisk(open(folder), 'putHead');
    const first = openWindow(disk.history);
    const started = conversation('c2', [exchange('e of c2', 'Why?', [done('t of c2')])]);
    first.put(started, 'e of c2');
    there.put({ ...(there.get('c2') ?? assert.fail()), title: 'Renamed', named: true, pinned: true });
    disk.full = false;
    first.dispose();
    assert.deepEqual(openWindow().get('c2'), { ...started, title: 'Renamed', named: true, pinned: true });
  });

  it('has the last title when both windows rename it', () => {
    const seen = there.get('c1') ?? assert.fail();
    here.put({ ...asked(), title: 'Named here', named: true });
    there.put({ ...seen, title: 'Named there', named: true });
    here.poll();
    assert.deepEqual(titles(), ['Named there', 'Named there']);
  });

  it('keeps its queue, its draft, its branches, and what is being edited', () => {
    const branched = withExchange(
      withoutTail(asked(exchange('e2', 'And?', [done('t2')])), 'e2'),
      exchange('e3', 'Or?', [done('t3')]),
    );
    here.put(asked(exchange('e2', 'And?', [done('t2')])), 'e2');
    here.put(branched, 'e3');
    here.enqueue('c1', queued);
    here.putDraft('c1', 'Half');
    here.putUnsent('c1', { editing: { exchangeId: 'e1', text: 'Why not?' } });
    here.put({ ...branched, title: 'Renamed', named: true });
    const later = openWindow();
    assert.deepEqual(later.get('c1'), { ...branched, title: 'Renamed', named: true });
    assert.deepEqual([later.queue('c1').length, later.draft('c1')], [1, 'Half']);
    assert.equal(later.unsent('c1').editing?.text, 'Why not?');
  });
});

describe('A queue', () => {
  beforeEach(prepare);

  it('stays with its conversation when another branch is shown, and when a question is edited', () => {
    const two = asked(exchange('e2', 'And?', [done('t2')]));
    here.put(two, 'e2');
    here.enqueue('c1', queued);
    const edited = withExchange(withoutTail(two, 'e2'), exchange('e3', 'Or?', [done('t3')]));
    here.put(edited, 'e3');
    here.put(withBranch(edited, 'e2'));
    const later = openWindow();
    assert.deepEqual(later.queue('c1'), [queued]);
    assert.equal(later.get('c1')?.exchanges.at(-1)?.id, 'e2');
  });
});

describe('A branch that one window shows', () => {
  beforeEach(prepare);

  it('is shown in the other one, and after a reload, with the branches that are not shown', () => {
    const two = asked(exchange('e2', 'And?', [done('t2')]));
    here.put(two, 'e2');
    assert.equal(there.get('c1')?.exchanges.length, 2);
    const edited = withExchange(withoutTail(two, 'e2'), exchange('e3', 'Or?', [done('t3')]));
    here.put(edited, 'e3');
    here.put(withBranch(edited, 'e2'));
    there.poll();
    for (const store of [there, openWindow()]) {
      const found = store.get('c1');
      assert.deepEqual(
        found?.exchanges.map(({ id }) => id),
        ['e1', 'e2'],
      );
      assert.deepEqual(found, withEnd(edited, 'e2'));
    }
  });
});

describe('A question whose edit was cut off before the new question was written', () => {
  beforeEach(prepare);

  it('is shown, with everything after it, because no other version of it would lead there', () => {
    const three = asked(exchange('e2', 'And?', [done('t2')]), exchange('e3', 'Or?', [done('t3')]));
    here.put(asked(exchange('e2', 'And?', [done('t2')])), 'e2');
    here.put(three, 'e3');
    // The window is killed after this.
    here.put(withoutTail(three, 'e2'));
    assert.deepEqual(openWindow().get('c1'), three);
  });
});

describe('The rest of an answer', () => {
  beforeEach(prepare);

  it('is kept when the window is reloaded while it streams, and can be continued to the end', () => {
    const cut = { ...turnOf([answer('One,'), finish('length'), SERVICE_ENDED]), id: 't2' };
    const question = { text: 'Continue.', images: [], origin: undefined, continues: 't2' };
    const partly = { ...exchange('e3', '', [running('t3', ' two,')]), question };
    here.take('c1');
    here.put(asked(exchange('e2', 'Count.', [cut])), 'e2');
    const last = asked(exchange('e2', 'Count.', [cut]), {
      ...partly,
      attempts: [createTurn('t3', 2000, FACTS)],
    });
    here.put(last, 'e3');
    here.progress(withExchange(last, partly), running('t3', ' two,'));
    here.dispose();
    const { exchanges } = openWindow().get('c1') ?? assert.fail();
    const rest = exchanges[2]?.attempts[0] ?? assert.fail();
    assert.deepEqual([rest.outcome, rest.windowClosed], ['interrupted', true]);
    assert.equal(toWholeAnswer(exchanges, question, rest).text, 'One, two,');
    const end = {
      ...exchange('e4', '', [done('t4', ' three.')]),
      question: { ...question, continues: 't3' },
    };
    const whole = toWholeAnswer([...exchanges, end], end.question, end.attempts[0] ?? assert.fail());
    assert.deepEqual([whole.text, whole.parts], ['One, two, three.', 3]);
  });
});

describe('An attempt', () => {
  beforeEach(prepare);

  it('is there after a reload beside the others, as the one that is shown, also when it was cut by the reload', () => {
    here.take('c1');
    const attempts = [done('t1'), createTurn('t2', 2000, FACTS)];
    here.put(conversation('c1', [exchange('e1', 'Why?', attempts, 1)]), 'e1');
    const half = [done('t1'), running('t2', 'Half')];
    here.progress(conversation('c1', [exchange('e1', 'Why?', half, 1)]), half[1] ?? assert.fail());
    here.dispose();
    const found = openWindow().get('c1')?.exchanges[0];
    assert.deepEqual(
      found?.attempts.map(({ outcome, answer: text }) => [outcome, text]),
      [
        ['complete', 'Because.'],
        ['interrupted', 'Half'],
      ],
    );
    assert.equal(found.shown, 1);
  });
});
