/**
 * A process that stores conversations and reads them again, as windows of the oldest editor do. It runs under the Node of that editor,
 * whose `node:sqlite` and SQLite differ from those of later ones. Argument: a folder. Prints the results as one line of JSON.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createConversation } from '../../src/conversation/conversation.ts';
import { createTurn } from '../../src/conversation/fold.ts';
import type { Turn } from '../../src/conversation/turn.ts';
import { type ConversationStore, createConversationStore } from '../../src/history/conversationStore.ts';
import { type History, openHistory } from '../../src/history/history.ts';
import { completeTurn, FACTS } from '../unit/conversation/turns.ts';

const [root = ''] = process.argv.slice(2);
const PRICES = { input: 3, cachedInput: 0.3, output: 15 };

/** What failed in any window. */
const failures: string[] = [];

interface Window {
  readonly history: History;
  readonly store: ConversationStore;
}

function openWindow(name: string): Window {
  const opened = openHistory({
    folder: join(root, name),
    place: 'a window',
    onSetAside: () => undefined,
    onWrong: (what) => failures.push(what),
  });
  if (!opened.ok) throw new Error(opened.message);
  const store = createConversationStore({
    history: opened.history,
    prices: () => PRICES,
    onTrouble: () => undefined,
    onFailure: (what, error) => failures.push(`${what}: ${String(error)}`),
  });
  return { history: opened.history, store };
}

/** Returns what a function returns about a window, and closes the window. */
function inWindow<Result>(name: string, body: (window: Window) => Result): Result {
  const window = openWindow(name);
  try {
    return body(window);
  } finally {
    window.store.dispose();
  }
}

function ask({ store }: Window, id: string, text: string, ...attempts: readonly Turn[]): void {
  const question = { text, images: [], origin: undefined };
  const asked = { id: `e-${id}`, question, attempts, shown: 0 };
  store.put({ ...createConversation(id, 1000, text, undefined), exchanges: [asked] }, asked.id);
}

const turn = (id: string, answer: string): Turn => ({
  ...completeTurn(),
  id,
  startedAt: Date.now(),
  reasoning: 'Because.',
  answer,
});

/** A conversation after a reload, and its search results. */
function storesAndSearches() {
  inWindow('stored', (window) => {
    ask(window, 'c1', 'How do I deploy 🚀?', turn('t1', 'With a script. 用脚本。'));
    window.store.putDraft('c1', 'A draft');
  });
  return inWindow('stored', ({ store, history }) => ({
    answer: store.get('c1')?.exchanges[0]?.attempts[0]?.answer,
    draft: store.draft('c1'),
    list: store.list().map(({ id }) => id),
    found: ['script', '脚本', '🚀'].map((text) => history.search(text, 5).length),
  }));
}

/** What was spent, in this window and after a reload, and the conversations that were permanently deleted. */
function spendsAndPurges() {
  const here = inWindow('spent', (window) => {
    ask(window, 'c1', 'First', turn('t1', 'Yes.'));
    ask(window, 'c2', 'Second', turn('t2', 'No.'));
    window.store.putSpend('other chats', { ...turn('t3', 'Maybe.'), usage: undefined, estimatedCost: 0.5 });
    window.store.remove('c2');
    return window.store.costSince(0);
  });
  return inWindow('spent', ({ store, history }) => {
    history.purge(Date.now() + 1);
    return {
      isSame: here > 0 && store.costSince(0) === here,
      estimated: store.estimatedSince(0),
      purged: ['c1', 'c2'].filter((id) => history.isPurged(id)),
      routes: history.byRoute(0).map(({ turns }) => turns),
    };
  });
}

/** A text with U+0000, before which `node:sqlite` of this Node ends a text. */
const ZERO = '前 \0 behind 后面';

/** What is left of texts with U+0000 after a reload, after they were written again, and after the database was set aside. */
function keepsZeros() {
  inWindow('zeros', (window) => {
    ask(window, 'c1', ZERO, turn('t1', ZERO), turn('t2', 'Another answer'));
    window.store.putDraft('c1', ZERO);
    const running = { ...createTurn('t3', Date.now(), FACTS), answer: ZERO };
    ask(window, 'c2', 'Runs until the window is closed', running);
    const conversation = window.store.get('c2');
    if (conversation !== undefined) window.store.progress(conversation, running);
  });
  const read = () =>
    inWindow('zeros', ({ store, history }) => {
      const [{ question, attempts } = assert.fail()] = store.get('c1')?.exchanges ?? [];
      return {
        list: store.list().length,
        title: store.get('c1')?.title,
        texts: [
          ...[question.text, attempts[0]?.answer, store.draft('c1')],
          ...[
            store.get('c2')?.exchanges[0]?.attempts[0]?.answer,
            history.recentQuestions(undefined)[1]?.text,
          ],
        ],
        found: history.search('后面', 5).map(({ snippet }) => snippet),
      };
    });
  const reloaded = read();
  // The user shows the other attempt, which writes the exchange again.
  inWindow('zeros', ({ store }) => {
    const conversation = store.latest('c1') ?? assert.fail();
    const exchanges = conversation.exchanges.map((one) => ({ ...one, shown: 1 }));
    store.put({ ...conversation, exchanges }, 'e-c1');
  });
  const written = read();
  // As by a later version. The database is set aside, and what is in it is copied.
  const db = new DatabaseSync(join(root, 'zeros/conversations.db'));
  db.exec('PRAGMA user_version = 99');
  db.close();
  return { reloaded, written, copied: read() };
}

/** The conversations that are found after all pages of the index for Chinese were damaged in a window that uses it. */
const findsAgain = () =>
  inWindow('damaged', (window) => {
    for (const id of ['c1', 'c2', 'c3']) ask(window, id, '一个问题', turn(`t-${id}`, 'Yes.'));
    const found = () => window.history.search('问题', 5).length;
    const before = found();
    const db: DatabaseSync & { enableDefensive?(on: boolean): void } = new DatabaseSync(
      join(root, 'damaged/conversations.db'),
    );
    db.enableDefensive?.(false);
    db.exec('UPDATE unspaced_data SET block = zeroblob(40) WHERE id > 10');
    db.close();
    return [before, found()];
  });

console.log(
  JSON.stringify({
    version: process.versions.node,
    stored: storesAndSearches(),
    spent: spendsAndPurges(),
    zeros: keepsZeros(),
    damaged: findsAgain(),
    failures,
  }),
);
