/** What happens to a conversation while the user is asked about the daily cap, before its next turn starts. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { ContextItem } from '../../../../src/conversation/context/context.ts';
import { type Conversation, type Exchange, withExchange } from '../../../../src/conversation/conversation.ts';
import { createTurn } from '../../../../src/conversation/fold.ts';
import { withOmittedImage } from '../../../../src/conversation/images/sentImages.ts';
import type { Question } from '../../../../src/conversation/question.ts';
import type { InsertionPoint } from '../../../../src/conversation/questionPlace.ts';
import { createTurnRunner } from '../../../../src/editor/conversations/turnRunner.ts';
import { createTurnStart } from '../../../../src/editor/conversations/turnStart.ts';
import {
  type ConversationStore,
  createConversationStore,
} from '../../../../src/history/conversationStore.ts';
import { type Refused, refuse } from '../../../../src/requests/refusal.ts';
import type { TurnContent } from '../../../../src/requests/turnContent.ts';
import type { PreparedTurn } from '../../../../src/requests/turns.ts';
import { createDeferred } from '../../../../src/service/deferred.ts';
import { completeTurn, FACTS } from '../../conversation/turns.ts';
import { conversation, exchange, makeFolder, onFullDisk, open, PRICES } from '../../history/support.ts';

const IMAGE = { name: 'a.png', url: 'data:image/png;base64,iVBORw0KGgo=' };
const done = (id: string) => ({ ...completeTurn(), id });
const FIRST: Exchange = {
  ...exchange('e1', 'What is this?', [done('t1'), done('t2')], 1),
  question: { text: 'What is this?', images: [IMAGE], origin: undefined },
};
const SECOND = exchange('e2', 'And?', [done('t3')]);
const question: Question = { text: 'Or?', images: [], origin: undefined };

const PLACES: readonly InsertionPoint[] = [
  { kind: 'end' },
  { kind: 'again', exchangeId: 'e2' },
  { kind: 'instead', exchangeId: 'e2' },
  { kind: 'after', exchangeId: 'e1' },
];

let here: ConversationStore;
let there: ConversationStore;
/** What the user or another window does while the dialog is open. */
let during: () => void;
let answer: Refused | undefined;
let discarded: number;
let shownAgain: number;
/** The instructions that are due, and the exchanges after which. */
let instructions: readonly ContextItem[];
let seen: readonly string[];
/** Resolves when they are read. */
let reading: Promise<void>;
/** What the button Stop does. */
let stop: () => void;

const storeOn = (folder: string) =>
  createConversationStore({
    history: open(folder),
    prices: () => PRICES,
    onTrouble: () => undefined,
    onFailure: (_, error) => assert.fail(String(error)),
  });

async function prepare(): Promise<void> {
  const folder = await makeFolder();
  here = storeOn(folder);
  there = storeOn(folder);
  here.put(conversation('c1', [FIRST, SECOND]), 'e1');
  here.put(conversation('c1', [FIRST, SECOND]), 'e2');
  during = () => undefined;
  answer = undefined;
  discarded = 0;
  shownAgain = 0;
  instructions = [];
  seen = [];
  reading = Promise.resolve();
}

function ask(place: InsertionPoint, queuedId?: string, left?: () => Question | undefined) {
  const runner = createTurnRunner({
    log: { warn: assert.fail },
    store: here,
    onTurn: () => undefined,
    onFree: () => undefined,
  });
  stop = () => runner.stop('c1');
  const start = createTurnStart({
    turns: {
      async prepare<Content extends TurnContent>() {
        during();
        return (
          answer ??
          ({
            ok: true,
            initialTurn: createTurn('t9', 5000, FACTS),
            run: () => new Promise(() => undefined),
            discard: () => void discarded++,
          } as Partial<PreparedTurn<Content>> as PreparedTurn<Content>)
        );
      },
    },
    runner,
    store: here,
    poll: () => void here.poll(),
    toolboxOf: () => undefined,
    instructionsOf: async (_, earlier) => {
      seen = earlier.map(({ id }) => id);
      await reading;
      return instructions;
    },
    put: here.put,
    putExchange(id, added) {
      here.put(withExchange(latest(here, id), added), added.id);
    },
    replaced: () => void shownAgain++,
  });
  const about = { ...(queuedId && { queuedId }), ...(left && { left }) };
  return start({ conversationId: 'c1', place, question, options: {}, ...about });
}

function latest(store: ConversationStore, id = 'c1'): Conversation {
  return store.latest(id) ?? assert.fail('the conversation is gone');
}

const changed = { ok: false, refusal: { kind: 'changed' } };

describe('A question whose dialog about the daily cap is open', () => {
  beforeEach(prepare);

  for (const place of PLACES) {
    describe(`at its place: ${place.kind}`, () => {
      it('is asked when nothing happens meanwhile', async () => {
        assert.deepEqual(await ask(place), { ok: true, turnId: 't9' });
        assert.equal(latest(there).exchanges.at(-1)?.attempts.at(-1)?.id, 't9');
      });

      it('is asked in the conversation that was renamed and pinned meanwhile', async () => {
        during = () => here.put({ ...latest(here), title: 'Renamed', named: true, pinned: true });
        assert.deepEqual(await ask(place), { ok: true, turnId: 't9' });
        for (const store of [here, there]) {
          const { title, named, pinned, exchanges } = latest(store);
          assert.deepEqual([title, named, pinned], ['Renamed', true, true]);
          assert.equal(exchanges.at(-1)?.attempts.at(-1)?.id, 't9');
        }
      });

      it('is asked when it was renamed here and pinned in another window meanwhile', async () => {
        during = () => {
          there.put({ ...latest(there), pinned: true });
          here.put({ ...latest(here), title: 'Renamed', named: true });
        };
        assert.deepEqual(await ask(place), { ok: true, turnId: 't9' });
        for (const store of [here, there])
          assert.deepEqual([latest(store).title, latest(store).pinned], ['Renamed', true]);
      });

      it('is asked when only another window renamed it meanwhile', async () => {
        during = () => there.put({ ...latest(there), title: 'Renamed there', named: true });
        assert.deepEqual(await ask(place), { ok: true, turnId: 't9' });
        assert.equal(latest(here).title, 'Renamed there');
      });

      it('is not asked after another attempt than the one that was sent, which stays shown', async () => {
        during = () => here.put(withExchange(latest(here), { ...FIRST, shown: 0 }), 'e1');
        assert.deepEqual(await ask(place), changed);
        assert.equal(latest(here).exchanges[0]?.shown, 0);
        assert.equal(latest(here).exchanges.length, 2);
        assert.deepEqual([discarded, shownAgain], [1, 1]);
      });

      it('is not asked with an image that was left out meanwhile, which stays left out', async () => {
        during = () => here.put(withOmittedImage(latest(here), 'e1', 0, true), 'e1');
        assert.deepEqual(await ask(place), changed);
        assert.equal(latest(here).exchanges[0]?.question.images[0]?.omitted, true);
      });
    });
  }

  it('is not asked when another window asked one at the same place meanwhile', async () => {
    during = () => there.put(withExchange(latest(there), exchange('e3', 'But?', [done('t4')])), 'e3');
    assert.deepEqual(await ask({ kind: 'end' }), changed);
    assert.equal(latest(here).exchanges.length, 3);
    assert.equal(here.take('c1'), undefined);
  });

  it('is not asked when another window asked one there and this one renamed the conversation', async () => {
    during = () => {
      there.put(withExchange(latest(there), exchange('e3', 'But?', [done('t4')])), 'e3');
      here.put({ ...latest(here), title: 'Renamed', named: true });
    };
    assert.deepEqual(await ask({ kind: 'end' }), changed);
    assert.deepEqual([latest(here).exchanges.length, latest(here).title], [3, 'Renamed']);
  });

  it('gets the attempts that another window added to its exchange meanwhile', async () => {
    during = () => {
      const more = { ...SECOND, attempts: [...SECOND.attempts, done('t4')], shown: 1 };
      there.put(withExchange(latest(there), more), 'e2');
    };
    assert.deepEqual(await ask({ kind: 'again', exchangeId: 'e2' }), { ok: true, turnId: 't9' });
    const ids = latest(here).exchanges[1]?.attempts.map(({ id }) => id);
    assert.deepEqual(ids, ['t3', 't4', 't9']);
  });

  it('is not asked when the conversation was deleted, or the user says no', async () => {
    during = () => there.remove('c1');
    assert.deepEqual(await ask({ kind: 'end' }), { ok: false, refusal: { kind: 'gone' } });
    there.restore('c1');
    here.poll();
    during = () => undefined;
    answer = refuse({ kind: 'stopped' });
    assert.deepEqual(await ask({ kind: 'end' }), answer);
    assert.equal(here.take('c1'), undefined);
  });

  it('is not asked in a conversation that can’t be read, which is not one that was deleted', async () => {
    const folder = await makeFolder();
    const disk = onFullDisk(open(folder), 'load', 'removed');
    disk.full = false;
    here = createConversationStore({
      ...{ history: disk.history, prices: () => PRICES },
      ...{ onTrouble: () => undefined, onFailure: () => undefined },
    });
    there = storeOn(folder);
    here.put(conversation('c1', [FIRST, SECOND]), 'e1');
    there.put({ ...latest(there), title: 'Renamed there', named: true });
    here.poll();
    disk.full = true;
    assert.equal(here.get('c1')?.title, 'Title of c1');
    assert.deepEqual(await ask({ kind: 'end' }), { ok: false, refusal: { kind: 'unread' } });
    disk.full = false;
    assert.deepEqual(await ask({ kind: 'end' }), { ok: true, turnId: 't9' });
  });

  it('has the instructions that are due at its place, and another attempt those of the first', async () => {
    const agents: ContextItem = {
      kind: 'instructions',
      label: 'AGENTS.md',
      uri: 'file:///AGENTS.md',
      parts: [],
    };
    for (const [place, queuedId, after] of [
      [{ kind: 'instead', exchangeId: 'e2' }, undefined, ['e1']],
      [{ kind: 'after', exchangeId: 'e1' }, undefined, ['e1']],
      [{ kind: 'end' }, 'q1', ['e1', 'e2']],
    ] as const) {
      await prepare();
      instructions = [agents];
      if (queuedId !== undefined) here.enqueue('c1', { id: queuedId, question });
      assert.equal((await ask(place, queuedId)).ok, true);
      assert.deepEqual(seen, after);
      assert.deepEqual(latest(there).exchanges.at(-1)?.question.context, [agents]);
    }
    await prepare();
    instructions = [agents];
    assert.equal((await ask({ kind: 'again', exchangeId: 'e2' })).ok, true);
    assert.deepEqual(seen, []);
    assert.deepEqual(latest(here).exchanges.at(-1)?.question, SECOND.question);
  });

  it('is not asked when it is stopped while its instructions are read, however long that takes', async () => {
    reading = new Promise(() => undefined);
    const asking = ask({ kind: 'end' });
    stop();
    assert.deepEqual(await asking, { ok: false, refusal: { kind: 'stopped' } });
    assert.equal(latest(here).exchanges.length, 2);
    assert.equal(here.take('c1'), undefined);
  });

  it('is asked without what the user removes from it while its instructions are read, and not at all when nothing is left', async () => {
    const read = createDeferred<void>();
    reading = read.promise;
    let left: Question | undefined = question;
    const asking = ask({ kind: 'end' }, undefined, () => left);
    left = { ...question, text: 'Without the file.' };
    read.resolve();
    assert.deepEqual(await asking, { ok: true, turnId: 't9' });
    assert.equal(latest(here).exchanges.at(-1)?.question.text, 'Without the file.');
    await prepare();
    left = undefined;
    assert.deepEqual(await ask({ kind: 'end' }, undefined, () => left), {
      ok: false,
      refusal: { kind: 'stopped' },
    });
    assert.equal(here.take('c1'), undefined);
  });

  it('stays in the queue when it can’t be asked, and is asked once by one window', async () => {
    here.enqueue('c1', { id: 'q1', question });
    during = () => here.put(withExchange(latest(here), { ...FIRST, shown: 0 }), 'e1');
    assert.deepEqual(await ask({ kind: 'end' }, 'q1'), changed);
    assert.equal(here.queue('c1').length, 1);
    during = () => void there.dequeue('c1', 'q1');
    assert.deepEqual(await ask({ kind: 'end' }, 'q1'), changed);
    assert.equal(latest(here).exchanges.length, 2);
  });
});
