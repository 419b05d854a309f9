/** Imported conversations: an import never changes what is there, and nothing of it is lost. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { withBranch, withoutTail } from '../../../src/conversation/branches.ts';
import { type Conversation, withExchange } from '../../../src/conversation/conversation.ts';
import { createTurn } from '../../../src/conversation/fold.ts';
import { type ConversationStore, createConversationStore } from '../../../src/history/conversationStore.ts';
import { toExport } from '../../../src/history/exportedJson.ts';
import type { History } from '../../../src/history/history.ts';
import { LINEAR, startCpu } from '../../support/growth.ts';
import { completeTurn, FACTS } from '../conversation/turns.ts';
import { conversation, exchange, makeFolder, onFullDisk, open, PRICES } from './support.ts';

function storeOn(history: History | undefined): ConversationStore {
  return createConversationStore({
    history,
    prices: () => PRICES,
    onTrouble: () => undefined,
    onFailure: (what, error) => assert.fail(`${what}: ${String(error)}`),
  });
}

const answered = (id: string, text: string) => ({ ...completeTurn(text), id });
const original = conversation('c1', [exchange('e1', 'Why?', [answered('t1', 'The original.')])]);
const options = () => {
  let n = 0;
  return { createdAt: 5000, newId: () => `new-${++n}` };
};
const questionsOf = ({ exchanges, branches }: Conversation) =>
  [exchanges, ...branches.map((branch) => branch.exchanges)].map((all) =>
    all.map(({ question }) => question.text),
  );

let folder: string;
let store: ConversationStore;
async function prepare(): Promise<void> {
  folder = await makeFolder();
  store = storeOn(open(folder));
  store.put(original, 'e1');
}

/** The store after a reload of the window. */
function reloaded(): ConversationStore {
  store.dispose();
  return storeOn(open(folder));
}

describe('An imported conversation', () => {
  beforeEach(prepare);

  it('is the same as the exported one after a reload, in whatever order its branches were shown', () => {
    const at = (id: string, startedAt: number) =>
      exchange(`e-${id}`, `${id}?`, [{ ...answered(id, id), startedAt }]);
    const [first, second, third, below] = [at('first', 1), at('second', 2), at('third', 3), at('below', 4)];
    let edited = conversation('c2', [first]);
    store.put(edited, first.id);
    // Two edited questions, and one of a branch below.
    const steps: readonly ((before: Conversation) => Conversation)[] = [
      (before) => withExchange(withoutTail(before, first.id), second),
      (before) => withBranch(before, first.id),
      (before) => withExchange(before, below),
      (before) => withExchange(withoutTail(before, first.id), third),
    ];
    for (const step of steps) {
      edited = step(edited);
      store.put(edited, edited.exchanges.at(-1)?.id);
    }
    const exported = store.get('c2');
    assert.ok(exported);
    const later = reloaded();
    assert.notDeepEqual(later.get('c2')?.branches, exported.branches);
    assert.deepEqual(later.putImported(exported, options()), { id: 'c2', isNew: false });
  });

  const same: readonly (readonly [string, Conversation])[] = [
    ['a turn', conversation('c2', [exchange('e2', 'Import?', [answered('t1', 'The import.')])])],
    ['an exchange', conversation('c2', [exchange('e1', 'Import?', [answered('t2', 'The import.')])])],
    [
      'a turn of a branch',
      conversation('c2', [exchange('e2', 'Import?', [answered('t2', 'The import.')])], {
        branches: [{ after: undefined, exchanges: [exchange('e3', 'Aside?', [answered('t1', 'Aside.')])] }],
      }),
    ],
    ['itself', conversation('c1', [exchange('e2', 'Import?', [answered('t2', 'The import.')])])],
  ];
  for (const [what, imported] of same) {
    it(`changes nothing that is there when the id of ${what} is known`, () => {
      const { id, isNew } = store.putImported(imported, options());
      assert.equal(isNew, true);
      const later = reloaded();
      assert.equal(toExport(later.get('c1') ?? imported, 0), toExport(original, 0));
      const copy = later.get(id);
      assert.equal(copy?.exchanges[0]?.question.text, 'Import?');
      assert.equal(copy?.exchanges[0]?.attempts[0]?.answer, 'The import.');
      assert.equal(copy?.branches.length, imported.branches.length);
      assert.equal(later.list().length, 2);
    });
  }

  it('keeps its ids when none is known, and is not added twice', () => {
    const imported = conversation('c2', [exchange('e2', 'Import?', [answered('t2', 'The import.')])]);
    assert.deepEqual(store.putImported(imported, options()), { id: 'c2', isNew: true });
    assert.deepEqual(store.putImported(imported, options()), { id: 'c2', isNew: false });
    assert.equal(reloaded().list().length, 2);
  });

  it('has other ids in place of those that the views and the page take for parts of others', () => {
    for (const [id, turn] of [
      ['group/today', 't2'],
      ['c2', 't2/0'],
      ['c2', 't"2'],
    ] as const) {
      const imported = conversation(id, [exchange('e2', 'Import?', [answered(turn, 'The import.')])]);
      const added = store.putImported(imported, options());
      assert.deepEqual(store.putImported(imported, options()), { ...added, isNew: false });
      const copy = store.get(added.id) ?? assert.fail();
      for (const one of [copy.id, ...copy.exchanges.flatMap(({ attempts }) => attempts.map((own) => own.id))])
        assert.match(one, /^[\w-]+$/);
    }
  });

  it('is copied once, however often the file is imported, until the copy is another one', () => {
    const goneOn = { ...original, exchanges: [...original.exchanges, exchange('e2', 'And?', [])] };
    store.put(goneOn, 'e2');
    const { id } = store.putImported(original, options());
    assert.deepEqual(store.putImported(original, options()), { id, isNew: false });
    store = reloaded();
    assert.deepEqual(store.putImported(original, options()), { id, isNew: false });
    assert.equal(store.list().length, 2);
    const copy = store.get(id);
    assert.ok(copy);
    store.put({ ...copy, exchanges: [...copy.exchanges, exchange('e3', 'And then?', [])] }, 'e3');
    assert.equal(store.putImported(original, options()).isNew, true);
    store.remove(id);
    assert.equal(store.putImported(original, options()).isNew, true);
    assert.equal(store.get('c1')?.exchanges.length, 2);
  });

  it('is written whole or not at all, so that a window that is killed meanwhile leaves no part of it', () => {
    const imported = conversation('c2', [
      exchange('e2', 'First?', [answered('t2', 'One.')]),
      exchange('e3', 'Second?', [answered('t3', 'Two.')]),
    ]);
    const real = open(folder);
    let written = 0;
    const killed = storeOn({
      ...real,
      putExchange(...about) {
        if (++written === 2) throw Object.assign(new Error('killed'), { errcode: 13 });
        real.putExchange(...about);
      },
    });
    killed.putImported(imported, options());
    const later = open(folder);
    assert.deepEqual([written, later.loadAny('c2')], [2, undefined]);
    killed.dispose();
    assert.equal(later.load('c2')?.exchanges.length, 2);
  });

  it('is there after a reload and after old deletions are purged, when it was deleted before', () => {
    store.remove('c1');
    const { id } = store.putImported(original, options());
    assert.notEqual(id, 'c1');
    store.dispose();
    const history = open(folder);
    history.purge(Date.now() + 1);
    const later = storeOn(history);
    assert.deepEqual(
      later.list().map((one) => one.id),
      [id],
    );
    assert.equal(later.get(id)?.exchanges[0]?.attempts[0]?.answer, 'The original.');
  });

  it('has all its branches as a copy, and branches of branches', () => {
    const imported = conversation(
      'c1',
      [exchange('e1', 'One', [answered('t1', '1')]), exchange('e2', 'Two', [answered('t2', '2')])],
      {
        branches: [
          {
            after: 'e1',
            exchanges: [exchange('e3', 'Two B', [answered('t3', '2b')]), exchange('e4', 'Three B', [])],
          },
          { after: 'e3', exchanges: [exchange('e5', 'Three C', [answered('t5', '3c')])] },
          { after: undefined, exchanges: [exchange('e6', 'One B', [answered('t6', '1b')])] },
        ],
      },
    );
    const { id } = store.putImported(imported, options());
    const copy = reloaded().get(id);
    assert.ok(copy);
    assert.deepEqual(questionsOf(copy).toSorted(), questionsOf(imported).toSorted());
    const after = copy.branches.map((branch) => branch.after);
    assert.equal(after[0], copy.exchanges[0]?.id);
    assert.equal(after[1], copy.branches[0]?.exchanges[0]?.id);
    assert.equal(after[2], undefined);
  });

  it('keeps the link of a continued answer in a copy', () => {
    const next = exchange('e2', 'Go on', [answered('t2', 'more.')]);
    const imported = conversation('c1', [
      exchange('e1', 'Why?', [answered('t1', 'Some')]),
      { ...next, question: { ...next.question, continues: 't1' } },
    ]);
    const copy = store.get(store.putImported(imported, options()).id);
    assert.equal(copy?.exchanges[1]?.question.continues, copy?.exchanges[0]?.attempts[0]?.id);
  });

  it('keeps both of two exchanges and turns that have the same id in the file', () => {
    const imported = conversation('c2', [
      exchange('e2', 'First', [answered('t2', 'One.')]),
      exchange('e2', 'Second', [answered('t2', 'Two.')]),
    ]);
    const { id } = store.putImported(imported, options());
    const copy = reloaded().get(id) ?? original;
    assert.deepEqual(questionsOf(copy), [['First', 'Second']]);
  });

  it('has no turn that runs', () => {
    const running = createTurn('t2', 1000, FACTS);
    const exported = conversation('c2', [exchange('e2', 'Import?', [running])]);
    const { id } = store.putImported(exported, options());
    assert.deepEqual(store.putImported(exported, options()), { id, isNew: false });
    const turn = store.get(id)?.exchanges[0]?.attempts[0];
    assert.deepEqual([turn?.outcome, turn?.windowClosed], ['interrupted', undefined]);
  });

  it('costs nothing, also when it can only be written later, and without a database', () => {
    const imported = conversation('c2', [exchange('e2', 'Import?', [answered('t2', 'The import.')])]);
    const cost = store.costSince(0);
    const disk = onFullDisk(open(folder), 'putExchange');
    const limited = storeOn(disk.history);
    limited.putImported(imported, options());
    disk.full = false;
    limited.dispose();
    assert.equal(store.costSince(0), cost);
    assert.equal(store.get('c2')?.exchanges.length, 1);
    const memory = storeOn(undefined);
    memory.putImported(imported, options());
    assert.equal(memory.costSince(0), 0);
  });

  it('takes time in proportion to its turns', function () {
    this.timeout(300_000);
    let made = 0;
    const toCopy = (turns: number) => {
      const id = `copy-${made++}`;
      const own = (n: number) => exchange(`${id}-e${n}`, `Question ${n}`, [answered(`${id}-t${n}`, 'Yes.')]);
      store.putCopy(
        conversation(
          id,
          Array.from({ length: turns }, (_, n) => own(n)),
        ),
      );
    };
    const workOf = (turns: number) => {
      const worked = startCpu();
      toCopy(turns);
      return worked();
    };
    const growth = () => workOf(4000) / Math.min(workOf(500), workOf(500));
    // Eight times as many. The work of others makes a round slower, never faster.
    assert.ok(growth() < 2 * LINEAR || growth() < 2 * LINEAR);
  });
});
